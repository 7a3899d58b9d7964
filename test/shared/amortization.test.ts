import { describe, expect, it } from 'vitest';
import { levelPaymentCents } from '../../shared/amortization.ts';
import { MAX_CENTS } from '../../shared/money.ts';
import { samples, type SeededRandom } from '../support/random.ts';
import { scheduleOf } from './schedule.ts';

describe('levelPaymentCents', () => {
  it.each([
    { principalCents: 1, months: 2, payment: 1, rule: 'half a cent rounds up' },
    { principalCents: 3, months: 2, payment: 2, rule: 'half a cent rounds up to an even cent' },
    { principalCents: 5, months: 2, payment: 3, rule: 'half a cent does not round down to an even cent' },
    { principalCents: 4, months: 3, payment: 1, rule: 'a third rounds down' },
    { principalCents: 5, months: 3, payment: 2, rule: 'two thirds round up' },
  ])(
    'rounds $principalCents cents over $months months at 0 % to $payment: $rule [CHOICE-38]',
    ({ principalCents, months, payment }) => {
      expect(levelPaymentCents(principalCents, 0, months)).toBe(payment);
    },
  );
});

describe('amortize', () => {
  it.each([
    { principal: 4_999, months: 12, aprBps: 999, level: 439, last: 445, total: 5_274 },
    { principal: 4_999, months: 48, aprBps: 1_799, level: 147, last: 135, total: 7_044 },
    { principal: 15_000, months: 48, aprBps: 1_799, level: 441, last: 413, total: 21_140 },
    { principal: 60_000, months: 48, aprBps: 1_799, level: 1_762, last: 1_778, total: 84_592 },
    { principal: 1_000_000, months: 6, aprBps: 0, level: 166_667, last: 166_665, total: 1_000_000 },
    { principal: 1_000_000, months: 36, aprBps: 0, level: 27_778, last: 27_770, total: 1_000_000 },
    { principal: 30_000_000, months: 360, aprBps: 650, level: 189_620, last: 190_091, total: undefined },
  ])(
    'repays $principal cents over $months months at $aprBps basis points with $level a month and a last payment of $last [CHOICE-38]',
    (example) => {
      const schedule = scheduleOf(example.principal, example.aprBps, example.months);

      expect(schedule.levelPaymentCents).toBe(example.level);
      expect(schedule.lastPaymentCents).toBe(example.last);
      expect(schedule.totalOfPaymentsCents).toBe(example.total ?? 359 * example.level + example.last);
      expect(schedule.installments).toHaveLength(example.months);
    },
  );

  it('splits each payment of a small loan into interest and principal', () => {
    const { installments, totalInterestCents } = scheduleOf(10_000, 1_200, 3);

    expect(installments).toEqual([
      { number: 1, paymentCents: 3_400, interestCents: 100, principalCents: 3_300, balanceCents: 6_700 },
      { number: 2, paymentCents: 3_400, interestCents: 67, principalCents: 3_333, balanceCents: 3_367 },
      { number: 3, paymentCents: 3_401, interestCents: 34, principalCents: 3_367, balanceCents: 0 },
    ]);
    expect(totalInterestCents).toBe(201);
  });

  it.each([
    { principalCents: 50_000, aprBps: 1_200, payment: 50_500 },
    { principalCents: 50_000, aprBps: 0, payment: 50_000 },
    { principalCents: 1, aprBps: 9_999, payment: 1 },
    { principalCents: 50, aprBps: 1_200, payment: 51 },
  ])('repays $principalCents cents at $aprBps basis points with a single payment of $payment', (example) => {
    const { principalCents, aprBps, payment } = example;

    expect(scheduleOf(principalCents, aprBps, 1)).toMatchObject({
      levelPaymentCents: payment,
      lastPaymentCents: payment,
      totalOfPaymentsCents: payment,
      installments: [{ number: 1, paymentCents: payment, balanceCents: 0 }],
    });
  });

  it.each([
    // The exact payment is 4.61 cents.
    { principalCents: 100, aprBps: 999, months: 24, payments: 22 },
    { principalCents: 12, aprBps: 0, months: 24, payments: 12 },
    { principalCents: 35, aprBps: 0, months: 24, payments: 24 },
    { principalCents: 36, aprBps: 0, months: 24, payments: 18 },
  ])('repays $principalCents cents over $months months at $aprBps basis points early, in $payments payments', (example) => {
    const { installments, levelPaymentCents: level } = scheduleOf(example.principalCents, example.aprBps, example.months);

    expect(installments).toHaveLength(example.payments);
    expect(installments.at(-1)!.balanceCents).toBe(0);
    expect(installments.slice(0, -1).every(({ paymentCents }) => paymentCents === level)).toBe(true);
  });

  describe('for 3,000 random loans', () => {
    const loans = samples(3_000, 2, loan).flatMap((terms) => {
      const schedule = repaidScheduleOf(terms);
      return schedule ? [{ ...terms, schedule }] : [];
    });

    it('splits each payment into interest and principal and ends with a balance of 0', () => {
      expect(loans.length).toBeGreaterThan(2_000);
      for (const { principalCents, schedule } of loans) {
        let balance = principalCents;
        for (const [index, row] of schedule.installments.entries()) {
          balance -= row.principalCents;
          const addsUp = row.paymentCents === row.interestCents + row.principalCents && row.balanceCents === balance;
          if (!addsUp || row.number !== index + 1) expect.fail(`${principalCents}: ${JSON.stringify(row)}`);
        }
        expect(balance).toBe(0);
      }
    });

    it('makes every payment but the last a level payment that repays some principal', () => {
      for (const { schedule } of loans) {
        const { installments, levelPaymentCents: level, lastPaymentCents } = schedule;
        expect(installments.slice(0, -1).every(({ paymentCents }) => paymentCents === level)).toBe(true);
        expect(installments.every(({ principalCents }) => principalCents > 0)).toBe(true);
        expect(installments.at(-1)!.paymentCents).toBe(lastPaymentCents);
      }
    });
  });
});

function loan(random: SeededRandom) {
  return {
    principalCents: random.magnitude(1, MAX_CENTS),
    aprBps: random.magnitude(1, 10_000) - 1,
    months: random.magnitude(1, 360),
  };
}

/** Returns the schedule; undefined if the loan is never repaid, because its level payment is rounded to less than the interest. */
function repaidScheduleOf({ principalCents, aprBps, months }: ReturnType<typeof loan>) {
  const schedule = scheduleOf(principalCents, aprBps, months);
  if (schedule.installments.every((installment) => installment.principalCents > 0)) return schedule;
  // Only possible for a loan that repays less than about a cent in the first month.
  const monthly = aprBps / 120_000;
  const repaidFirst =
    monthly === 0 ? principalCents / months : (principalCents * monthly) / Math.expm1(months * Math.log1p(monthly));
  expect(repaidFirst).toBeLessThanOrEqual(1.001);
  return undefined;
}
