import { ServiceError } from '../../base/errors.ts';
import { HOUR_MS, type Instant, plusMs } from '../../base/time.ts';
import type { Application } from '../../lending/applications/store.ts';
import type { MAX_ATTEMPTS } from '../../lending/exceptions/store.ts';
import { DUE_NOW } from '../../messages/outbox.ts';

/** Lease of a request to a lender: no other process sends one until it expires. Longer than any attempt takes. */
const REQUEST_LEASE_MS = 90_000;

/** Time from a request without an outcome to the next one that a refresh of the waiting page sends. */
const WATCHED_PAUSE_MS = 2_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Waits of the background job after the request, and after each attempt without an answer: about four days. Then a person decides. */
const WAITS_MS = [
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
] as const satisfies { length: typeof MAX_ATTEMPTS };

/** The attempts after which a lender that answers `undecided` is asked every hour, until it decides. */
const HOURLY_ATTEMPTS = WAITS_MS.indexOf(HOUR_MS);

/** The columns of the request of an application. */
export type RequestColumns = Pick<Application, 'requestLeasedUntil' | 'requestDueAt' | 'requestAttempts'>;

/**
 * State of a request. `sent`: a process waits for the response; `due`: it has no outcome, and the job asks for it at `requestDueAt`;
 * `given-up`: the job does not ask any more, and a person has to resolve the exception; `resolved`: the job applies the resolution.
 */
export type RequestState = 'none' | 'sent' | 'due' | 'given-up' | 'resolved';

interface Transition {
  from: readonly RequestState[];
  to: RequestState;
}

/**
 * Allowed transitions of a request to the lender: for a decision, or to accept a signed agreement. Any other throws.
 *
 *   none ──send──▶ sent ──pause──▶ due ────────────────────────────┐
 *                   ▲ └──giveUp──▶ given-up ───────────────────────┤
 *                   │   sent, due, given-up ──resolve──▶ resolved ─┤
 *                   └──────────────── sendAgain ───────────────────┘
 *
 *   any state ──end──▶ none: the columns are `NO_LENDER_REQUEST` with the outcome, or when the application ends
 *
 * A request whose process stops is due when its lease ends. A buyer who refreshes the waiting page also sends one again that was given up.
 */
export const requestTransitions = {
  send: { from: ['none'], to: 'sent' },
  sendAgain: { from: ['due', 'given-up', 'resolved'], to: 'sent' },
  pause: { from: ['sent'], to: 'due' },
  giveUp: { from: ['sent'], to: 'given-up' },
  resolve: { from: ['sent', 'due', 'given-up', 'resolved'], to: 'resolved' },
  end: { from: ['none', 'sent', 'due', 'given-up', 'resolved'], to: 'none' },
} as const satisfies Record<string, Transition>;

export function requestState({ requestLeasedUntil, requestDueAt }: RequestColumns, now: Instant): RequestState {
  if (requestLeasedUntil === null) return 'none';
  if (requestDueAt === DUE_NOW) return 'resolved';
  if (isInProgress({ requestLeasedUntil }, now)) return 'sent';
  return requestDueAt === null ? 'given-up' : 'due';
}

/** Returns true during a request; false during the pause before the next one. */
export function isInProgress({ requestLeasedUntil: until }: Pick<RequestColumns, 'requestLeasedUntil'>, now: Instant): boolean {
  return until !== null && until > plusMs(now, WATCHED_PAUSE_MS);
}

/**
 * Returns the columns when a request is sent. If the process stops, the job continues after the lease.
 *
 * @param attempts - When it is sent again: the attempts of the job, with this one. Those of a buyer, who can watch for hours, do not count.
 */
export function sent(application: RequestColumns, now: Instant, attempts?: number): RequestColumns {
  const until = plusMs(now, REQUEST_LEASE_MS);
  const columns = { requestLeasedUntil: until, requestDueAt: until, requestAttempts: attempts ?? 0 };
  return after(attempts === undefined ? 'send' : 'sendAgain', application, columns, now);
}

/** The end of an attempt without an outcome: the lender did not answer, it has not decided, or the service failed. */
export type NoOutcome = 'no-answer' | 'undecided' | 'error';

/**
 * Returns the columns after an attempt without an outcome. Those of a request that a person has resolved meanwhile keep its due time.
 *
 * @param now    - The time of the request.
 * @param random - From 0 to 1. Adds jitter of 10 %, so that a lender that recovers does not get all requests at once.
 */
export function paused(application: RequestColumns, outcome: NoOutcome, now: Instant, random: number): Partial<RequestColumns> {
  // After an error of the service, the buyer may continue at once.
  const requestLeasedUntil = outcome === 'error' ? now : plusMs(now, WATCHED_PAUSE_MS);
  if (requestState(application, now) === 'resolved') return { requestLeasedUntil };
  const attempts = application.requestAttempts;
  const requestAttempts = outcome === 'undecided' ? Math.min(attempts, HOURLY_ATTEMPTS) : attempts;
  const waitMs = WAITS_MS[requestAttempts];
  const requestDueAt = waitMs === undefined ? null : plusMs(now, Math.round(waitMs * (0.9 + 0.2 * random)));
  const columns = { requestLeasedUntil, requestDueAt, requestAttempts };
  return after(requestDueAt === null ? 'giveUp' : 'pause', application, columns, now);
}

/**
 * Returns the columns after a person has resolved the exception.
 *
 * @param isRetry - Whether the lender is asked again, from the shortest wait.
 */
export function resolved(application: RequestColumns, isRetry: boolean, now: Instant): RequestColumns {
  const { requestLeasedUntil, requestAttempts } = application;
  const columns = { requestLeasedUntil, requestDueAt: DUE_NOW, requestAttempts: isRetry ? 0 : requestAttempts };
  return after('resolve', application, columns, now);
}

/** Returns the columns after a transition. @throws ServiceError `wrong-state` - the transition is not in the table. */
function after(
  name: keyof typeof requestTransitions,
  application: RequestColumns,
  columns: RequestColumns,
  now: Instant,
): RequestColumns {
  const { from, to }: Transition = requestTransitions[name];
  const states = [requestState(application, now), requestState(columns, now)] as const;
  if (from.includes(states[0]) && states[1] === to) return columns;
  throw new ServiceError(
    'wrong-state',
    `Cannot ${name} a request to the lender that is ${states[0]}, and would be ${states[1]}.`,
  );
}
