import { setTimeout as delay } from 'node:timers/promises';
import { isDecisionPending } from '../../lending/applications/lifecycle.ts';
import { hasGivenUp, leased, type NoOutcome, paused, WATCHED_PAUSE_MS } from '../../lending/applications/request.ts';
import { type Application, findApplication, saveApplication } from '../../lending/applications/store.ts';
import { lockCartById } from '../../purchases/carts/store.ts';
import type { Database } from '../../db/database.ts';
import { isConflict } from '../../base/errors.ts';
import { closeExceptions, findResolved } from '../../lending/exceptions/store.ts';
import { newId } from '../../base/ids.ts';
import { UnknownOutcomeError } from '../../lending/lenders/lender.ts';
import { type Instant, plusMs } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { type ApplicationRef, getSession, lockSession } from '../session/load.ts';
import { raiseException } from './raise-exception.ts';
import type { CompletedSession, Session, StartedSession } from '../session/session.ts';

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
  return state === 'waiting' && until !== null && until > plusMs(now, WATCHED_PAUSE_MS);
}

/** A checkout whose lease this process has taken. */
export interface Claimed {
  session: Session;
  application: Application;
}

/** The one that looks up the outcome of a request: a buyer who watches the waiting page, or the background job. */
export type Asker = 'buyer' | 'job';

/**
 * Takes the lease of a checkout that waits for a lender. Undefined if it does not wait, if another process has the lease, or if the job
 * is not due and no person has resolved an exception. Only attempts of the job are counted, because a buyer can watch for hours.
 */
export function claimRequest(database: Database, ref: ApplicationRef, asker: Asker, now: Instant): Promise<Claimed | undefined> {
  return database.write(async (tx) => {
    const session = await lockSession(tx, ref, now);
    const { application } = session;
    const { requestLeasedUntil, requestDueAt, requestAttempts } = application;
    if (!isWaitingForLender(application) || requestLeasedUntil === null || requestLeasedUntil > now) return undefined;
    const isByJob = asker === 'job';
    const isDue = requestDueAt !== null && requestDueAt <= now;
    if (isByJob && !isDue && !(await findResolved(tx, application.id))) return undefined;
    const changes = { ...leased(now), requestAttempts: requestAttempts + (isByJob ? 1 : 0) };
    return { session, application: await saveApplication(tx, application, changes) };
  });
}

/** Returns true while a decision, or the acceptance of a signed agreement, is unknown. */
export function isWaitingForLender(application: Pick<Application, 'status' | 'statusCode'>): boolean {
  return application.status === 'ATTEMPTED_CHECKOUT' || isDecisionPending(application);
}

/**
 * Ends the lease of a request without an outcome: at once after an error, otherwise after a pause. A lease that another request has taken
 * since is not changed. After the last attempt of the job, a person has to resolve the exception that this raises. If a person has resolved
 * one while the request was in progress, its due time and number of attempts stay.
 *
 * @param requested - The application as it was saved with the lease.
 * @param cause - `undecided`, or what the request has thrown.
 */
export async function releaseRequest(
  { database, mail, onException }: Pick<CheckoutDeps, 'database' | 'mail' | 'onException'>,
  requested: Application,
  cause: unknown,
  now: Instant,
): Promise<void> {
  const { id, cartId, requestLeasedUntil, requestDueAt, requestAttempts } = requested;
  const outcome: NoOutcome = cause === 'undecided' ? cause : cause instanceof UnknownOutcomeError ? 'no-answer' : 'error';
  const exceptionId = newId();
  const released = database.write(async (tx) => {
    await lockCartById(tx, cartId);
    const application = await findApplication(tx, id);
    if (requestLeasedUntil === null || application?.requestLeasedUntil !== requestLeasedUntil) return undefined;
    const pause = paused(application, outcome, now, Math.random());
    const isResolved = application.requestDueAt !== requestDueAt || application.requestAttempts !== requestAttempts;
    const changes = isResolved ? { requestLeasedUntil: pause.requestLeasedUntil } : pause;
    const saved = await saveApplication(tx, application, changes);
    const kind = saved.status === 'ATTEMPTED_CHECKOUT' ? 'agreement' : 'decision';
    if (hasGivenUp(application) && !hasGivenUp(saved)) await closeExceptions(tx, id, now, 'decision');
    if (!hasGivenUp(saved)) return undefined;
    return raiseException(tx, saved, { id: exceptionId, kind, now }, mail);
  });
  const raised = await released.catch((lost: unknown) => {
    // The error of the request matters more, and the lease expires.
    if (!isConflict(lost)) throw lost;
    return undefined;
  });
  if (raised) onException(raised);
}
