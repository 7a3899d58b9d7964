import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { merchantFeeCents } from '../../shared/merchant-fee.ts';

test.each([
  [75_000, 290, 30, 2_205],
  [10_050, 1, 0, 1],
  [4_999, 1, 0, 0],
  [5_000, 1, 0, 1],
  [20, 290, 30, 20],
  [0, 290, 30, 0],
  [75_000, 0, 0, 0],
  [99_999_999_99, 9_999, 0, 9_998_999_999],
])('The fee for a loan of %i cents with %i basis points and %i cents is %i cents', (financedCents, bps, fixedCents, fee) => {
  expect(merchantFeeCents(financedCents, { bps, fixedCents })).toBe(fee);
});

it('is a whole number of cents from 0 to the loan, and never falls if the loan is larger', () => {
  const cents = fc.integer({ min: 0, max: 99_999_999 });
  const discount = fc.record({ bps: fc.integer({ min: 0, max: 9_999 }), fixedCents: fc.integer({ min: 0, max: 100_000 }) });
  fc.assert(
    fc.property(cents, cents, discount, (loan, more, terms) => {
      const fee = merchantFeeCents(loan, terms);
      expect(Number.isSafeInteger(fee) && fee >= 0 && fee <= loan).toBe(true);
      expect(merchantFeeCents(loan + more, terms)).toBeGreaterThanOrEqual(fee);
    }),
  );
});
