/** When the outcome of a pending request to a lender is looked up: a decision, or the acceptance of a signed agreement. */
import { HOUR_MS, type Instant, plusMs } from '../../base/time.ts';
import { isDecisionPending } from './lifecycle.ts';
import type { Application } from './store.ts';

/** Lease of a request to a lender: no other process sends one until it expires. Longer than any attempt takes. */
const REQUEST_LEASE_MS = 90_000;

/** Time from a request without an outcome to the next one that a refresh of the waiting page sends. */
export const WATCHED_PAUSE_MS = 2_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Waits of the background job after the request, and after each attempt without an answer: about four days. Then a person decides. */
const WAITS_MS: readonly number[] = [
  2 * SECOND_MS,
  5 * SECOND_MS,
  10 * SECOND_MS,
  30 * SECOND_MS,
  MINUTE_MS,
  5 * MINUTE_MS,
  15 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  48 * HOUR_MS,
];

/** The attempts after which a lender that answers `undecided` is asked every hour, until it decides. */
const HOURLY_ATTEMPTS = WAITS_MS.indexOf(HOUR_MS);

type RequestColumns = Pick<Application, 'requestLeasedUntil' | 'requestDueAt' | 'requestAttempts'>;

/** The columns without a pending request. */
export const NOT_PENDING = { requestLeasedUntil: null, requestDueAt: null, requestAttempts: 0, warnAt: null } as const;

/** Returns the columns while a request is in progress. If the process crashes, the job continues after the lease. */
export function leased(now: Instant) {
  const until = plusMs(now, REQUEST_LEASE_MS);
  return { requestLeasedUntil: until, requestDueAt: until };
}

/** The end of an attempt without an outcome: the lender did not answer, it has not decided, or the service failed. */
export type NoOutcome = 'no-answer' | 'undecided' | 'error';

/**
 * Returns the columns after an attempt without an outcome. `requestDueAt` is null after the last attempt.
 *
 * @param random - From 0 to 1. Adds jitter of 10 %, so that a lender that recovers does not get all requests at once.
 */
export function paused({ requestAttempts }: RequestColumns, outcome: NoOutcome, now: Instant, random: number): RequestColumns {
  const attempts = outcome === 'undecided' ? Math.min(requestAttempts, HOURLY_ATTEMPTS) : requestAttempts;
  const waitMs = WAITS_MS[attempts];
  return {
    // After an error of the service, the buyer may continue at once.
    requestLeasedUntil: outcome === 'error' ? now : plusMs(now, WATCHED_PAUSE_MS),
    requestDueAt: waitMs === undefined ? null : plusMs(now, Math.round(waitMs * (0.9 + 0.2 * random))),
    requestAttempts: attempts,
  };
}

/** Returns true if the job does not look up the outcome any more, so that a person has to resolve it. */
export function hasGivenUp({ requestAttempts }: Pick<Application, 'requestAttempts'>): boolean {
  return requestAttempts >= WAITS_MS.length;
}

/** Returns true if an exception was raised about the pending request. */
export function hasException(application: Pick<Application, 'requestAttempts' | 'warnAt' | 'statusCode'>): boolean {
  return hasGivenUp(application) || (isDecisionPending(application) && application.warnAt === null);
}
