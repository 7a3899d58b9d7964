import { isObject } from '../../../shared/objects.ts';
import { requireLenderAt } from '../../base/config/lender.ts';
import { startOfUtcDay } from '../../base/time.ts';
import { type CaseResult, caseIds, checkLender, resultLines, summaryLine } from '../../lending/lenders/check/check.ts';
import { findCall, type LenderCall, listCalls } from '../../lending/lenders/store.ts';
import { presentAttempt, presentDelivery, redeliver, redeliverFailed } from '../../messages/deliveries.ts';
import { type DeliveryState, findDelivery, listAttempts, listDeliveries, type OutboxEntry } from '../../messages/store.ts';
import { command, type Command, databaseCommand, option, printResult, tableLines, UsageError, withDatabase } from './command.ts';
import { attemptLines } from './deliveries.ts';
import { DEFAULT_LIMIT, LIST_OPTIONS, LIST_USAGE, listCommand, MERCHANT_LIST_USAGE } from './list.ts';

const EVENT_STATES = ['pending', 'delivered', 'failed'] as const satisfies readonly DeliveryState[];

/**
 * Commands for the lender: the conformance kit, the calls to and from the lender, and the events of applications and loans, which it
 * receives in their order.
 */
export const lenderCommands: Record<string, Command> = {
  'lender check': {
    ...command(
      'URL [--scores used] [--case ID ...] [--json]',
      { URL: option.argument, scores: option.choice(['used'] as const), case: option.list, json: option.flag },
      async ({ URL: url, scores, case: only, json }, context) => {
        const unknown = only.find((id) => !caseIds.includes(id));
        if (unknown !== undefined)
          throw new UsageError(`--case: expected one of ${caseIds.join(', ')}, but received "${unknown}"`);
        const printLines = (result: CaseResult) => resultLines(result).forEach(context.print);
        const results = await checkLender(requireLenderAt(url, context.env), {
          only: only.length > 0 ? only : undefined,
          scores,
          ...(!json && { onResult: printLines }),
        });
        printResult(context, json, { cases: results }, [summaryLine(results)]);
        return results.every(({ passes }) => passes) ? 0 : 1;
      },
    ),
    help: [
      'Sends requests of test buyers to a lender, and reports each response that is not the documented one.',
      'With --scores used, each approval needs a credit score, and each denial one or scoreUsed: false, as for programs whose creditScores are used.',
      'LENDER_SECRET is the secret of the lender, or two separated by a comma. Takes half a minute, because two test buyers are late.',
    ],
  },

  'lender-calls list': databaseCommand(
    `[--id ID] [--failed] ${LIST_USAGE}`,
    { id: option.text, failed: option.flag, ...LIST_OPTIONS },
    async ({ id: subjectId, failed: onlyFailed, since, limit = DEFAULT_LIMIT }, { query }) => {
      const calls = await listCalls(query, { subjectId, onlyFailed, since: since && startOfUtcDay(since), limit });
      const lines = tableLines(calls, [
        ['id', ({ id }) => id],
        ['started', ({ startedAt }) => startedAt.slice(0, 19)],
        ['', ({ direction }) => direction],
        ['call', ({ method, path }) => `${method} ${path}`],
        ['about', (call) => call.subjectId],
        ['ms', ({ durationMs }) => String(durationMs), 'number'],
        ['status', ({ statusCode }) => String(statusCode ?? '')],
        ['failure', ({ failure }) => failure],
      ]);
      return { value: { calls }, lines };
    },
  ),

  'lender-calls show': databaseCommand('ID [--json]', { ID: option.argument }, async ({ ID: id }, { query }) => {
    const call = await findCall(query, id);
    if (!call) throw new Error(`ID: expected the id of a call, but received "${id}"`);
    return { value: call, lines: callLines(call) };
  }),

  'lender-events list': listCommand(
    `[--transaction T] [--application A] [--state ${EVENT_STATES.join('|')}] ${MERCHANT_LIST_USAGE}`,
    {
      name: 'events',
      filters: { transaction: option.text, application: option.text, state: option.choice(EVENT_STATES) },
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
    },
  ),

  'lender-events show': databaseCommand('ID [--json]', { ID: option.argument }, async ({ ID: id }, { query }) => {
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
    { ID: option.optionalArgument, failed: option.flag },
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

function callLines(call: LenderCall): string[] {
  return [
    `${call.method} ${call.path}, ${call.direction === 'sent' ? 'sent to' : 'received from'} the lender`,
    `about ${call.subjectId}, attempt ${call.attempt}, started ${call.startedAt}, ${call.durationMs} ms`,
    call.failure === '' ? `succeeded with ${call.statusCode}` : `failed: ${call.failure}`,
  ];
}

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
