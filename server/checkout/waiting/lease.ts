import { type ApplicationRef, type Application, findApplication, saveApplication } from '../../lending/applications/store.ts';
import { lockCartById } from '../../purchases/carts/store.ts';
import type { Database } from '../../db/database.ts';
import { isConflict } from '../../base/errors.ts';
import { closeExceptions, findResolved, hasGivenUp } from '../../lending/exceptions/store.ts';
import { newId } from '../../base/ids.ts';
import { UnknownOutcomeError } from '../../lending/lenders/lender.ts';
import type { Instant } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { lockSession } from '../session/load.ts';
import { raiseException } from './exceptions.ts';
import { type NoOutcome, paused, sent } from './lifecycle.ts';
import { type LeasedCheckout, pendingRequest } from './requests.ts';

/** The one that looks up the outcome of a request: a buyer who watches the waiting page, or the background job. */
export type Asker = 'buyer' | 'job';

/**
 * Takes the lease of a checkout that waits for a lender. Undefined if it does not wait, if another process has the lease, or if the job
 * is not due and no person has resolved an exception.
 */
export function claimRequest(
  database: Database,
  ref: ApplicationRef,
  asker: Asker,
  now: Instant,
): Promise<LeasedCheckout | undefined> {
  return database.write(async (tx) => {
    const session = await lockSession(tx, ref, now);
    const { application } = session;
    const { requestLeasedUntil, requestDueAt, requestAttempts } = application;
    if (!pendingRequest(application) || requestLeasedUntil === null || requestLeasedUntil > now) return undefined;
    const isByJob = asker === 'job';
    const isDue = requestDueAt !== null && requestDueAt <= now;
    if (isByJob && !isDue && !(await findResolved(tx, application.id))) return undefined;
    // A buyer may refresh the page for hours, so that only attempts of the job count.
    const attempts = requestAttempts + (isByJob ? 1 : 0);
    return { ...session, application: await saveApplication(tx, application, sent(application, now, attempts)) };
  });
}

type LeaseDeps = Pick<CheckoutDeps, 'database' | 'mail' | 'onException'>;

/**
 * Sends a request under a lease of this process, and applies the outcome. Without an outcome, ends the lease.
 *
 * @param leased - The application as it was saved with the lease.
 * @param ask    - Sends the request, and applies the outcome.
 * @returns The result of `ask`; undefined while the outcome is unknown.
 */
export async function askWithLease<Result>(
  deps: LeaseDeps,
  leased: Application,
  now: Instant,
  ask: () => Promise<Result | 'undecided'>,
): Promise<Result | undefined> {
  try {
    const result = await ask();
    if (result !== 'undecided') return result;
    await releaseLease(deps, leased, 'undecided', now);
    return undefined;
  } catch (thrown) {
    const isUnknown = thrown instanceof UnknownOutcomeError;
    await releaseLease(deps, leased, isUnknown ? 'no-answer' : 'error', now);
    if (isUnknown) return undefined;
    throw thrown;
  }
}

/**
 * Ends the lease of a request without an outcome: at once after an error, otherwise after a pause. A lease that another request has taken
 * since is not changed. After the last attempt of the job, a person has to resolve the exception that this raises.
 */
async function releaseLease(
  { database, mail, onException }: LeaseDeps,
  { id, cartId, requestLeasedUntil }: Application,
  outcome: NoOutcome,
  now: Instant,
): Promise<void> {
  const exceptionId = newId();
  const randomFraction = Math.random();
  const released = database.write(async (tx) => {
    await lockCartById(tx, cartId);
    const application = await findApplication(tx, id);
    if (requestLeasedUntil === null || application?.requestLeasedUntil !== requestLeasedUntil) return undefined;
    const saved = await saveApplication(tx, application, paused(application, outcome, now, randomFraction));
    // The lender has answered that it has not decided, so that no person has to resolve its silence any more.
    if (hasGivenUp(application) && !hasGivenUp(saved)) await closeExceptions(tx, id, now, 'decision');
    const kind = pendingRequest(saved)?.exception;
    if (!hasGivenUp(saved) || !kind) return undefined;
    return raiseException(tx, saved, { id: exceptionId, kind, now }, mail);
  });
  const raised = await released.catch((lost: unknown) => {
    // The error of the request matters more, and the lease expires.
    if (!isConflict(lost)) throw lost;
    return undefined;
  });
  if (raised) onException(raised);
}
