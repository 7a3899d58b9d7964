import { parseArgs } from 'node:util';
import { requireMerchant } from '../merchants/store.ts';
import { presentAttempt, presentDelivery, type ShownAttempt, type ShownDelivery } from '../notifications/present.ts';
import { redeliver, redeliverFailed } from '../notifications/redeliver.ts';
import { attemptsOf, deliveriesOf, type DeliveryState, findDelivery } from '../notifications/store.ts';
import { type Command, onlyOne, UsageError, withDatabase } from './command.ts';
import { choiceOption, wholeOption } from './options.ts';
import { tableLines } from './table.ts';

const STATES: readonly DeliveryState[] = ['pending', 'delivered', 'failed', 'recorded'];
const MOST_LISTED = 1_000;
const USUALLY_LISTED = 50;

const merchant = { type: 'string' } as const;
const json = { type: 'boolean' } as const;

/** Shows deliveries of callbacks, e-mails, text messages and card gateway calls. All commands work while the service runs. */
export const deliveriesCommands: Record<string, Command> = {
  'deliveries list': {
    usage: 'deliveries list [--merchant M] [--state pending|delivered|failed|recorded] [--limit N] [--json]',
    run: async (args, surroundings) => {
      const options = { merchant, json, state: { type: 'string' }, limit: { type: 'string' } } as const;
      const { values } = parseArgs({ args, options });
      const state = choiceOption('--state', values.state, STATES);
      const limit = wholeOption('--limit', values.limit, { least: 1, most: MOST_LISTED }) ?? USUALLY_LISTED;
      const merchantId = values.merchant;
      const { answer } = surroundings;
      const rows = await withDatabase(surroundings, async ({ query }) => {
        if (merchantId !== undefined) await requireMerchant(query, merchantId);
        return deliveriesOf(query, { merchantId, state, limit });
      });
      const deliveries = rows.map(presentDelivery);
      if (values.json) answer(JSON.stringify({ deliveries }));
      else for (const line of listLines(deliveries)) answer(line);
    },
  },

  'deliveries show': {
    usage: 'deliveries show ID [--json]',
    run: async (args, surroundings) => {
      const { values, positionals } = parseArgs({ args, options: { json }, allowPositionals: true });
      const id = onlyOne('ID', positionals);
      const { answer } = surroundings;
      const { row, log } = await withDatabase(surroundings, async ({ query }) => ({
        row: await findDelivery(query, id),
        log: await attemptsOf(query, id),
      }));
      if (!row) throw new Error(`expected the id of a delivery, but received "${id}"`);
      const [delivery, attempts] = [presentDelivery(row), log.map(presentAttempt)];
      if (values.json) answer(JSON.stringify({ ...delivery, log: attempts }));
      else for (const line of showLines(delivery, attempts)) answer(line);
    },
  },

  'deliveries replay': {
    usage: 'deliveries replay ID | --failed [--merchant M]',
    run: async (args, surroundings) => {
      const options = { merchant, failed: { type: 'boolean' } } as const;
      const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
      const { remark } = surroundings;
      if (!values.failed) {
        if (values.merchant !== undefined) throw new UsageError('--merchant goes with --failed');
        const id = onlyOne('ID', positionals);
        await withDatabase(surroundings, (database) => redeliver(database, id));
        remark('It is delivered again, with the id it had.');
        return;
      }
      if (positionals.length > 0) throw new UsageError('expected an ID or --failed, but received both');
      const merchantId = values.merchant;
      const count = await withDatabase(surroundings, async (database) => {
        if (merchantId !== undefined) await requireMerchant(database.query, merchantId);
        return redeliverFailed(database, merchantId);
      });
      remark(`${count} that had failed ${count === 1 ? 'is' : 'are'} delivered again.`);
    },
  },
};

function listLines(deliveries: readonly ShownDelivery[]): string[] {
  const columns = [
    { heading: 'id' },
    { heading: 'state' },
    { heading: 'channel' },
    { heading: 'attempts', isNumber: true },
    { heading: 'created' },
    { heading: 'to' },
    { heading: 'last failure' },
  ];
  return tableLines(
    columns,
    deliveries.map(({ id, state, channel, attempts, createdAt, to, lastFailure }) => [
      id,
      state,
      channel,
      String(attempts),
      createdAt.slice(0, 19),
      to,
      lastFailure,
    ]),
  );
}

function showLines(delivery: ShownDelivery, attempts: readonly ShownAttempt[]): string[] {
  const { channel, to, state, createdAt, deliveredAt, nextAttemptAt, merchantId } = delivery;
  const moments = [deliveredAt && `delivered ${deliveredAt}`, nextAttemptAt && `next attempt ${nextAttemptAt}`].filter(Boolean);
  return [
    `${channel} to ${to}, of merchant ${merchantId}`,
    [`${state}, created ${createdAt}`, ...moments].join(', '),
    ...attempts.map(({ number, at, durationMs, statusCode, failure }) => {
      const took = durationMs === null ? 'no end known: under way, or the service ended' : `${durationMs} ms`;
      return [`${number}. ${at}`, took, statusCode, failure].filter((part) => part !== null && part !== '').join('  ');
    }),
  ];
}
