import { describe, expect, it } from 'vitest';
import { actuarialApr } from '../../../shared/apr/actuarial.ts';
import { exceedsMaprCap, mapr, MAPR_CAP } from '../../../shared/apr/mapr.ts';
import type { Flow } from '../../../shared/apr/loan.ts';
import { samples } from '../../support/random.ts';
import { randomLoan } from './random-loans.ts';
import { everyDays, monthly, on } from './series.ts';

const year = { advances: [on('2026-01-15', 100_000)], payments: monthly('2026-02-15', 12, 9_500) };

describe('mapr', () => {
  it('equals the APR if there are no other charges', () => {
    expect(mapr(year, 0)).toBe(actuarialApr(year));
  });

  it('subtracts charges from the advance', () => {
    const reduced = { ...year, advances: [on('2026-01-15', 95_000)] };
    expect(mapr(year, 5_000)).toBe(actuarialApr(reduced));
    expect(mapr(year, 5_000)).toBeGreaterThan(mapr(year, 4_999));
  });

  it.each([
    {
      position: 'listed first',
      advances: [on('2026-01-15', 70_000), on('2026-02-01', 30_000)],
      reduced: [on('2026-01-15', 65_000), on('2026-02-01', 30_000)],
    },
    {
      position: 'listed last',
      advances: [on('2026-02-01', 30_000), on('2026-01-15', 70_000)],
      reduced: [on('2026-01-15', 65_000), on('2026-02-01', 30_000)],
    },
    {
      position: 'split into two parts',
      advances: [on('2026-01-15', 4_000), on('2026-02-01', 30_000), on('2026-01-15', 66_000)],
      reduced: [on('2026-01-15', 65_000), on('2026-02-01', 30_000)],
    },
  ])('subtracts charges from the first advance, $position', ({ advances, reduced }) => {
    expect(mapr({ ...year, advances }, 5_000)).toBe(actuarialApr({ ...year, advances: reduced }));
  });

  it('is the cost of the fee for a loan at 0 %', () => {
    const free = { advances: [on('2026-01-15', 10_000)], payments: [on('2026-02-15', 10_000)] };
    expect(mapr(free, 100)).toBeCloseTo((12 * 100) / 9_900, 12);
  });

  it.each([
    { kind: 'negative', charges: -1, message: 'chargesCents: expected whole cents, 0 or more, but received -1' },
    { kind: 'half a cent', charges: 0.5, message: 'chargesCents: expected whole cents, 0 or more, but received 0.5' },
    {
      kind: 'the whole advance',
      charges: 100_000,
      message: 'chargesCents: expected less than the first advance, but received 100000 of 100000 cents',
    },
  ])('rejects charges that are $kind', ({ charges, message }) => {
    expect(() => mapr(year, charges)).toThrow(new RangeError(message));
    expect(() => exceedsMaprCap(year, charges)).toThrow(new RangeError(message));
  });

  it('rejects charges as large as the first advance, even if later advances are larger', () => {
    const advances = [on('2026-01-15', 70_000), on('2026-02-01', 30_000)];
    expect(mapr({ ...year, advances }, 69_999)).toBeGreaterThan(mapr({ ...year, advances }, 69_998));
    expect(() => mapr({ ...year, advances }, 70_000)).toThrow('received 70000 of 70000 cents');
  });

  it('rejects charges without an advance', () => {
    expect(() => mapr({ ...year, advances: [] }, 1)).toThrow('advances: expected at least one, but received none');
  });
});

describe('exceedsMaprCap', () => {
  // Each loan costs exactly 36 %. One cent more exceeds the cap.
  const atCap = [
    { case: 'a month of 3 %', advances: [on('2026-01-15', 10_000)], payments: [on('2026-02-15', 10_300)] },
    { case: 'ten days', advances: [on('2026-01-15', 36_500)], payments: [on('2026-01-25', 36_860)] },
    { case: 'a year', advances: [on('2026-01-15', 10_000)], payments: [on('2027-01-15', 13_600)] },
    { case: 'three years', advances: [on('2026-01-15', 1_000_000)], payments: [on('2029-01-15', 2_515_456)] },
    {
      case: 'monthly interest-only payments',
      advances: [on('2026-01-15', 10_000)],
      payments: [...monthly('2026-02-15', 11, 300), on('2027-01-15', 10_300)],
    },
    {
      case: 'quarterly interest-only payments',
      advances: [on('2026-01-15', 10_000)],
      payments: [...monthly('2026-04-15', 7, 900, 3), on('2028-01-15', 10_900)],
    },
    {
      case: 'every two weeks',
      advances: [on('2026-01-01', 130_000)],
      payments: [...everyDays(14, '2026-01-15', 11, 1_800), on('2026-06-18', 131_800)],
    },
    {
      case: 'two advances',
      advances: [on('2026-01-15', 10_000), on('2026-02-15', 10_000)],
      payments: [on('2026-02-15', 300), ...monthly('2026-03-15', 5, 600), on('2026-08-15', 20_600)],
    },
    {
      case: 'payments after a year and after a year and 73 days',
      advances: [on('2026-01-15', 10_000_000)],
      payments: [on('2027-01-15', 6_800_000), on('2027-03-29', 7_289_600)],
      unitPeriod: { unit: 'month', count: 12 } as const,
    },
    {
      case: 'a first period of a month and ten days',
      advances: [on('2026-01-05', 1_000_000)],
      payments: [on('2026-02-15', 1_040_300 - 1_000_000), ...monthly('2026-03-15', 5, 30_000), on('2026-08-15', 1_030_000)],
    },
  ];

  // Multiplied by a million, a cent is below the precision of a double.
  const scales = [1, 1_000_000];

  it.each(atCap.flatMap((loan) => scales.map((scale) => ({ ...loan, scale }))))(
    'returns false for exactly 36 % and true for one cent more: $case, times $scale',
    ({ advances, payments, scale, ...loan }) => {
      const scaled = (list: Flow[]) => list.map(({ date, cents }) => on(date, cents * scale));
      const [last, ...others] = scaled(payments).toReversed();
      const paying = (extra: number) => ({
        ...loan,
        advances: scaled(advances),
        payments: [...others, on(last!.date, last!.cents + extra)],
      });

      expect(mapr(paying(0), 0)).toBeCloseTo(MAPR_CAP, 12);
      expect([-1, 0, 1].map((extra) => exceedsMaprCap(paying(extra), 0))).toEqual([false, false, true]);
    },
  );

  it('detects one cent on 80 trillion dollars, which a double cannot', () => {
    const lend = (extra: number) => ({
      advances: [on('2026-01-15', 8_000_000_000_000_000)],
      payments: [on('2026-02-15', 8_240_000_000_000_000 + extra)],
    });
    expect(mapr(lend(1), 0)).toBeCloseTo(MAPR_CAP, 14);
    expect([-1, 0, 1].map((extra) => exceedsMaprCap(lend(extra), 0))).toEqual([false, false, true]);
  });

  it('includes the charges', () => {
    const loan = { advances: [on('2026-01-15', 10_100)], payments: [on('2026-02-15', 10_300)] };
    expect([99, 100, 101].map((charges) => exceedsMaprCap(loan, charges))).toEqual([false, false, true]);
  });

  it('agrees with mapr, for 2,000 random loans', () => {
    for (const { loan } of samples(2_000, 36, randomLoan)) {
      expect(exceedsMaprCap(loan, 0)).toBe(mapr(loan, 0) > MAPR_CAP);
    }
  });
});
