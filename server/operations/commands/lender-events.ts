import { isObject } from '../../../shared/objects.ts';
import { presentAttempt, presentDelivery, redeliver, redeliverFailed } from '../../messages/deliveries.ts';
import { type DeliveryState, findDelivery, listAttempts, listDeliveries, type OutboxEntry } from '../../messages/store.ts';
import {
  argument,
  choice,
  command,
  type Command,
  databaseCommand,
  flag,
  optionalArgument,
  text,
  UsageError,
  withDatabase,
} from './command.ts';
import { listCommand, MERCHANT_LIST_USAGE } from './list.ts';
import { attemptLines } from './deliveries.ts';

const STATES = ['pending', 'delivered', 'failed'] as const satisfies readonly DeliveryState[];

/** Commands for events of applications and loans, which the lender receives in their order. */
export const lenderEventCommands: Record<string, Command> = {
  'lender-events list': listCommand(`[--transaction T] [--application A] [--state ${STATES.join('|')}] ${MERCHANT_LIST_USAGE}`, {
    name: 'events',
    filters: { transaction: text, application: text, state: choice(STATES) },
    read: async (query, filter, { transaction: transactionId, application: applicationId, state }) => {
      const rows = await listDeliveries(query, { ...filter, channel: 'lender', transactionId, applicationId, state });
      return rows.map(presentEvent);
    },
    columns: [
      ['id', ({ id }) => id],
      ['state', ({ state }) => state],
      ['type', ({ type }) => type],
      ['attempts', ({ attempts }) => String(attempts), 'number'],
      ['created', ({ createdAt }) => createdAt.slice(0, 19)],
      ['application', ({ applicationId, sequence }) => `${applicationId} ${sequence}`],
      ['last failure', ({ lastFailure }) => lastFailure],
    ],
  }),

  'lender-events show': databaseCommand('ID [--json]', { ID: argument }, async ({ ID: id }, { query }) => {
    const row = requireEvent(await findDelivery(query, id), id);
    const attempts = (await listAttempts(query, id)).map(presentAttempt);
    const event = presentEvent(row);
    const content = contentOf(row);
    const { state, attempts: count, createdAt, deliveredAt, nextAttemptAt } = event;
    const dates = [deliveredAt && `delivered ${deliveredAt}`, nextAttemptAt && `next attempt ${nextAttemptAt}`].filter(Boolean);
    const lines = [
      `${event.type}, event ${event.sequence} of application ${event.applicationId}`,
      [`${state}, ${count} attempts, created ${createdAt}`, ...dates].join(', '),
      ...Object.entries(content).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`),
      ...attemptLines(attempts),
    ];
    return { value: { ...event, content, log: attempts }, lines };
  }),

  'lender-events replay': command(
    'ID | --failed',
    { ID: optionalArgument, failed: flag },
    async ({ ID: id, failed }, context) => {
      if (!failed) {
        if (!id) throw new UsageError('expected ID');
        await withDatabase(context, async (database) => {
          requireEvent(await findDelivery(database.query, id), id);
          await redeliver(database, id);
        });
        context.log('The event is queued again, with the same id.');
        return;
      }
      if (id !== undefined) throw new UsageError('expected an ID or --failed, but received both');
      const count = await withDatabase(context, (database) => redeliverFailed(database, { channel: 'lender' }));
      context.log(`Failed events that are queued again: ${count}`);
    },
  ),
};

/** Returns an event as shown to operators. */
function presentEvent(row: OutboxEntry) {
  const { channel: _channel, to: _to, id, merchantId, ...delivery } = presentDelivery(row, new Map());
  const { transactionId, type } = contentOf(row);
  return {
    id,
    merchantId,
    applicationId: row.applicationId,
    transactionId: typeof transactionId === 'string' ? transactionId : null,
    sequence: row.sequence,
    type: String(type),
    ...delivery,
  };
}

/** Returns what the lender receives, without the HTML of notices, which is added when they are sent. */
function contentOf({ body }: OutboxEntry): Readonly<Record<string, unknown>> {
  const content: unknown = JSON.parse(body);
  return isObject(content) ? content : {};
}

/** @throws Error - the id is unknown, or that of another delivery. */
function requireEvent(row: OutboxEntry | undefined, id: string): OutboxEntry {
  if (row?.channel === 'lender') return row;
  throw new Error(`ID: expected the id of an event for the lender, but received "${id}"`);
}
