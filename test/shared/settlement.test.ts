import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { netCentsOf, payoutOf, settledAmounts, type SettledAmounts } from '../../shared/settlement.ts';

const cents = fc.integer({ min: 0, max: 9_999_999_999 });
const discount = fc.record({ bps: fc.integer({ min: 0, max: 9_999 }), fixedCents: fc.integer({ min: 0, max: 100_000 }) });
const sum = (amounts: readonly SettledAmounts[]): SettledAmounts => ({
  grossCents: amounts.reduce((total, { grossCents }) => total + grossCents, 0),
  feeCents: amounts.reduce((total, { feeCents }) => total + feeCents, 0),
});

test.each([
  ['a settlement', 0, 75_000, 75_000, 2_205],
  ['a refund of a part, which keeps the fixed fee', 75_000, 50_000, -25_000, -725],
  ['a refund of the rest, which returns it', 50_000, 0, -50_000, -1_480],
  ['a refund that leaves less than the fixed fee', 50_000, 20, -49_980, -1_460],
  ['a settlement of a loan that pays nothing', 0, 0, 0, 0],
])('Amounts of %s', (_, before, after, grossCents, feeCents) => {
  expect(settledAmounts(before, after, { bps: 290, fixedCents: 30 })).toEqual({ grossCents, feeCents });
});

it('returns the whole fee of a loan that is refunded in any number of parts', () => {
  fc.assert(
    fc.property(cents, fc.array(cents, { maxLength: 8 }), discount, (loan, rests, terms) => {
      const steps = [0, loan, ...rests.filter((rest) => rest < loan).toSorted((a, b) => b - a), 0];
      const changes = steps.slice(1).map((after, index) => settledAmounts(steps[index]!, after, terms));
      expect(sum(changes)).toEqual({ grossCents: 0, feeCents: 0 });
    }),
  );
});

it('returns the same fee for a refund in parts as at once', () => {
  fc.assert(
    fc.property(fc.tuple(cents, cents, cents), discount, (amounts, terms) => {
      const [rest, between, loan] = amounts.toSorted((a, b) => a - b) as [number, number, number];
      const inParts = sum([settledAmounts(loan, between, terms), settledAmounts(between, rest, terms)]);
      expect(inParts).toEqual(settledAmounts(loan, rest, terms));
    }),
  );
});

it('never pays more than the loan, never charges for a refund more than it takes, and stays whole', () => {
  fc.assert(
    fc.property(fc.tuple(cents, cents), discount, (amounts, terms) => {
      const [rest, loan] = amounts.toSorted((a, b) => a - b) as [number, number];
      const settled = settledAmounts(0, loan, terms);
      const refunded = settledAmounts(loan, rest, terms);
      expect(Number.isSafeInteger(settled.feeCents) && Number.isSafeInteger(refunded.feeCents)).toBe(true);
      expect(netCentsOf(settled)).toBeGreaterThanOrEqual(0);
      expect(netCentsOf(settled)).toBeLessThanOrEqual(loan);
      expect(netCentsOf(refunded)).toBeLessThanOrEqual(0);
      expect(netCentsOf(sum([settled, refunded]))).toBeGreaterThanOrEqual(0);
    }),
  );
});

it('pays what is left after a negative balance, and carries what it does not cover', () => {
  const balance = fc.integer({ min: -9_999_999_999, max: 0 });
  const net = fc.integer({ min: -9_999_999_999, max: 9_999_999_999 });
  fc.assert(
    fc.property(balance, net, (carriedCents, netCents) => {
      const { payoutCents, balanceCents } = payoutOf(carriedCents, netCents);
      expect(payoutCents + balanceCents).toBe(carriedCents + netCents);
      expect(payoutCents >= 0 && balanceCents <= 0 && (payoutCents === 0 || balanceCents === 0)).toBe(true);
    }),
  );
  expect(payoutOf(-500, 1_200)).toEqual({ payoutCents: 700, balanceCents: 0 });
  expect(payoutOf(-500, 200)).toEqual({ payoutCents: 0, balanceCents: -300 });
});
