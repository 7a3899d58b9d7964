import { execFile } from 'node:child_process';
import { readServiceConfig } from '../../base/config/config.ts';
import { SettingsError } from '../../base/config/read-settings.ts';
import { type Setting, SETTINGS } from '../../base/config/settings.ts';
import { type LenderConfig, requireLender } from '../../base/config/lender.ts';
import { checkPages } from '../../db/backup.ts';
import type { Database } from '../../db/database.ts';
import { endsEarlierReleases } from '../../db/migrate.ts';
import { databaseName } from '../../db/open-database.ts';
import { WriteBuffer } from '../../db/write-buffer.ts';
import { type LoanBook, remoteLoanBook } from '../../lending/lenders/loan-book.ts';
import { createSignedClient } from '../../lending/lenders/signed-client.ts';
import { addCalls, newCall } from '../../lending/lenders/store.ts';
import { endOfLifeHint } from '../../base/node-release.ts';
import { auditSettlements, type SettlementDifference } from '../../purchases/settlements/audit.ts';
import { systemClock, dateIn } from '../../base/time.ts';
import { auditTransactions, type Difference } from '../../purchases/transactions/audit.ts';
import { listSettings, serviceProblems } from './settings.ts';
import {
  type Command,
  command,
  type CommandContext,
  describeError,
  migrateDatabase,
  option,
  pendingMigrationsOf,
  printResult,
  withDatabase,
} from './command.ts';

/** Maximum number of differences in the JSON output, which is buffered as one line. All differences are counted. */
const MAX_LISTED = 1_000;

export const serviceCommands: Record<string, Command> = {
  serve: {
    ...command('[--no-jobs]', { 'no-jobs': option.flag }, async (values, context) => {
      const { clock, env, serve, log } = context;
      const hint = endOfLifeHint(process.versions.node, dateIn(clock.now(), 'UTC'));
      if (hint) log(`warning: ${hint}`);
      const problems = serviceProblems(context);
      if (problems.length > 0) throw new SettingsError(problems);
      const config = readServiceConfig(env);
      // Imported here, because other commands have no such log.
      const { createLog, exitOnUnhandledErrors } = await import('../../base/log.ts');
      const serviceLog = createLog();
      exitOnUnhandledErrors(serviceLog);
      const given = listSettings(context).filter(({ source }) => source !== 'default');
      serviceLog.info({ at: 'settings', ...Object.fromEntries(given.map(({ name, value }) => [name, value])) });
      const hasJobs = !values['no-jobs'];
      const service = await serve(config, serviceLog, hasJobs);
      // If closing fails, the rejection is logged, and the process exits with 1.
      const stop = () => void service.close().then(() => process.exit(0));
      process.once('SIGINT', stop);
      process.once('SIGTERM', stop);
      // Printed after the signal handlers are installed, because a caller may stop the service after reading this line.
      log(
        `Fairterm (${config.mode}) serves ${service.publicUrl} from ${databaseName(config.databaseUrl)}` +
          (hasJobs ? '' : ', without jobs: nothing is delivered, expires, is settled or deleted'),
      );
      if (env['NOTIFY_SOCKET']) notifySystemd(log);
    }),
    help: [
      '',
      'Migrates the database and runs the service until SIGTERM or SIGINT. Its log is JSON lines on standard output.',
      '',
      '  --no-jobs              no background jobs, to look at a restored database: callbacks, e-mails, texts, requests to the lender and',
      '                         card operations wait, and nothing expires, is settled or deleted, until the service runs without it',
      '',
      'Its settings are environment variables, or lines of a file, which `fairterm init FILE` writes and `fairterm config check` checks.',
      'Those of a live service:',
      '',
      ...Object.entries<Setting>(SETTINGS).flatMap(([name, { live, expected }]) =>
        live ? `  ${name.padEnd(22)} ${expected('live')}` : [],
      ),
      '',
      'The guide "Settings", server/docs/settings.md, has all of them; a running service has it at /docs/settings',
    ],
  },

  migrate: command(
    '[--check]   (--check: only lists the migrations that are pending; exits with 1 if there are any)',
    { check: option.flag },
    async ({ check }, context) => {
      const names = check ? await pendingMigrationsOf(context) : await migrateDatabase(context);
      for (const name of names) {
        const hint = endsEarlierReleases(name, names)
          ? ' (earlier releases cannot serve after it: stop their processes first)'
          : '';
        context.print(check ? `Pending: ${name}${hint}` : `Migrated: ${name}`);
      }
      if (names.length === 0) context.print('No migration was pending.');
      return check && names.length > 0 ? 1 : 0;
    },
  ),

  vacuum: command('  (rewrites all tables without erased values; stop the service before)', {}, async (_values, context) => {
    await withDatabase(context, (database) => {
      context.progress.start('Rewriting the tables');
      return database.vacuum(context.progress);
    });
    context.log('The tables were rewritten.');
  }),

  audit: command(
    '[--lender] [--json]   (--lender: also compares the loans that the lender lists. Exits with 1 for a difference, with 2 if the audit failed)',
    { lender: option.flag, json: option.flag },
    async (values, context) => {
      const counts = { transactions: 0, differing: 0, settlements: 0, differingSettlements: 0 };
      const listed: (Difference | SettlementDifference)[] = [];
      const list = (differences: readonly (Difference | SettlementDifference)[]) => {
        if (values.json) listed.push(...differences.slice(0, MAX_LISTED - listed.length));
        else for (const difference of differences) context.print(differenceLine(difference));
      };

      try {
        await withLoanBook(values.lender ? requireLender(context.env) : undefined, context, async ({ engine, query }, book) => {
          // Tables and indexes that the audit does not read may be damaged, too.
          if (engine === 'sqlite') await checkPages(query);
          for await (const differences of auditTransactions(query, book)) {
            counts.transactions += 1;
            if (differences.length > 0) counts.differing += 1;
            list(differences);
          }
          for await (const differences of auditSettlements(query)) {
            counts.settlements += 1;
            if (differences.length > 0) counts.differingSettlements += 1;
            list(differences);
          }
        });
      } catch (thrown) {
        context.log(`fairterm audit: audit failed: ${describeError(thrown)}`);
        return 2;
      }

      const { transactions, differing, settlements, differingSettlements } = counts;
      printResult(context, values.json, { ...counts, differences: listed }, [
        `Transactions: ${transactions}, differing from their journal: ${differing}. Settlements: ${settlements}, differing from their lines: ${differingSettlements}`,
      ]);
      return differing + differingSettlements > 0 ? 1 : 0;
    },
  ),
};

/** Tells systemd that the service is ready (`Type=notify`). By its own program, because Node.js cannot send datagrams to a Unix socket. */
function notifySystemd(log: CommandContext['log']): void {
  execFile('systemd-notify', ['--ready'], (failure) => {
    if (failure) log(`warning: systemd was not told that the service is ready: ${failure.message}`);
  });
}

/** Runs `work` on the database, and on the book of a lender if there is one. */
async function withLoanBook(
  lender: LenderConfig | undefined,
  context: CommandContext,
  work: (database: Database, book: LoanBook | undefined) => Promise<void>,
): Promise<void> {
  const calls = new WriteBuffer(addCalls);
  const client = lender && createSignedClient(lender, systemClock, (attempt) => calls.add(newCall('sent', attempt)));
  try {
    await withDatabase(context, async (database) => {
      try {
        await work(database, client && remoteLoanBook(client));
      } finally {
        await calls.save(database);
      }
    });
  } finally {
    await client?.close();
  }
}

function differenceLine(difference: Difference | SettlementDifference): string {
  const { what, stored, recomputed } = difference;
  const id = 'transactionId' in difference ? difference.transactionId : `settlement ${difference.settlementId}`;
  if (what === 'journal') return `${id}  journal: ${String(stored)}`;
  if (what === 'loan' || what.startsWith('loan.'))
    return `${id}  ${what}: lender ${JSON.stringify(stored)}, journal ${JSON.stringify(recomputed)}`;
  return `${id}  ${what}: stored ${JSON.stringify(stored)}, recomputed ${JSON.stringify(recomputed)}`;
}
