import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { merchantDiscountFor, merchantFeeCents } from '../../shared/settlement.ts';

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

const promo = { kind: 'zero-apr', from: '2026-11-20', to: '2026-12-02', merchantDiscountBps: 450 } as const;
const offer = { termLength: 24, tierAprBps: { A: 999 }, minCents: null, maxCents: null };
const program = {
  merchantDiscount: { bps: 290, fixedCents: 30 },
  offers: [
    { ...offer, id: 'regular', promo: null },
    { ...offer, id: 'long', promo: null, merchantDiscount: { bps: 600, fixedCents: 0 } },
    { ...offer, id: 'free', promo },
    { ...offer, id: 'own', promo, merchantDiscount: { bps: 100, fixedCents: 5 } },
  ],
};

test.each([
  ['that of the program', 'regular', '2026-11-21', 290, 30],
  ['that of the plan, if it has one', 'long', '2026-11-21', 600, 0],
  ['that of the program with the buy-down, from the first day of a promotion', 'free', '2026-11-20', 740, 30],
  ['that of the program with the buy-down, until its last day', 'free', '2026-12-02', 740, 30],
  ['that of the plan with the buy-down', 'own', '2026-11-21', 550, 5],
  ['without the buy-down after the promotion, although the plan was approved before its end', 'free', '2026-12-03', 290, 30],
  ['without the buy-down before the promotion', 'free', '2026-11-19', 290, 30],
  ['that of the program for an application without a plan', null, '2026-11-21', 290, 30],
] as const)('The merchant discount is %s', (_, offerId, signedOn, bps, fixedCents) => {
  expect(merchantDiscountFor(program, offerId, signedOn)).toEqual({ bps, fixedCents });
});
