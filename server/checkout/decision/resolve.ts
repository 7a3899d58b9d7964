import { UnknownOutcome } from '../../lenders/lender.ts';
import type { Instant } from '../../time.ts';
import type { CheckoutDeps } from '../deps.ts';
import { type Claimed, releaseRequest } from './await.ts';
import { storeDecision } from './decide.ts';

/** Looks up a decision that a request did not return, and stores it. */
export async function resolveDecision(deps: CheckoutDeps, { session, application }: Claimed, now: Instant): Promise<void> {
  const { program, purchase } = session;
  const requestId = application.request_id!;
  try {
    const answer = await deps.lender.decisionOf({ requestId, program, amountCents: purchase.totals.totalCents });
    if (answer === 'undecided') throw new UnknownOutcome('The lender has not decided yet.');
    await storeDecision(deps, application, requestId, answer, now);
  } catch (thrown) {
    await releaseRequest(deps.database, application, thrown, now);
    if (!(thrown instanceof UnknownOutcome)) throw thrown;
  }
}
