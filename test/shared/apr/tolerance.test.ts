import { describe, expect, it } from 'vitest';
import { isAccurate, isFinanceChargeAccurate, isIrregular, mayOmitApr } from '../../../shared/apr/tolerance.ts';
import { everyDays, monthly, on } from './series.ts';

describe('isAccurate', () => {
  it.each([
    { stated: 0.0969, exact: 0.096857, irregular: false, accurate: true },
    { stated: 0.1, exact: 0.1, irregular: false, accurate: true },
    { stated: 0.10125, exact: 0.1, irregular: false, accurate: true },
    { stated: 0.09875, exact: 0.1, irregular: false, accurate: true },
    { stated: 0.1012501, exact: 0.1, irregular: false, accurate: false },
    { stated: 0.0987499, exact: 0.1, irregular: false, accurate: false },
    { stated: 0.1025, exact: 0.1, irregular: true, accurate: true },
    { stated: 0.0975, exact: 0.1, irregular: true, accurate: true },
    { stated: 0.1025001, exact: 0.1, irregular: true, accurate: false },
    { stated: 0.0974999, exact: 0.1, irregular: true, accurate: false },
    { stated: Number.NaN, exact: 0.1, irregular: true, accurate: false },
  ])('returns for $stated stated and $exact exact, irregular $irregular, $accurate', ({ stated, exact, irregular, accurate }) => {
    expect(isAccurate(stated, exact, { irregular })).toBe(accurate);
  });

  it('accepts a difference of exactly 1/8 of a point, despite floating-point errors', () => {
    for (let bps = 0; bps <= 10_000; bps++) {
      expect(isAccurate((2 * bps + 25) / 20_000, bps / 10_000, { irregular: false })).toBe(true);
    }
  });
});

describe('isIrregular', () => {
  const advances = [on('2026-01-15', 10_000)];
  const semimonthly = [...monthly('2026-02-01', 6, 1_000), ...monthly('2026-02-15', 6, 1_000)];

  it.each([
    { case: 'level payments', payments: monthly('2026-02-15', 12, 1_000) },
    { case: 'an irregular first period', payments: monthly('2026-03-28', 12, 1_000) },
    { case: 'an irregular first payment', payments: [on('2026-02-15', 700), ...monthly('2026-03-15', 12, 1_000)] },
    { case: 'an irregular last payment', payments: [...monthly('2026-02-15', 12, 1_000), on('2027-02-15', 700)] },
    { case: 'all three', payments: [on('2026-03-03', 1), ...monthly('2026-04-03', 12, 1_000), on('2027-04-03', 700)] },
    { case: 'one payment', payments: [on('2026-02-15', 10_100)] },
    { case: 'two payments', payments: [on('2026-02-15', 5_100), on('2026-06-20', 6_100)] },
    { case: 'three payments', payments: [on('2026-02-15', 100), on('2026-03-15', 5_100), on('2026-04-15', 6_100)] },
    { case: 'month ends', payments: monthly('2026-01-31', 12, 1_000) },
    { case: 'two payments in every month', payments: semimonthly },
    { case: 'every two weeks', payments: everyDays(14, '2026-02-01', 12, 1_000) },
    { case: 'every ten days', payments: everyDays(10, '2026-02-01', 12, 1_000) },
    { case: 'every two months', payments: monthly('2026-02-15', 12, 1_000, 2) },
    {
      case: 'payments split into two on the same day',
      payments: [...monthly('2026-02-15', 12, 1_000), ...monthly('2026-02-15', 12, 1)],
    },
  ])('returns false for $case', ({ payments }) => {
    expect(isIrregular({ advances, payments })).toBe(false);
  });

  it.each([
    { case: 'a skipped payment', payments: [...monthly('2026-02-15', 5, 1_000), ...monthly('2026-08-15', 7, 1_000)] },
    { case: 'graduated payments', payments: [...monthly('2026-02-15', 6, 1_000), ...monthly('2026-08-15', 6, 1_100)] },
    { case: 'a larger second payment', payments: [...monthly('2026-02-15', 12, 1_000), on('2026-03-15', 1)] },
    { case: 'a larger next-to-last payment', payments: [...monthly('2026-02-15', 12, 1_000), on('2026-12-15', 1)] },
    { case: 'an irregular last period', payments: [...monthly('2026-02-15', 12, 1_000), on('2027-02-16', 1_000)] },
    { case: 'an extra payment', payments: [...monthly('2026-02-15', 12, 1_000), on('2026-05-01', 1_000)] },
    {
      case: 'a month in a series of 31 days',
      payments: [...everyDays(31, '2026-02-15', 11, 1_000), on('2027-01-21', 1_000)],
    },
    {
      case: 'periods that are neither months nor equal in days',
      payments: [...everyDays(10, '2026-02-01', 6, 1_000), ...everyDays(12, '2026-04-04', 6, 1_000)],
    },
    { case: 'two payments in some months', payments: [...monthly('2026-02-01', 6, 1_000), ...monthly('2026-02-15', 4, 1_000)] },
  ])('returns true for $case', ({ payments }) => {
    expect(isIrregular({ advances, payments })).toBe(true);
  });

  it('returns true for several advances, unless they are on the same day', () => {
    const payments = monthly('2026-03-15', 12, 2_000);
    expect(isIrregular({ advances: [...advances, on('2026-02-15', 1_000)], payments })).toBe(true);
    expect(isIrregular({ advances: [...advances, on('2026-01-15', 1_000)], payments }), 'on the same day').toBe(false);
  });

  it('rejects an invalid loan', () => {
    expect(() => isIrregular({ advances, payments: [] })).toThrow(RangeError);
  });
});

describe('isFinanceChargeAccurate', () => {
  it.each([
    { stated: 10_500, exact: 10_000, financed: 100_000, accurate: true },
    { stated: 9_500, exact: 10_000, financed: 100_000, accurate: true },
    { stated: 10_501, exact: 10_000, financed: 100_000, accurate: false },
    { stated: 9_499, exact: 10_000, financed: 100_000, accurate: false },
    { stated: 11_000, exact: 10_000, financed: 100_001, accurate: true },
    { stated: 9_000, exact: 10_000, financed: 100_001, accurate: true },
    { stated: 11_001, exact: 10_000, financed: 100_001, accurate: false },
    { stated: 8_999, exact: 10_000, financed: 100_001, accurate: false },
    { stated: 0, exact: 0, financed: 1, accurate: true },
  ])(
    'returns for $stated stated and $exact exact cents on $financed financed $accurate',
    ({ stated, exact, financed, accurate }) => {
      expect(isFinanceChargeAccurate(stated, exact, financed)).toBe(accurate);
    },
  );

  it.each([
    [-1, 0, 1, 'statedCents: expected whole cents, 0 or more, but received -1'],
    [0, 0.5, 1, 'exactCents: expected whole cents, 0 or more, but received 0.5'],
    [0, 0, 0, 'amountFinancedCents: expected whole cents, 1 or more, but received 0'],
  ])('rejects %d for %d on %d', (stated, exact, financed, message) => {
    expect(() => isFinanceChargeAccurate(stated, exact, financed)).toThrow(new RangeError(message));
  });
});

describe('mayOmitApr', () => {
  it.each([
    { charge: 500, financed: 7_500, may: true },
    { charge: 501, financed: 7_500, may: false },
    { charge: 501, financed: 7_501, may: true },
    { charge: 750, financed: 7_501, may: true },
    { charge: 751, financed: 7_501, may: false },
    { charge: 0, financed: 1, may: true },
  ])('returns for $charge cents on $financed $may', ({ charge, financed, may }) => {
    expect(mayOmitApr(charge, financed)).toBe(may);
  });

  it.each([
    [-1, 1, 'financeChargeCents: expected whole cents, 0 or more, but received -1'],
    [1, 0, 'amountFinancedCents: expected whole cents, 1 or more, but received 0'],
  ])('rejects %d on %d', (charge, financed, message) => {
    expect(() => mayOmitApr(charge, financed)).toThrow(new RangeError(message));
  });
});
