import type { LenderConfig } from '../config/lender.ts';
import { ServiceError } from '../errors.ts';
import type { Mode } from '../mode.ts';
import type { Clock } from '../time.ts';
import { type Lender, UnknownOutcomeError } from './lender.ts';
import { remoteLender } from './remote-lender.ts';
import { validatingLender } from './responses.ts';
import { sandboxLender } from './sandbox-lender.ts';
import { type Attempt, createSignedClient } from './signed-client.ts';

export interface LenderDeps {
  /** Clock for signatures. */
  realClock: Clock;
  /** Clock for decisions. The sandbox's clock can be set. */
  clock: Clock;
  onAttempt(attempt: Attempt): void;
}

/** Creates the configured lender. By default, the sandbox has a lender with test buyers, and a live service has no lender. */
export function createLender(
  { mode, lender }: { mode: Mode; lender?: LenderConfig | undefined },
  { realClock, clock, onAttempt }: LenderDeps,
): { lender: Lender; close(): Promise<void> } {
  if (!lender) {
    return { lender: validatingLender(mode === 'live' ? noLender : sandboxLender(clock), mode), close: async () => undefined };
  }
  const client = createSignedClient(lender, realClock, onAttempt);
  return { lender: validatingLender(remoteLender(client, mode), mode), close: client.close };
}

/** The lender of a live service without configuration. It makes no decisions. */
export const noLender: Lender = {
  decide: () => Promise.reject(new ServiceError('lender-unavailable', 'No lender is available at the moment.')),
  decisionOf: () => Promise.reject(new UnknownOutcomeError('No lender is configured.')),
  accept: () => Promise.reject(new UnknownOutcomeError('No lender is configured.')),
  record: () => Promise.reject(new UnknownOutcomeError('No lender is configured.')),
};
