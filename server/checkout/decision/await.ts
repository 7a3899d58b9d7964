import { setTimeout as delay } from 'node:timers/promises';
import { isDecisionPending } from '../../applications/lifecycle.ts';
import { type Application, findApplication, saveApplication } from '../../applications/store.ts';
import { lockCartById } from '../../carts/store.ts';
import type { Database } from '../../db/database.ts';
import { isConflict } from '../../errors.ts';
import { UnknownOutcomeError } from '../../lenders/lender.ts';
import { type Instant, plusMs } from '../../time.ts';
import { type ApplicationRef, getSession, lockSession } from '../session/load.ts';
import type { CompletedSession, Session, StartedSession } from '../session/session.ts';

/** Lease of a request to a lender: no other process sends one until it expires. Longer than any attempt takes. */
export const REQUEST_LEASE_MS = 90_000;

/** Time from a request without an outcome to the next request to the lender, which a refresh of the waiting page sends. */
const RETRY_PAUSE_MS = 2_000;

/** A buyer who submits twice waits this long for the outcome of the first request; then the page shows that it is pending. */
const MAX_WAIT_MS = 3_000;

/** Most lenders respond quickly, so polling starts fast. It slows down because many buyers may wait at the same time. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;

/** Waits until no request to a lender is in progress, at most three seconds, and returns the checkout. */
export async function awaitDecision(
  database: Database,
  applicationId: string,
  now: Instant,
): Promise<StartedSession | CompletedSession> {
  for (let waitedMs = 0, pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const session = await getSession(database.query, applicationId, now);
    if (!isRequestInProgress(session, now) || waitedMs >= MAX_WAIT_MS) return session;
    await delay(pauseMs);
    waitedMs += pauseMs;
  }
}

/** Returns true during a request; false during the pause before the next one. */
function isRequestInProgress(
  { state, application: { requestLeasedUntil: until } }: StartedSession | CompletedSession,
  now: Instant,
): boolean {
  return state === 'waiting' && until !== null && until > plusMs(now, RETRY_PAUSE_MS);
}

/** A checkout whose lease this process has taken. */
export interface Claimed {
  session: Session;
  application: Application;
}

/** Takes the lease of a checkout that waits for a lender. Undefined if it does not wait, or if another process has the lease. */
export function claimRequest(database: Database, ref: ApplicationRef, now: Instant): Promise<Claimed | undefined> {
  return database.write(async (tx) => {
    const session = await lockSession(tx, ref, now);
    const { application } = session;
    const isWaiting = application.status === 'ATTEMPTED_CHECKOUT' || isDecisionPending(application);
    if (!isWaiting || application.requestLeasedUntil === null || application.requestLeasedUntil > now) return undefined;
    return {
      session,
      application: await saveApplication(tx, application, { requestLeasedUntil: plusMs(now, REQUEST_LEASE_MS) }),
    };
  });
}

/**
 * Ends the lease of a request without an outcome: at once after an error, after a pause if the outcome is unknown. A lease that another
 * request has taken since is not changed.
 *
 * @param requested - The application as it was saved with the lease.
 */
export async function releaseRequest(database: Database, requested: Application, thrown: unknown, now: Instant): Promise<void> {
  const { id, cartId, requestLeasedUntil } = requested;
  const from = thrown instanceof UnknownOutcomeError ? plusMs(now, RETRY_PAUSE_MS) : now;
  const released = database.write(async (tx) => {
    await lockCartById(tx, cartId);
    const application = await findApplication(tx, id);
    if (requestLeasedUntil === null || application?.requestLeasedUntil !== requestLeasedUntil) return;
    await saveApplication(tx, application, { requestLeasedUntil: from });
  });
  await released.catch((lost: unknown) => {
    // The error of the request matters more, and the lease expires.
    if (!isConflict(lost)) throw lost;
  });
}
