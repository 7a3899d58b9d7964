import { describe, expect, it } from 'vitest';
import { type Instant, plusDays, plusMs } from '../../../../server/base/time.ts';
import { MAX_ATTEMPTS } from '../../../../server/lending/exceptions/store.ts';
import { NO_LENDER_REQUEST } from '../../../../server/lending/applications/lifecycle.ts';
import {
  paused,
  type RequestColumns,
  type RequestState,
  requestState,
  requestTransitions,
  resolved,
  sent,
} from '../../../../server/checkout/waiting/lifecycle.ts';

const now: Instant = '2026-11-21T12:00:00.000000Z';
const later = plusDays(now, 3);

/** The columns of a request in each state, at `now`. */
const inState: Record<RequestState, RequestColumns> = {
  none: NO_LENDER_REQUEST,
  sent: sent(NO_LENDER_REQUEST, now),
  due: { ...sent(NO_LENDER_REQUEST, now), ...paused(sent(NO_LENDER_REQUEST, now), 'no-answer', now, 0.5) },
  'given-up': { requestLeasedUntil: now, requestDueAt: null, requestAttempts: MAX_ATTEMPTS },
  resolved: resolved({ requestLeasedUntil: now, requestDueAt: null, requestAttempts: MAX_ATTEMPTS }, true, now),
};
const states = Object.keys(inState) as RequestState[];

const transitions: Record<Exclude<keyof typeof requestTransitions, 'end'>, (from: RequestColumns) => Partial<RequestColumns>> = {
  send: (from) => sent(from, now),
  sendAgain: (from) => sent(from, now, 1),
  pause: (from) => paused({ ...from, requestAttempts: 0 }, 'no-answer', now, 0.5),
  giveUp: (from) => paused({ ...from, requestAttempts: MAX_ATTEMPTS }, 'no-answer', now, 0.5),
  resolve: (from) => resolved(from, false, now),
};

describe('A request to a lender', () => {
  it.each(states)('is %s, as its columns state', (state) => {
    expect(requestState(inState[state], now)).toBe(state);
  });

  it.each(Object.keys(transitions) as (keyof typeof transitions)[])('allows %s only from the states of the table', (name) => {
    const { from, to }: { from: readonly RequestState[]; to: RequestState } = requestTransitions[name];
    for (const state of states) {
      // The end of an attempt does not change when a resolved request is due.
      if (state === 'resolved' && (name === 'pause' || name === 'giveUp')) continue;
      const move = () => requestState({ ...inState[state], ...transitions[name](inState[state]) }, now);
      if (from.includes(state)) expect([state, move()]).toEqual([state, to]);
      else expect(move).toThrow(expect.objectContaining({ code: 'wrong-state' }));
    }
  });

  it('can be sent again, or resolved by a person, from every state in which it waits', () => {
    for (const state of states.filter((each) => each !== 'none')) {
      expect(requestState(sent(inState[state], later, 1), later)).toBe('sent');
      expect(requestState(resolved(inState[state], false, later), later)).toBe('resolved');
    }
  });

  it('that a person resolves while it is sent stays resolved after the attempt', () => {
    const columns = resolved(inState.sent, false, now);
    expect(paused(columns, 'error', now, 0.5)).toEqual({ requestLeasedUntil: now });
    expect(paused(columns, 'undecided', now, 0.5)).toEqual({ requestLeasedUntil: plusMs(now, 2_000) });
  });
});
