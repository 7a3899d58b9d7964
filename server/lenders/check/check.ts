import { setTimeout as delay } from 'node:timers/promises';
import type { LenderConfig } from '../../config/lender.ts';
import { cases } from './cases.ts';
import { Kit } from './kit.ts';
import { createProbe } from './probe.ts';

/** The result of a case. */
export interface CaseResult {
  id: string;
  sent: string;
  expected: string;
  received: string;
  passes: boolean;
}

export interface CheckOptions {
  /** The cases to run; all by default. */
  only?: readonly string[] | undefined;
  /** Called after each case. */
  onResult?: (result: CaseResult) => void;
  /** Waits between requests for late responses. */
  wait?: (ms: number) => Promise<unknown>;
}

/**
 * Checks a lender's endpoint for test buyers by all cases, one after the other. Stops after the first case if there is no response, because
 * each of the others would wait for its timeout.
 */
export async function checkLender(
  endpoint: LenderConfig,
  { only, onResult = () => undefined, wait = (ms) => delay(ms) }: CheckOptions = {},
): Promise<CaseResult[]> {
  const probe = createProbe(endpoint);
  const kit = new Kit(probe, { secrets: endpoint.secrets, wait });
  const results: CaseResult[] = [];
  try {
    for (const { id, sent, expected, run } of cases) {
      if (only && !only.includes(id)) continue;
      const { passes, received } = await run(kit);
      const result = { id, sent, expected, received, passes };
      results.push(result);
      onResult(result);
      if (id === cases[0]?.id && !passes && received.startsWith('no response')) break;
    }
  } finally {
    await probe.close();
  }
  return results;
}

/** The ids of all cases. */
export const caseIds: readonly string[] = cases.map(({ id }) => id);

/** Returns the lines of a result: of a failed case also what was sent, expected and received. */
export function resultLines({ id, sent, expected, received, passes }: CaseResult): string[] {
  if (passes) return [`passed  ${id}`];
  return [`FAILED  ${id}`, `        sent      ${sent}`, `        expected  ${expected}`, `        received  ${received}`];
}

export function summaryLine(results: readonly CaseResult[]): string {
  const failed = results.filter(({ passes }) => !passes).length;
  const skipped = cases.length - results.length;
  return `${results.length - failed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} were not run` : ''}.`;
}
