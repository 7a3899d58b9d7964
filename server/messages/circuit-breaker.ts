import { epochMs, type Instant, instantOf } from '../base/time.ts';

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

/** The circuits of the endpoints that have failed. */
export class CircuitBreakers {
  readonly #circuits = new Map<string, Circuit>();

  /** Counts an attempt. */
  count(endpoint: string, hasSucceeded: boolean, now: Instant): void {
    const circuit = circuitAfter(this.#circuits.get(endpoint), hasSucceeded, epochMs(now));
    if (circuit) this.#circuits.set(endpoint, circuit);
    else this.close(endpoint);
  }

  close(endpoint: string): void {
    this.#circuits.delete(endpoint);
  }

  /** Returns the endpoints whose circuit is open, with the time until which it is, and those whose circuit is half open. */
  broken(now: Instant): { postponedUntil: Map<string, Instant>; probed: Set<string> } {
    const postponedUntil = new Map<string, Instant>();
    const probed = new Set<string>();
    for (const [endpoint, circuit] of this.#circuits) {
      const state = circuitState(circuit, epochMs(now));
      if (state === 'open') postponedUntil.set(endpoint, instantOf(circuit.openUntilMs));
      if (state === 'half-open') probed.add(endpoint);
    }
    return { postponedUntil, probed };
  }
}
