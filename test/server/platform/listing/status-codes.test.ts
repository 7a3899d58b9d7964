import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statusCodes } from '../../../../shared/wire/status-codes.ts';
import { storedCodesFor, visibleCode } from '../../../../server/platform/listing/status-codes.ts';
import type { ApplicationStatus } from '../../../../shared/wire/application.ts';

/** All status codes: as stored, and as platforms and merchants receive them. New codes must be added here by hand. */
const visibleCodes: Record<string, string> = {
  100000: '100000',
  100100: '100100',
  100200: '100200',
  200000: '200000',
  200100: '200100',
  200200: '200200',
  200300: '200300',
  300000: '300000',
  300200: '300000',
  300300: '300000',
  300400: '300000',
  300900: '300900',
  310100: '310100',
  310200: '310200',
  310300: '310300',
  400100: '400000',
  400200: '400000',
  400300: '400000',
  500000: '500000',
  510000: '510000',
  600000: '600000',
  610000: '610000',
  620000: '620000',
  700100: '700100',
  700200: '700200',
  700300: '700300',
  800100: '800100',
  800200: '800200',
  800300: '800300',
};
const stored = Object.entries(statusCodes).flatMap(([status, codes]) =>
  Object.values<string>(codes).map((code) => ({ code, status: status as ApplicationStatus })),
);
const all = stored.map(({ code }) => code);
const statuses = [undefined, ...new Set(stored.map(({ status }) => status))];

describe('A status code', () => {
  it('is listed in this test with the code that readers receive', () => {
    expect(all.toSorted()).toEqual(Object.keys(visibleCodes).toSorted());
  });

  it('is returned without the reason for a denial or a required action', () => {
    expect(Object.fromEntries(all.map((code) => [code, visibleCode(code)]))).toEqual(visibleCodes);
  });
});

describe('Codes in the filter', () => {
  /** Expects that a filter finds all or none of the codes that are shown as one. Otherwise it would disclose the reasons. */
  function expectNothingDisclosed(filter: Parameters<typeof storedCodesFor>[0]): void {
    const found = storedCodesFor(filter) ?? all;
    for (const visible of ['300000', '400000']) {
      const group = all.filter((code) => visibleCodes[code] === visible);
      const count = group.filter((code) => found.includes(code)).length;
      expect({ filter, count: count === 0 ? group.length : count }).toEqual({ filter, count: group.length });
    }
  }

  it('disclose no reasons, for any combination of codes [SCOPE-7]', () => {
    const codes = fc.option(fc.array(fc.constantFrom(...all, '400000', '999999'), { minLength: 1 }), { nil: undefined });
    const filter = fc.record({ status: fc.constantFrom(...statuses), codes, notCodes: codes, showExpired: fc.boolean() });
    fc.assert(fc.property(filter, expectNothingDisclosed), { seed: 20_261_121, numRuns: 2_000 });
  });
});
