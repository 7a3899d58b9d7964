import { isObject } from '../../../shared/objects.ts';
import { presentAttempt, presentDelivery, redeliver, redeliverFailed } from '../../messages/deliveries.ts';
import { type DeliveryState, findDelivery, listAttempts, listDeliveries, type OutboxEntry } from '../../messages/store.ts';
import type { Instant } from '../../base/time.ts';
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
import { attemptLines } from './deliveries.ts';

const STATES = ['pending', 'delivered', 'failed'] as const satisfies readonly DeliveryState[];
/** Commands for events of applications and loans, which the lender receives in their order. */
export const lenderEventCommands: Record<string, Command> = {
  'lender-events list': command(
    `[--transaction T] [--application A] [--state ${STATES.join('|')}] ${MERCHANT_LIST_USAGE}`,
    { transaction: text, application: text, state: text, ...MERCHANT_LIST_OPTIONS },
    async (values, context) => {
      const { transaction: transactionId, application: applicationId } = values;
      const state = choiceOption('--state', values.state, STATES);
      await printList(context, values, {
        name: 'events',
        columns: COLUMNS,
        read: async (query, filter) => {
          const rows = await listDeliveries(query, { ...filter, channel: 'lender', transactionId, applicationId, state });
          return rows.map(presentEvent);
        },
      });
    },
  ),

  'lender-events show': commandOn('ID [--json]', 'ID', { json: flag }, async (id, values, context) => {
    const { row, attempts } = await withDatabase(context, async ({ query }) => {
      const found = await findDelivery(query, id);
      return { row: requireEvent(found, id), attempts: (await listAttempts(query, id)).map(presentAttempt) };
    });
    const event = presentEvent(row);
    const content = contentOf(row);
    const { state, attempts: count, createdAt, deliveredAt, nextAttemptAt } = event;
    const dates = [deliveredAt && `delivered ${deliveredAt}`, nextAttemptAt && `next attempt ${nextAttemptAt}`].filter(Boolean);
    printResult(context, values.json, { ...event, content, log: attempts }, [
      `${event.type}, event ${event.sequence} of application ${event.applicationId}`,
      [`${state}, ${count} attempts, created ${createdAt}`, ...dates].join(', '),
      ...Object.entries(content).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`),
      ...attemptLines(attempts),
    ]);
  }),

  'lender-events replay': {
    usage: 'ID | --failed',
    run: async (args, context) => {
      const { values, positionals } = parseOptions(args, { failed: flag }, { allowPositionals: true });
      if (!values.failed) {
        const id = onlyPositional('ID', positionals);
        await withDatabase(context, async (database) => {
          requireEvent(await findDelivery(database.query, id), id);
          await redeliver(database, id);
        });
        context.log('The event is queued again, with the same id.');
        return;
      }
      if (positionals.length > 0) throw new UsageError('expected an ID or --failed, but received both');
      const count = await withDatabase(context, (database) => redeliverFailed(database, { channel: 'lender' }));
      context.log(`Failed events that are queued again: ${count}`);
    },
  },
};

/** An event as shown to operators. */
interface PresentedEvent {
  id: string;
  merchantId: string;
  applicationId: string | null;
  transactionId: string | null;
  sequence: number | null;
  type: string;
  state: DeliveryState;
  attempts: number;
  createdAt: Instant;
  deliveredAt: Instant | null;
  nextAttemptAt: Instant | null;
  lastFailure: string;
}

function presentEvent(row: OutboxEntry): PresentedEvent {
  const { id, merchantId, state, attempts, createdAt, deliveredAt, nextAttemptAt, lastFailure } = presentDelivery(row, new Map());
  const { transactionId, type } = contentOf(row);
  return {
    id,
    merchantId,
    applicationId: row.applicationId,
    transactionId: typeof transactionId === 'string' ? transactionId : null,
    sequence: row.sequence,
    type: String(type),
    state,
    attempts,
    createdAt,
    deliveredAt,
    nextAttemptAt,
    lastFailure,
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

const COLUMNS: readonly Column<PresentedEvent>[] = [
  ['id', ({ id }) => id],
  ['state', ({ state }) => state],
  ['type', ({ type }) => type],
  ['attempts', ({ attempts }) => String(attempts), 'number'],
  ['created', ({ createdAt }) => createdAt.slice(0, 19)],
  ['application', ({ applicationId, sequence }) => `${applicationId} ${sequence}`],
  ['last failure', ({ lastFailure }) => lastFailure],
];
