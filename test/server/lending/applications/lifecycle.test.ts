import { describe, expect, it } from 'vitest';
import { type TransitionName, transitions, applicationStatusAfter } from '../../../../server/lending/applications/lifecycle.ts';
import { statusCodes } from '../../../../shared/wire/status-codes.ts';
import { ApplicationStatus } from '../../../../shared/wire/application.ts';

const states = Object.values(ApplicationStatus.schema);
/** `applicationStatusAfter` without the static check that the reason belongs to the transition. */
const transition = applicationStatusAfter as (name: TransitionName, status: ApplicationStatus, reason?: string) => unknown;

describe.each(Object.keys(transitions) as TransitionName[])('The transition %s', (name) => {
  const { from, to }: { from: readonly string[]; to: ApplicationStatus } = transitions[name];
  it.each(states.flatMap((status) => Object.entries(statusCodes[to]).map(([reason, code]) => ({ status, reason, code }))))(
    'from $status with reason $reason returns the status and its code, or throws if the table does not allow it',
    ({ status, reason, code }) => {
      if (from.includes(status)) expect(transition(name, status, reason)).toEqual({ status: to, statusCode: code });
      else expect(() => transition(name, status, reason)).toThrow(`Cannot ${name} an application that is ${status}`);
    },
  );
});

it.each(['their hat', 'constructor', 'toString', 'plain'])('rejects %s as a required action', (reason) => {
  expect(() => transition('requireAction', 'STARTED', reason)).toThrow(RangeError);
});

it('Every status can be reached from STARTED', () => {
  const reached = new Set<ApplicationStatus>(['STARTED']);
  for (let previousSize = 0; previousSize < reached.size;) {
    previousSize = reached.size;
    for (const { from, to } of Object.values(transitions)) if (from.some((status) => reached.has(status))) reached.add(to);
  }
  expect([...reached].toSorted()).toEqual([...states].toSorted());
});

it('Every status and reason has a unique six-digit code', () => {
  const codes = states.flatMap((status) => Object.values(statusCodes[status]));
  expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
  expect(new Set(codes).size).toBe(codes.length);
});

it.each(['DENIED', 'CHECKOUT_COMPLETED', 'CANCELLED', 'EXPIRED'])('%s is final', (status) => {
  expect(Object.values(transitions).filter(({ from }) => (from as readonly string[]).includes(status))).toEqual([]);
});
