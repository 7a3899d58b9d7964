import { setTimeout as delay } from 'node:timers/promises';
import type { LenderConfig } from '../../../base/config/lender.ts';
import type { ScorePolicy } from '../lender.ts';
import { type Case, cases } from './cases.ts';
import { Kit, type Received } from './kit.ts';

export interface CaseResult extends Omit<Case, 'run'>, Omit<Received, 'fault'> {
  /** The id of the first case with the same fault. */
  sameAs?: string | undefined;
  /** True if the lender did not respond to this case, nor to another request after it. */
  hasStopped?: true;
}

export interface CheckOptions {
  /** The cases to run; all by default. */
  only?: readonly string[] | undefined;
  /** Whether each decision needs a score, or states that none was used. Default: `not-used`. */
  scores?: ScorePolicy['creditScores'];
  /** Called after each case. */
  onResult?: (result: CaseResult) => void;
  /** Waits between requests for late responses. */
  wait?: (ms: number) => Promise<unknown>;
}

/**
 * Checks a lender's endpoint for test buyers by all cases, one after the other. Stops if the endpoint does not respond any more, because
 * each of the other cases would wait for its timeout.
 */
export async function checkLender(
  endpoint: LenderConfig,
  { only, scores = 'not-used', onResult = () => undefined, wait = (ms) => delay(ms) }: CheckOptions = {},
): Promise<CaseResult[]> {
  const kit = new Kit(endpoint, wait, { creditScores: scores });
  const results: CaseResult[] = [];
  const firstIds = new Map<string, string>();
  try {
    for (const { id, sent, expected, run } of cases) {
      if (only && !only.includes(id)) continue;
      const { passes, received, fault } = await run(kit);
      const sameAs = fault === undefined ? undefined : firstIds.get(fault);
      if (fault !== undefined && sameAs === undefined) firstIds.set(fault, id);
      const result: CaseResult = { id, sent, expected, received, passes, sameAs };
      if (!passes && received.startsWith('no response') && !(await kit.isResponding())) result.hasStopped = true;
      results.push(result);
      onResult(result);
      if (result.hasStopped) break;
    }
  } finally {
    await kit.close();
  }
  return results;
}

export const caseIds: readonly string[] = cases.map(({ id }) => id);

/** Returns the lines of a result: of a failed case also what was sent, and, unless another case had the same fault, expected and received. */
export function resultLines({ id, sent, expected, received, passes, sameAs, hasStopped }: CaseResult): string[] {
  if (passes) return [`passed  ${id}`];
  const stopped = hasStopped ? ['        stopped   since this case, the endpoint does not respond: the others are not run'] : [];
  if (sameAs !== undefined) return [`FAILED  ${id}, as ${sameAs}, with ${sent}`, ...stopped];
  return [
    `FAILED  ${id}`,
    `        sent      ${sent}`,
    `        expected  ${expected}`,
    `        received  ${received}`,
    ...stopped,
  ];
}

export function summaryLine(results: readonly CaseResult[]): string {
  const failed = results.filter(({ passes }) => !passes).length;
  const skipped = cases.length - results.length;
  return `${results.length - failed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} were not run` : ''}.`;
}
