import type { Query } from '../../db/database.ts';
import { requireMerchant } from '../../merchants/store.ts';
import {
  cardTransactionIds,
  presentAttempt,
  presentDelivery,
  redeliver,
  redeliverFailed,
  type PresentedAttempt,
  type PresentedDelivery,
} from '../../messages/deliveries.ts';
import { listAttempts, listDeliveries, type DeliveryState, findDelivery, type OutboxEntry } from '../../messages/store.ts';
import { currenciesOf } from '../../purchases/transactions/store.ts';
import {
  choiceOption,
  type Column,
  command,
  type Command,
  commandOn,
  flag,
  onlyPositional,
  parseOptions,
  printResult,
  text,
  UsageError,
  withDatabase,
} from './command.ts';
import { MERCHANT_LIST_OPTIONS, MERCHANT_LIST_USAGE, printList } from './list.ts';

const STATES: readonly DeliveryState[] = ['pending', 'delivered', 'failed', 'recorded'];
/** Commands for deliveries: callbacks, e-mails, text messages and card operations. */
export const deliveriesCommands: Record<string, Command> = {
  'deliveries list': command(
    `[--state ${STATES.join('|')}] ${MERCHANT_LIST_USAGE}`,
    { state: text, ...MERCHANT_LIST_OPTIONS },
    async (values, context) => {
      const state = choiceOption('--state', values.state, STATES);
      await printList(context, values, {
        name: 'deliveries',
        columns: COLUMNS,
        read: async (query, filter) => presentDeliveries(query, await listDeliveries(query, { ...filter, state })),
      });
    },
  ),

  'deliveries show': commandOn('ID [--json]', 'ID', { json: flag }, async (id, values, context) => {
    const { delivery, attempts } = await withDatabase(context, async ({ query }) => {
      const row = await findDelivery(query, id);
      if (!row) throw new Error(`ID: expected the id of a delivery, but received "${id}"`);
      const [presented] = await presentDeliveries(query, [row]);
      return { delivery: presented!, attempts: (await listAttempts(query, id)).map(presentAttempt) };
    });
    printResult(context, values.json, { ...delivery, log: attempts }, showLines(delivery, attempts));
  }),

  'deliveries replay': {
    usage: 'ID | --failed [--merchant M]',
    run: async (args, context) => {
      const { values, positionals } = parseOptions(args, { merchant: text, failed: flag }, { allowPositionals: true });
      if (!values.failed) {
        if (values.merchant !== undefined) throw new UsageError('expected --failed with --merchant');
        const id = onlyPositional('ID', positionals);
        await withDatabase(context, (database) => redeliver(database, id));
        context.log('The delivery is queued again, with the same id.');
        return;
      }
      if (positionals.length > 0) throw new UsageError('expected an ID or --failed, but received both');
      const merchantId = values.merchant;
      const count = await withDatabase(context, async (database) => {
        if (merchantId !== undefined) await requireMerchant(database.query, merchantId);
        return redeliverFailed(database, { merchantId });
      });
      context.log(`Failed deliveries that are queued again: ${count}`);
    },
  },
};

async function presentDeliveries(query: Query, rows: readonly OutboxEntry[]): Promise<PresentedDelivery[]> {
  const currencies = await currenciesOf(query, cardTransactionIds(rows));
  return rows.map((row) => presentDelivery(row, currencies));
}

const COLUMNS: readonly Column<PresentedDelivery>[] = [
  ['id', ({ id }) => id],
  ['state', ({ state }) => state],
  ['channel', ({ channel }) => channel],
  ['attempts', ({ attempts }) => String(attempts), 'number'],
  ['created', ({ createdAt }) => createdAt.slice(0, 19)],
  ['to', ({ to }) => to],
  ['last failure', ({ lastFailure }) => lastFailure],
];

function showLines(delivery: PresentedDelivery, attempts: readonly PresentedAttempt[]): string[] {
  const { channel, to, state, createdAt, deliveredAt, nextAttemptAt, merchantId } = delivery;
  const dates = [deliveredAt && `delivered ${deliveredAt}`, nextAttemptAt && `next attempt ${nextAttemptAt}`].filter(Boolean);
  return [
    `${channel} to ${to}, merchant ${merchantId}`,
    [`${state}, created ${createdAt}`, ...dates].join(', '),
    ...attemptLines(attempts),
  ];
}

/** The attempts of a delivery, one a line. */
export function attemptLines(attempts: readonly PresentedAttempt[]): string[] {
  return attempts.map(({ number, at, durationMs, statusCode, failure }) => {
    const took = durationMs === null ? 'in progress or interrupted' : `${durationMs} ms`;
    return [`${number}. ${at}`, took, statusCode, failure].filter((part) => part !== null && part !== '').join('  ');
  });
}
