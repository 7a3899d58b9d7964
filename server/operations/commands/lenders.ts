import { type CaseResult, caseIds, checkLender, resultLines, summaryLine } from '../../lending/lenders/check/check.ts';
import { findCall, type LenderCall, listCalls } from '../../lending/lenders/store.ts';
import {
  type Column,
  command,
  type Command,
  commandOn,
  flag,
  list,
  printResult,
  text,
  UsageError,
  withDatabase,
} from './command.ts';
import { LIST_OPTIONS, LIST_USAGE, printList } from './list.ts';

/** Commands for the lender: the conformance kit, and the calls to and from the lender. */
export const lenderCommands: Record<string, Command> = {
  'lender check': {
    ...commandOn('URL [--case ID ...] [--json]', 'URL', { case: list, json: flag }, async (url, values, context) => {
      const unknown = values.case.find((id) => !caseIds.includes(id));
      if (unknown !== undefined) throw new UsageError(`--case: expected one of ${caseIds.join(', ')}, but received "${unknown}"`);
      const printLines = (result: CaseResult) => resultLines(result).forEach(context.print);
      const results = await checkLender(context.lenderAt(url), {
        only: values.case.length > 0 ? values.case : undefined,
        ...(!values.json && { onResult: printLines }),
      });
      printResult(context, values.json, { cases: results }, [summaryLine(results)]);
      return results.every(({ passes }) => passes) ? 0 : 1;
    }),
    help: [
      'Sends requests of test buyers to a lender, and reports each response that is not the documented one.',
      'LENDER_SECRET is the secret of the lender, or two separated by a comma. Takes half a minute, because two test buyers are late.',
    ],
  },

  'lender-calls list': command(
    `[--id ID] [--failed] ${LIST_USAGE}`,
    { id: text, failed: flag, ...LIST_OPTIONS },
    (values, context) =>
      printList(context, values, {
        name: 'calls',
        columns: COLUMNS,
        read: (query, { since, limit }) => listCalls(query, { subjectId: values.id, onlyFailed: values.failed, since, limit }),
      }),
  ),

  'lender-calls show': commandOn('ID [--json]', 'ID', { json: flag }, async (id, values, context) => {
    const call = await withDatabase(context, ({ query }) => findCall(query, id));
    if (!call) throw new Error(`ID: expected the id of a call, but received "${id}"`);
    printResult(context, values.json, call, showLines(call));
  }),
};

const COLUMNS: readonly Column<LenderCall>[] = [
  ['id', ({ id }) => id],
  ['started', ({ startedAt }) => startedAt.slice(0, 19)],
  ['', ({ direction }) => direction],
  ['call', ({ method, path }) => `${method} ${path}`],
  ['about', ({ subjectId }) => subjectId],
  ['ms', ({ durationMs }) => String(durationMs), 'number'],
  ['status', ({ statusCode }) => String(statusCode ?? '')],
  ['failure', ({ failure }) => failure],
];

function showLines({
  direction,
  method,
  path,
  subjectId,
  attempt,
  startedAt,
  durationMs,
  statusCode,
  failure,
}: LenderCall): string[] {
  return [
    `${method} ${path}, ${direction === 'sent' ? 'sent to' : 'received from'} the lender`,
    `about ${subjectId}, attempt ${attempt}, started ${startedAt}, ${durationMs} ms`,
    failure === '' ? `succeeded with ${statusCode}` : `failed: ${failure}`,
  ];
}
