import { setTimeout as delay } from 'node:timers/promises';
import type { ApplicationRef } from '../../lending/applications/store.ts';
import type { Database } from '../../db/database.ts';
import { findResolved, hasException } from '../../lending/exceptions/store.ts';
import type { Instant } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { getSession } from '../session/load.ts';
import type { StartedSession } from '../session/session.ts';
import { type Asker, askWithLease, claimRequest } from './lease.ts';
import { isInProgress } from './lifecycle.ts';
import { pendingRequest } from './requests.ts';

/**
 * Asks the lender for the outcome that a checkout waits for, unless a request is in progress, and applies it. If a person has resolved it,
 * applies the resolution instead.
 *
 * @param asker - The job asks only when the request is due; a buyer who watches the waiting page asks two seconds after the last request.
 * @throws ServiceError `cart-not-found`
 */
export async function resolveWaiting(
  deps: CheckoutDeps,
  ref: ApplicationRef,
  now: Instant,
  asker: Asker = 'buyer',
): Promise<void> {
  const claimed = await claimRequest(deps.database, ref, asker, now);
  if (!claimed) return;
  const { application } = claimed;
  const kind = pendingRequest(application)!;
  // Saves the query for most buyers who watch the waiting page.
  const mayBeResolved = asker === 'job' || hasException(application);
  const resolved = mayBeResolved ? await findResolved(deps.database.query, application.id) : undefined;
  if (!resolved) {
    await askWithLease(deps, application, now, () => kind.ask(deps, claimed, now));
    return;
  }
  // A person's `retry` or `keep` closes the exception, so that it is not found here and the lender was asked above.
  const { resolution, denialReason } = resolved;
  const reasons = denialReason === null ? undefined : [denialReason];
  if (resolution !== null && resolution !== 'retry' && resolution !== 'keep')
    await kind.resolutions[resolution]?.(deps, application, reasons, now);
}

/** A buyer who submits twice waits this long for the outcome of the first request; then the page shows that it is pending. */
const MAX_WAIT_MS = 3_000;

/** Most lenders respond quickly, so polling starts fast. It slows down because many buyers may wait at the same time. */
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 500;

/** Waits until no request to a lender is in progress, at most three seconds, and returns the checkout. */
export async function awaitOutcome(database: Database, applicationId: string, now: Instant): Promise<StartedSession> {
  for (let waitedMs = 0, pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const session = await getSession(database.query, applicationId, now);
    const isWaiting = session.state === 'waiting' && isInProgress(session.application, now);
    if (!isWaiting || waitedMs >= MAX_WAIT_MS) return session;
    await delay(pauseMs);
    waitedMs += pauseMs;
  }
}
