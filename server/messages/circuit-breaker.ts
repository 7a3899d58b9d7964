/**
 * The circuit breaker of an endpoint that fails. It is open, so that deliveries wait without an attempt, for a growing time after several
 * failures in a row, and then half open: one attempt at a time, until one succeeds.
 *
 *   closed ──5 failures──▶ open ──its time has passed──▶ half open ──success──▶ closed
 *                           ▲───────────failure──────────────┘
 */
export interface Circuit {
  /** Failures in a row, without those of attempts that began before it opened. */
  failures: number;
  /** Time until which it is open, in milliseconds since 1970. */
  openUntilMs: number;
}

export type CircuitState = 'closed' | 'open' | 'half-open';

/** Failures in a row that open a circuit. */
const MAX_FAILURES = 5;

const FIRST_OPEN_MS = 30_000;

/** The rest of a merchant's events must not wait much longer than its server needs to recover. */
export const MAX_OPEN_MS = 600_000;

export function circuitState({ failures, openUntilMs }: Circuit, nowMs: number): CircuitState {
  if (failures < MAX_FAILURES) return 'closed';
  return nowMs < openUntilMs ? 'open' : 'half-open';
}

/** Returns the circuit after an attempt; undefined if the endpoint has no failures. */
export function circuitAfter(circuit: Circuit | undefined, hasSucceeded: boolean, nowMs: number): Circuit | undefined {
  if (hasSucceeded) return undefined;
  if (circuit && circuitState(circuit, nowMs) === 'open') return circuit;
  const failures = (circuit?.failures ?? 0) + 1;
  if (failures < MAX_FAILURES) return { failures, openUntilMs: 0 };
  return { failures, openUntilMs: nowMs + Math.min(FIRST_OPEN_MS * 2 ** (failures - MAX_FAILURES), MAX_OPEN_MS) };
}
