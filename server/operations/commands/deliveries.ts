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
import { DELIVERY_STATES, listAttempts, listDeliveries, findDelivery, type OutboxEntry } from '../../messages/store.ts';
import { currenciesOf } from '../../purchases/transactions/store.ts';
import { command, type Command, databaseCommand, option, UsageError, withDatabase } from './command.ts';
import { listCommand, MERCHANT_LIST_USAGE } from './list.ts';

/** Commands for deliveries: callbacks, e-mails, text messages and card operations. */
export const deliveriesCommands: Record<string, Command> = {
  'deliveries list': listCommand(`[--state ${DELIVERY_STATES.join('|')}] ${MERCHANT_LIST_USAGE}`, {
    name: 'deliveries',
    filters: { state: option.choice(DELIVERY_STATES) },
    read: async (query, filter, { state }) => presentDeliveries(query, await listDeliveries(query, { ...filter, state })),
    columns: [
      ['id', ({ id }) => id],
      ['state', ({ state }) => state],
      ['channel', ({ channel }) => channel],
      ['attempts', ({ attempts }) => String(attempts), 'number'],
      ['created', ({ createdAt }) => createdAt.slice(0, 19)],
      ['to', ({ to }) => to],
      ['last failure', ({ lastFailure }) => lastFailure],
    ],
  }),

  'deliveries show': databaseCommand('ID [--json]', { ID: option.argument }, async ({ ID: id }, { query }) => {
    const row = await findDelivery(query, id);
    if (!row) throw new Error(`ID: expected the id of a delivery, but received "${id}"`);
    const [presented] = await presentDeliveries(query, [row]);
    const attempts = (await listAttempts(query, id)).map(presentAttempt);
    return { value: { ...presented!, log: attempts }, lines: showLines(presented!, attempts) };
  }),

  'deliveries replay': command(
    'ID | --failed [--merchant M]',
    { ID: option.optionalArgument, merchant: option.text, failed: option.flag },
    async ({ ID: id, merchant: merchantId, failed }, context) => {
      if (!failed) {
        if (merchantId !== undefined) throw new UsageError('expected --failed with --merchant');
        if (!id) throw new UsageError('expected ID');
        await withDatabase(context, (database) => redeliver(database, id));
        context.log('The delivery is queued again, with the same id.');
        return;
      }
      if (id !== undefined) throw new UsageError('expected an ID or --failed, but received both');
      const count = await withDatabase(context, async (database) => {
        if (merchantId !== undefined) await requireMerchant(database.query, merchantId);
        return redeliverFailed(database, { merchantId });
      });
      context.log(`Failed deliveries that are queued again: ${count}`);
    },
  ),
};

async function presentDeliveries(query: Query, rows: readonly OutboxEntry[]): Promise<PresentedDelivery[]> {
  const currencies = await currenciesOf(query, cardTransactionIds(rows));
  return rows.map((row) => presentDelivery(row, currencies));
}

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
