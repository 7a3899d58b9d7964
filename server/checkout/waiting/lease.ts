import { type ApplicationRef, type Application, findApplication, saveApplication } from '../../lending/applications/store.ts';
import { lockCartById } from '../../purchases/carts/store.ts';
import type { Database } from '../../db/database.ts';
import { isConflict } from '../../base/errors.ts';
import { closeExceptions, findResolved, hasGivenUp } from '../../lending/exceptions/store.ts';
import { newId } from '../../base/ids.ts';
import { isDecided } from '../../lending/applications/lifecycle.ts';
import { type InvalidResponse, UnknownOutcomeError } from '../../lending/lenders/lender.ts';
import type { Instant } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { lockSession } from '../session/load.ts';
import { raiseException } from '../decision/raise-exception.ts';
import { recordInvalid } from './exceptions.ts';
import { type NoOutcome, paused, requestState, sent } from './lifecycle.ts';
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
    await releaseLease(deps, leased, { outcome: 'undecided' }, now);
    return undefined;
  } catch (thrown) {
    const isUnknown = thrown instanceof UnknownOutcomeError;
    await releaseLease(deps, leased, isUnknown ? { outcome: 'no-answer', invalid: thrown.invalid } : { outcome: 'error' }, now);
    if (isUnknown) return undefined;
    throw thrown;
  }
}

/** The end of an attempt, with the response if it is invalid. */
interface AttemptEnd {
  outcome: NoOutcome;
  invalid?: InvalidResponse | undefined;
}

/**
 * Ends the lease of a request without an outcome: at once after an error, otherwise after a pause. A lease that another request has taken
 * since is not changed. After an invalid response, and after the last attempt of the job, a person has to resolve the exception that this raises.
 */
async function releaseLease(
  { database, mail, onException }: LeaseDeps,
  { id, cartId, requestLeasedUntil }: Application,
  { outcome, invalid }: AttemptEnd,
  now: Instant,
): Promise<void> {
  const exceptionId = newId();
  const randomFraction = Math.random();
  const released = database.write(async (tx) => {
    await lockCartById(tx, cartId);
    const application = await findApplication(tx, id);
    if (requestLeasedUntil === null || application?.requestLeasedUntil !== requestLeasedUntil) return undefined;
    const isUndecided = outcome === 'undecided' && !isDecided(application) && requestState(application, now) !== 'resolved';
    const changes = { ...paused(application, outcome, now, randomFraction), ...(isUndecided && { invalidOutcome: null }) };
    const saved = await saveApplication(tx, application, changes);
    // The lender has answered that it has not decided, so that no person has to resolve its silence or its invalid response any more.
    if (isUndecided && (hasGivenUp(application) || application.invalidOutcome !== null)) {
      await closeExceptions(tx, id, now, 'decision');
    }
    if (invalid) return recordInvalid(tx, saved, invalid, { id: exceptionId, now }, mail);
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
