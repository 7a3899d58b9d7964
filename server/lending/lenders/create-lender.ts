import type { LenderConfig } from '../../base/config/lender.ts';
import type { Mode } from '../../base/mode.ts';
import type { Clock } from '../../base/time.ts';
import type { Lender } from './lender.ts';
import { remoteLender } from './remote-lender.ts';
import { sandboxLender } from './sandbox-lender.ts';
import { type Attempt, createSignedClient } from './signed-client.ts';

export interface LenderDeps {
  /** Clock for signatures. */
  realClock: Clock;
  /** Clock for decisions. The sandbox's clock can be set. */
  clock: Clock;
  onAttempt(attempt: Attempt): void;
}

/**
 * Creates the configured lender. By default, the sandbox has a lender with test buyers.
 *
 * @throws Error - a live service has no lender; `readServiceConfig` checks this before.
 */
export function createLender(
  { mode, lender }: { mode: Mode; lender?: LenderConfig | undefined },
  { realClock, clock, onAttempt }: LenderDeps,
): { lender: Lender; close(): Promise<void> } {
  if (!lender) {
    if (mode === 'live') throw new Error('LENDER_URL: expected a lender for a live service');
    return { lender: sandboxLender(clock), close: async () => undefined };
  }
  const client = createSignedClient(lender, realClock, onAttempt);
  return { lender: remoteLender(client, mode), close: client.close };
}
