import { describe, expect, it } from 'vitest';
import { type MoveName, moves, statusAfter, statusCodes } from '../../../server/applications/lifecycle.ts';
import { ApplicationStatus } from '../../../shared/wire/application.ts';

const states = Object.values(ApplicationStatus.schema);

describe.each(Object.keys(moves) as MoveName[])('%s', (name) => {
  it.each(states)('from %s', (status) => {
    const { from, to }: { from: readonly string[]; to: ApplicationStatus } = moves[name];
    if (from.includes(status)) expect(statusAfter(name, status)).toEqual({ status: to, status_code: statusCodes[to] });
    else expect(() => statusAfter(name, status)).toThrow(`Cannot ${name} an application that is ${status}`);
  });
});

it('every status has six digits of its own', () => {
  const codes = states.map((status) => statusCodes[status]);
  expect(codes.filter((code) => !/^\d{6}$/.test(code))).toEqual([]);
  expect(new Set(codes).size).toBe(states.length);
});
