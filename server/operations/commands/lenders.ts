import { type CaseResult, caseIds, checkLender, resultLines, summaryLine } from '../../lending/lenders/check/check.ts';
import { findCall, type LenderCall, listCalls } from '../../lending/lenders/store.ts';
import {
  argument,
  command,
  type Command,
  databaseCommand,
  flag,
  list,
  printResult,
  tableLines,
  text,
  UsageError,
} from './command.ts';
import { startOfUtcDay } from '../../base/time.ts';
import { DEFAULT_LIMIT, LIST_OPTIONS, LIST_USAGE } from './list.ts';

/** Commands for the lender: the conformance kit, and the calls to and from the lender. */
export const lenderCommands: Record<string, Command> = {
  'lender check': {
    ...command(
      'URL [--case ID ...] [--json]',
      { URL: argument, case: list, json: flag },
      async ({ URL: url, case: only, json }, context) => {
        const unknown = only.find((id) => !caseIds.includes(id));
        if (unknown !== undefined)
          throw new UsageError(`--case: expected one of ${caseIds.join(', ')}, but received "${unknown}"`);
        const printLines = (result: CaseResult) => resultLines(result).forEach(context.print);
        const results = await checkLender(context.lenderAt(url), {
          only: only.length > 0 ? only : undefined,
          ...(!json && { onResult: printLines }),
        });
        printResult(context, json, { cases: results }, [summaryLine(results)]);
        return results.every(({ passes }) => passes) ? 0 : 1;
      },
    ),
    help: [
      'Sends requests of test buyers to a lender, and reports each response that is not the documented one.',
      'LENDER_SECRET is the secret of the lender, or two separated by a comma. Takes half a minute, because two test buyers are late.',
    ],
  },

  'lender-calls list': databaseCommand(
    `[--id ID] [--failed] ${LIST_USAGE}`,
    { id: text, failed: flag, ...LIST_OPTIONS },
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

  'lender-calls show': databaseCommand('ID [--json]', { ID: argument }, async ({ ID: id }, { query }) => {
    const call = await findCall(query, id);
    if (!call) throw new Error(`ID: expected the id of a call, but received "${id}"`);
    return { value: call, lines: showLines(call) };
  }),
};

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
