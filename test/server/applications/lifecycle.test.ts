import { describe, expect, it } from 'vitest';
import { type TransitionName, transitions, statusAfter, statusCodes } from '../../../server/applications/lifecycle.ts';
import { ApplicationStatus } from '../../../shared/wire/application.ts';

const states = Object.values(ApplicationStatus.schema);
/** As callers who have only names use it. */
const after = statusAfter as (name: TransitionName, status: ApplicationStatus, because?: string) => unknown;

describe.each(Object.keys(transitions) as TransitionName[])('%s', (name) => {
  const { from, to }: { from: readonly string[]; to: ApplicationStatus } = transitions[name];
  it.each(states.flatMap((status) => Object.entries(statusCodes[to]).map(([because, code]) => ({ status, because, code }))))(
    'from $status, $because',
    ({ status, because, code }) => {
      if (from.includes(status)) expect(after(name, status, because)).toEqual({ status: to, status_code: code });
      else expect(() => after(name, status, because)).toThrow(`Cannot ${name} an application that is ${status}`);
    },
  );
});

it.each(['their hat', 'constructor', 'toString', 'plain'])('rejects the unknown required action %s', (because) => {
  expect(() => after('requireAction', 'STARTED', because)).toThrow(RangeError);
});

it('every status can be reached from STARTED', () => {
  const reached = new Set<ApplicationStatus>(['STARTED']);
  for (let before = 0; before < reached.size;) {
    before = reached.size;
    for (const { from, to } of Object.values(transitions)) if (from.some((status) => reached.has(status))) reached.add(to);
  }
  expect([...reached].toSorted()).toEqual([...states].toSorted());
});

it('every status and reason has a unique six-digit code', () => {
  const codes = states.flatMap((status) => Object.values(statusCodes[status]));
  expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
  expect(new Set(codes).size).toBe(codes.length);
});

it.each(['DENIED', 'CHECKOUT_COMPLETED', 'CANCELLED', 'EXPIRED'])('%s is final', (status) => {
  expect(Object.values(transitions).filter(({ from }) => (from as readonly string[]).includes(status))).toEqual([]);
});
