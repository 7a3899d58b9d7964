import type { Instant } from '../../time.ts';
import { claimRequest } from '../decision/await.ts';
import { resolveDecision } from '../decision/resolve.ts';
import type { CheckoutDeps } from '../deps.ts';
import type { ApplicationName } from '../session/load.ts';
import { finishSigned } from './sign.ts';

/**
 * Asks the lender about a checkout that waits for it, unless a request is in progress: for the decision about the application, or
 * whether the signed loan is accepted.
 *
 * @throws ServiceError `cart-not-found`
 */
export async function resolveWaiting(deps: CheckoutDeps, name: ApplicationName, now: Instant): Promise<void> {
  const claimed = await claimRequest(deps.database, name, now);
  if (!claimed) return;
  if (claimed.application.status === 'ATTEMPTED_CHECKOUT') await finishSigned(deps, claimed.application, now);
  else await resolveDecision(deps, claimed, now);
}
