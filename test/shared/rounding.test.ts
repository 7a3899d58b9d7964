import { describe, expect, it } from 'vitest';
import { levelPaymentCents, paymentsOf, shareHalfUp } from '../../shared/amortization.ts';
import { samples, type SeededRandom } from '../support/random.ts';
import { scheduleOf } from './schedule.ts';

describe('A level payment that is rounded up', () => {
  it.each([
    { principalCents: 10_000, aprBps: 0, months: 3, level: 3_334, last: 3_332 },
    { principalCents: 9_000, aprBps: 0, months: 3, level: 3_000, last: 3_000 },
    { principalCents: 50_000, aprBps: 999, months: 24, level: 2_308, last: 2_283 },
  ])(
    'is $level for $principalCents cents at $aprBps basis points over $months months, and the last payment is $last',
    (example) => {
      const { principalCents, aprBps, months, level, last } = example;
      const schedule = scheduleOf(principalCents, aprBps, months, { rounding: 'ceil' });

      expect(levelPaymentCents(principalCents, aprBps, months, 'ceil')).toBe(schedule.levelPaymentCents);
      expect([schedule.levelPaymentCents, schedule.lastPaymentCents]).toEqual([level, last]);
    },
  );
});

describe('A level payment', () => {
  it('equals the rounded exact fraction, for 5,000 loans', () => {
    for (const { principalCents, aprBps, months } of samples(5_000, 72, loan)) {
      for (const rounding of ['half-up', 'ceil'] as const) {
        expect(levelPaymentCents(principalCents, aprBps, months, rounding)).toBe(
          exactLevelPayment(principalCents, aprBps, months, rounding),
        );
      }
    }
  });
});

describe('Interest of an odd first period', () => {
  it('is paid with the first payment: 16 days of $5,000.00 at 12 % are $26.67', () => {
    const regular = scheduleOf(500_000, 1_200, 24);
    const odd = scheduleOf(500_000, 1_200, 24, { oddInterestCents: 2_667 });

    expect(odd.firstPaymentCents).toBe(regular.levelPaymentCents + 2_667);
    expect(odd.levelPaymentCents).toBe(regular.levelPaymentCents);
    expect(odd.totalInterestCents).toBe(regular.totalInterestCents + 2_667);
    expect(odd.installments[0]).toMatchObject({ interestCents: 5_000 + 2_667, principalCents: 18_537 });
    expect(odd.installments.slice(1)).toEqual(regular.installments.slice(1));
  });

  it('is part of a single payment', () => {
    expect(scheduleOf(100_000, 1_200, 1, { oddInterestCents: 500 })).toMatchObject({
      termLength: 1,
      levelPaymentCents: 101_500,
      firstPaymentCents: 101_500,
      lastPaymentCents: 101_500,
      totalInterestCents: 1_500,
    });
  });
});

describe('paymentsOf', () => {
  it('returns the payments of the schedule, for 500 loans', () => {
    for (const { principalCents, aprBps, months } of samples(500, 73, loan)) {
      for (const oddInterestCents of [0, 123]) {
        const schedule = scheduleOf(principalCents, aprBps, months, { oddInterestCents });
        expect(paymentsOf(schedule)).toEqual(schedule.installments.map(({ paymentCents }) => paymentCents));
      }
    }
  });
});

describe('shareHalfUp', () => {
  it.each([
    [1, 1, 2, 1],
    [3, 1, 2, 2],
    [1, 1, 3, 0],
    [2, 1, 3, 1],
    [500_000, 1_200, 120_000, 5_000],
    [0, 1_200, 120_000, 0],
    [Number.MAX_SAFE_INTEGER, 1, 1, Number.MAX_SAFE_INTEGER],
    [Number.MAX_SAFE_INTEGER, 9_999, 10_000, 9_006_298_534_815_517],
  ])('computes %i times %i / %i as %i', (cents, numerator, denominator, share) => {
    expect(shareHalfUp(cents, numerator, denominator)).toBe(share);
  });

  it('is exact below and above 2^53, for 5,000 shares', () => {
    const share = (random: SeededRandom) => ({
      cents: random.magnitude(1, 2 ** 50),
      numerator: random.integer(0, 9_999),
      denominator: random.integer(1, 200_000),
    });
    for (const { cents, numerator, denominator } of samples(5_000, 74, share)) {
      const doubled = 2n * BigInt(cents) * BigInt(numerator) + BigInt(denominator);
      const exact = Number(doubled / (2n * BigInt(denominator)));
      if (Number.isSafeInteger(exact)) expect(shareHalfUp(cents, numerator, denominator)).toBe(exact);
    }
  });
});

function loan(random: SeededRandom) {
  return {
    principalCents: random.magnitude(10_000, 10_000_000_000),
    aprBps: random.integer(0, 3_599),
    months: random.integer(2, 120),
  };
}

/** The exact payment as a fraction: P i (1+i)^n / ((1+i)^n - 1). */
function fractionOf(principalCents: number, aprBps: number, months: number): [numerator: bigint, denominator: bigint] {
  if (aprBps === 0) return [BigInt(principalCents), BigInt(months)];
  // The monthly rate is rate / base.
  const base = 120_000n;
  const rate = BigInt(aprBps);
  const term = BigInt(months);
  return [BigInt(principalCents) * rate * (base + rate) ** term, base * ((base + rate) ** term - base ** term)];
}

function exactLevelPayment(principalCents: number, aprBps: number, months: number, rounding: 'half-up' | 'ceil'): number {
  const [numerator, denominator] = fractionOf(principalCents, aprBps, months);
  const whole = numerator / denominator;
  const remainder = numerator % denominator;
  const isRoundedUp = rounding === 'ceil' ? remainder > 0n : 2n * remainder >= denominator;
  return Number(isRoundedUp ? whole + 1n : whole);
}
