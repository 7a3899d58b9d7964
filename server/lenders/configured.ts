import type { LenderConfig } from '../config/lender.ts';
import type { Mode } from '../mode.ts';
import type { Clock } from '../time.ts';
import { createExchange, type Trouble } from './exchange.ts';
import type { Lender } from './lender.ts';
import { noLender } from './no-lender.ts';
import { remoteLender } from './remote-lender.ts';
import { rulesLender } from './rules-lender.ts';
import { sandboxLender } from './sandbox-lender.ts';
import { scoreService } from './score-service.ts';
import { strictLender } from './strict-lender.ts';

export interface LenderParts {
  /** What signatures are dated by. */
  realClock: Clock;
  /** The service's own, which a sandbox may move. */
  clock: Clock;
  /** Hears of every attempt to ask that failed. */
  report(trouble: Trouble): void;
}

/** Returns the configured lender with strict validation of responses. Defaults to test buyers in the sandbox, `noLender` in live mode. */
export function lenderOf(
  { mode, lender }: { mode: Mode; lender?: LenderConfig | undefined },
  { realClock, clock, report }: LenderParts,
): { lender: Lender; close(): Promise<void> } {
  if (!lender) return { lender: strictLender(mode === 'live' ? noLender : sandboxLender()), close: async () => undefined };
  const exchange = createExchange(lender.endpoint, realClock, report);
  const asked = lender.kind === 'remote' ? remoteLender(exchange) : rulesLender(scoreService(exchange), clock, lender);
  return { lender: strictLender(asked), close: exchange.close };
}
