import { standardProgram } from '../../lending/programs/standard-program.ts';
import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { checkProgram, type CheckedProgram, type Finding } from '../../../shared/programs/check.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { type CommandConfig, messageProblems, readCommandConfig } from '../../base/config/config.ts';
import { messageOf } from '../../base/errors.ts';
import { type DayOrInstant, dayOf, saleProblems, versionOn, versionsAfter } from '../../lending/programs/programs.ts';
import { findProgram, getVersion, programsOf, versionsOf } from '../../lending/programs/store.ts';
import type { Query } from '../../db/database.ts';
import { programSchema } from '../../http/openapi/program-schema.ts';
import { importProgram } from '../../lending/programs/import.ts';
import { checkLive } from '../../lending/programs/live.ts';
import type { CheckedRule } from '../../lending/programs/live-rule.ts';
import { fetchNotice } from '../../lending/programs/privacy-notice.ts';
import { isLogo } from '../../merchants/brand.ts';
import { allMerchants, type Merchant, requireMerchant } from '../../merchants/store.ts';
import { dateIn, type Instant } from '../../base/time.ts';
import {
  type Command,
  command,
  type CommandContext,
  databaseCommand,
  option,
  printResult,
  UsageError,
  withDatabase,
} from './command.ts';

export const programCommands: Record<string, Command> = {
  'program schema': command('   (JSON Schema of programs)', {}, async (_values, { print }) => {
    print(JSON.stringify(programSchema(standardProgram), null, 2));
  }),

  'program check': command(
    'FILE [--live] [--json]    (--live: also what a live service with these environment variables requires)',
    { FILE: option.argument, live: option.flag, json: option.flag },
    async (values, context) => {
      const live = values.live ? readCommandConfig(context.env) : undefined;
      const { program, errors, warnings, rules } = await readProgram(values.FILE, context, live);
      const result = program ? [`${program.id}, version ${program.version}: valid${values.live ? ' in live mode' : ''}`] : [];
      const requirements = rules && { requirements: rules.map(requirementJson) };
      printResult(context, values.json, { errors, warnings, ...requirements }, [...ruleLines(rules ?? []), ...result]);
      return program ? 0 : 1;
    },
  ),

  'program import': command(
    'FILE --merchant M [--merchant M2 ...] [--default] [--json]    (FILE - reads standard input)',
    { FILE: option.argument, merchant: option.list, default: option.flag, json: option.flag },
    async (values, context) => {
      if (!values.merchant[0]) throw new UsageError('expected --merchant');

      const config = readCommandConfig(context.env);
      const { program, errors, warnings } = await readProgram(values.FILE, context, config.mode === 'live' ? config : undefined);
      if (!program) {
        context.log('Nothing was imported.');
        printResult(context, values.json, { errors, warnings }, []);
        return 1;
      }

      const { id, version } = program;
      const merchants = await withDatabase(context, (database) => {
        const { progress, clock } = context;
        progress.start('Importing for merchants');
        return importProgram(database, program, values.merchant, { asDefault: values.default }, clock.now(), progress);
      });
      const lines = merchants.map(({ merchantId, programId, outcome, isDefault }) => {
        const label = outcome === 'added' ? 'Added' : 'Already imported:';
        const use = isDefault ? 'the default program' : 'sold only in carts that name it';
        return `${label} ${id}, version ${version}, merchant ${merchantId}, program ${programId}, ${use}`;
      });
      printResult(context, values.json, { program: id, version, merchants, warnings }, lines);
      for (const { merchantId } of merchants.filter(({ isDefault, isSold }) => isDefault && !isSold)) {
        context.log(`warning: merchant ${merchantId} has "${id}" as its default program, which is not sold today`);
      }
      return 0;
    },
  ),

  'program list': databaseCommand(
    '[--merchant M] [--json]',
    { merchant: option.text },
    async ({ merchant: id }, { query }, { now }) => {
      const merchants = id === undefined ? await allMerchants(query) : [await requireMerchant(query, id)];
      const listed: ListedProgram[] = [];
      for (const merchant of merchants) listed.push(...(await listPrograms(query, merchant, now)));
      return { value: listed, lines: listLines(listed) };
    },
  ),

  'program show': command(
    'CODE --merchant M [--version V | --on DATE] [--json]   (the program with its defaults, as JSON)',
    { CODE: option.argument, merchant: option.required, version: option.text, on: option.date, json: option.flag },
    async ({ CODE: code, merchant, version, on, json }, context) => {
      if (version && on) throw new UsageError('expected --version or --on, but received both');
      const when = on ?? context.clock.now();
      const program = await withDatabase(context, ({ query }) => getProgram(query, merchant, code, version, when));
      context.print(JSON.stringify(program, null, json ? 0 : 2));
    },
  ),
};

interface ListedProgram {
  merchantId: string;
  merchantName: string;
  program: string;
  programId: string;
  isDefault: boolean;
  /** The version that is sold today; null if no version is. */
  current: { version: number; effective: Program['effective']; offers: number } | null;
  /** Versions that take effect later. */
  waiting: { version: number; from: string }[];
}

async function listPrograms(query: Query, merchant: Merchant, now: Instant): Promise<ListedProgram[]> {
  const listed: ListedProgram[] = [];
  for (const { id, code } of await programsOf(query, merchant.id)) {
    const versions = await versionsOf(query, id);
    const today = await dayOf(query, id, versions, now);
    const sold = versionOn(versions, today);
    const program = sold && (await getVersion(query, id, sold.version));
    listed.push({
      merchantId: merchant.id,
      merchantName: merchant.name,
      program: code,
      programId: id,
      isDefault: merchant.defaultProgramId === id,
      current:
        program && saleProblems(query, program).length === 0
          ? { version: program.version, effective: program.effective, offers: program.offers.length }
          : null,
      waiting: versionsAfter(versions, today).map(({ version, effectiveFrom }) => ({ version, from: effectiveFrom })),
    });
  }
  return listed;
}

/** Formats the programs of each merchant below its name. */
function* listLines(listed: readonly ListedProgram[]): Generator<string> {
  let previousId: string | undefined;
  for (const { merchantId, merchantName, program, programId, isDefault, current, waiting } of listed) {
    if (merchantId !== previousId) yield `${previousId === undefined ? '' : '\n'}${merchantName}  ${merchantId}`;
    previousId = merchantId;
    yield `  ${program}${isDefault ? ' (default)' : ''}  ${programId}`;
    yield `    ${current ? currentLine(current) : 'not sold today'}`;
    for (const { version, from } of waiting) yield `    version ${version}, from ${from}`;
  }
}

function currentLine({ version, effective, offers }: NonNullable<ListedProgram['current']>): string {
  return `version ${version}, ${effective.from} to ${effective.to ?? 'no end'}, ${offers} ${offers === 1 ? 'offer' : 'offers'}`;
}

/** Returns the requested version, or the one that is sold at an instant or on a day. @throws Error - there is no such program or version. */
async function getProgram(
  query: Query,
  merchantId: string,
  code: string,
  requestedVersion: string | undefined,
  when: DayOrInstant,
): Promise<Program> {
  const row = await findProgram(query, merchantId, code);
  if (!row) throw new Error(`CODE: expected a program of merchant ${merchantId}, but received "${code}"`);
  const versions = await versionsOf(query, row.id);
  const on = await dayOf(query, row.id, versions, when);
  const found = requestedVersion ? versions.find(({ version }) => String(version) === requestedVersion) : versionOn(versions, on);
  if (!found) {
    const numbers = versions.map(({ version }) => version).sort((a, b) => a - b);
    const missing = requestedVersion ? `no version ${requestedVersion}` : `no version that is sold on ${on}`;
    throw new Error(`"${code}" has ${missing}; its versions: ${numbers.join(', ')}`);
  }
  return getVersion(query, row.id, found.version);
}

/**
 * Reads a program from a file, or from standard input if the file is `-`. Validates it, and prints all errors and warnings. Fetches the
 * privacy notice of a live program.
 *
 * @param live - The configuration of a live service, whose requirements the program and the environment must also meet.
 * @throws Error - the file cannot be read, or is not JSON in UTF-8.
 */
async function readProgram(
  file: string,
  context: CommandContext,
  live?: Pick<CommandConfig, 'cardStripeKey'>,
): Promise<CheckedProgram & { rules?: readonly CheckedRule[] | undefined }> {
  const { stdin, log } = context;
  const [name, source] = file === '-' ? ['standard input', stdin()] : [file, createReadStream(file)];
  const bytes = await buffer(source).catch((cause: Error) => {
    throw new Error(`${name}: expected a file that can be read, but ${cause.message}`, { cause });
  });
  const { program, consistent, errors: invalid, warnings: found } = checkProgram(parseJson(name, bytes));
  const rules = live && consistent && (await checkImport(consistent, live, context.clock.now()));
  const errors = [
    ...invalid,
    ...logoErrors(consistent),
    ...(rules ?? []).flatMap(({ problems }) => problems),
    ...(live ? messageProblems(context.env).map((message) => ({ path: '', message })) : []),
  ];
  const warnings = found.filter(({ path }) => !errors.some((error) => error.path === path));
  for (const finding of errors) log(`error: ${describe(finding)}`);
  for (const finding of warnings) log(`warning: ${describe(finding)}`);
  return { program: errors.length > 0 ? undefined : program, errors, warnings, rules };
}

/** Checks a program by the requirements of an import into a live service. */
async function checkImport(program: Program, { cardStripeKey }: Pick<CommandConfig, 'cardStripeKey'>, now: Instant) {
  const context = { hasCards: cardStripeKey !== undefined, today: dateIn(now, program.timeZone) };
  const rules = checkLive(program, context);
  const { privacyNotice } = program.lender;
  const isRejected = rules.some(({ problems }) => problems.some(({ path }) => path === 'lender.privacyNotice.url'));
  if (!privacyNotice || isRejected || program.status === 'retired') return rules;
  return checkLive(program, { ...context, notice: await fetchNotice(privacyNotice.url) });
}

/** Every checkout page contains the logo, so a picture must be complete, and not need gigabytes in a browser. */
function logoErrors(program: Program | undefined): Finding[] {
  const [, png] = /^data:image\/png;base64,(.*)$/s.exec(program?.lender.logo ?? '') ?? [];
  if (png === undefined || isLogo(Buffer.from(png, 'base64'))) return [];
  return [{ path: 'lender.logo', message: 'Expected a complete PNG picture of at most 4 million pixels, but received another' }];
}

/** Formats the requirements of live mode: whether each is met, its citation and its field, and where it is not met. */
function* ruleLines(rules: readonly CheckedRule[]): Generator<string> {
  for (const { expected, citation, path, problems } of rules) {
    yield `${problems.length === 0 ? 'passed' : 'FAILED'}  ${expected[0]?.toUpperCase()}${expected.slice(1)}.`;
    yield `        ${citation}; ${path}`;
    for (const problem of problems) yield `        ${problem.path}`;
  }
}

function requirementJson({ expected, citation, path, problems }: CheckedRule) {
  return {
    requirement: expected,
    citation,
    path,
    passed: problems.length === 0,
    failedAt: problems.map((problem) => problem.path),
  };
}

function parseJson(name: string, bytes: Buffer): unknown {
  let json: string;
  try {
    // The decoder removes a byte order mark.
    json = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (thrown) {
    throw new Error(`${name}: expected text in UTF-8, but received other bytes`, { cause: thrown });
  }
  try {
    return JSON.parse(json);
  } catch (thrown) {
    throw new Error(`${name}: expected JSON, but received a syntax error: ${messageOf(thrown)}`, { cause: thrown });
  }
}

function describe({ path, message }: Finding): string {
  return path ? `${path}: ${message}` : message;
}
