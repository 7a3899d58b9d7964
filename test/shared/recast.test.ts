import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amortize, type Installment, type PaymentRounding } from '../../shared/amortization.ts';
import { costsMoreThan } from '../../shared/apr.ts';
import { addDays, type CivilDate, dueDates } from '../../shared/dates.ts';
import type { DuePayment } from '../../shared/disclosure/loan-disclosure.ts';
import { aprBpsOf, recast, type Reduction, type RemainingLoan, type SignedLoan } from '../../shared/recast.ts';
import { campaign } from '../support/campaign.ts';

const signedOn: CivilDate = '2026-11-21';

interface Options extends Partial<Pick<SignedLoan, 'coveredBorrower' | 'prepayment'>> {
  rounding?: PaymentRounding;
  oddCents?: number;
  /** Each is a part of the principal. */
  feesCents?: readonly number[];
  capBps?: number;
}

function loanOf(
  principalCents: number,
  noteRateBps: number,
  months: number,
  { rounding = 'half-up', oddCents = 0, feesCents = [], capBps = 3_600, ...more }: Options = {},
): SignedLoan {
  const installments: Installment[] = [];
  amortize(principalCents, noteRateBps, months, rounding, oddCents, installments);
  const firstPaymentAfter = { months: 1, days: 0 };
  const dates = dueDates(signedOn, firstPaymentAfter, installments.length);
  const terms = { date: signedOn, firstPaymentAfter, firstPeriod: firstPaymentAfter, interestFrom: 'settlement' } as const;
  return {
    ...terms,
    fees: feesCents.map((cents) => ({ kind: 'origination', cents, financeCharge: true, financed: true, mapr: true })),
    caps: { aprBps: capBps, maprBps: 3_600 },
    coveredBorrower: null,
    prepayment: {},
    ...more,
    principalCents,
    noteRateBps,
    payments: installments.map((one, index) => ({ ...one, dueOn: dates[index]! })),
  };
}

const centsOf = (payments: readonly DuePayment[]) => payments.map(({ paymentCents }) => paymentCents);
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0);

describe('A recast loan', () => {
  const loan = loanOf(100_000, 1_200, 12);

  it('of a reduction before the loan is made has the payments of the smaller loan', () => {
    const { balanceCents, payments, overpaidCents } = recast(loan, [{ cents: 40_000, on: undefined }]);
    // $600.00 at 1 % a month for 12 months is $53.31 a month. The last payment absorbs the rounding of the interest.
    expect({ balanceCents, overpaidCents }).toEqual({ balanceCents: 60_000, overpaidCents: 0 });
    expect(centsOf(payments)).toEqual([...Array<number>(11).fill(5_331), 5_332]);
    expect(payments.map(({ dueOn }) => dueOn)).toEqual(loan.payments.map(({ dueOn }) => dueOn));
    expect(payments[0]).toMatchObject({ interestCents: 600 });
  });

  it('of a credit reduces the principal after the payments that were due, and keeps the last day', () => {
    const [, second] = loan.payments;
    const { balanceCents, payments } = recast(loan, [{ cents: 20_000, on: addDays(second!.dueOn, 10) }]);
    expect(balanceCents).toBe(second!.balanceCents - 20_000);
    expect(payments.map(({ number }) => number)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(payments.at(-1)!.dueOn).toBe(loan.payments.at(-1)!.dueOn);
    expect(payments[0]!.interestCents).toBe(Math.round(balanceCents / 100));
  });

  it('counts a payment that is due on the day of the credit as made', () => {
    const { dueOn } = loan.payments[0]!;
    expect(recast(loan, [{ cents: 1_000, on: dueOn }]).payments[0]!.number).toBe(2);
    expect(recast(loan, [{ cents: 1_000, on: addDays(dueOn, -1) }]).payments[0]!.number).toBe(1);
  });

  it('reduces the interest for odd days in proportion', () => {
    const odd = loanOf(100_000, 1_200, 12, { oddCents: 500 });
    expect(recast(odd, [{ cents: 40_000, on: undefined }]).payments[0]!.interestCents).toBe(600 + 300);
    expect(recast(odd, [{ cents: 40_000, on: odd.payments[0]!.dueOn }]).payments[0]!.interestCents).toBe(
      Math.round((odd.payments[0]!.balanceCents - 40_000) / 100),
    );
  });

  it.each<[string, Reduction[], number]>([
    ['before it is made', [{ cents: 100_000, on: undefined }], 0],
    ['on its first day', [{ cents: 100_000, on: signedOn }], 0],
    ['after a payment', [{ cents: 100_000, on: loan.payments[0]!.dueOn }], loan.payments[0]!.principalCents],
    [
      'in two parts',
      [
        { cents: 99_000, on: signedOn },
        { cents: 1_000, on: '2026-11-30' },
      ],
      0,
    ],
    ['after its last payment', [{ cents: 5_000, on: '2030-01-01' }], 5_000],
  ])('that is reduced to nothing %s has no payments, and the rest is returned', (_when, reductions, overpaidCents) => {
    expect(recast(loan, reductions)).toMatchObject({ balanceCents: 0, payments: [], overpaidCents });
  });

  it('is the signed loan without reductions, and if it was settled on the day of the signature', () => {
    expect(recast(loan, [])).toMatchObject({ balanceCents: 100_000, payments: loan.payments, overpaidCents: 0 });
    expect(recast(loan, [], signedOn).payments).toEqual(loan.payments);
  });

  it.each<[settledOn: CivilDate, interestCents: number, dueOn: CivilDate]>([
    // $10.00 of interest for the 30 days from November 21 to December 21.
    ['2026-11-22', 967, '2026-12-21'],
    ['2026-12-06', 500, '2026-12-21'],
    ['2026-12-20', 33, '2026-12-21'],
    // As if signed on December 21: 31 days to January 21.
    ['2026-12-21', 1_000, '2027-01-21'],
    ['2027-01-01', Math.round((1_000 * 20) / 31), '2027-01-21'],
    ['2027-02-19', Math.round((1_000 * 2) / 31), '2027-02-21'],
  ])('that is settled on %s pays %d cents of interest first, on %s', (settledOn, interestCents, dueOn) => {
    const [first, ...others] = recast(loan, [], settledOn).payments;
    const { principalCents } = loan.payments[0]!;
    expect(first).toMatchObject({ interestCents, principalCents, paymentCents: principalCents + interestCents, dueOn });
    expect(centsOf(others)).toEqual(centsOf(loan.payments.slice(1)));
    expect(others.map((payment) => payment.dueOn.slice(8))).toEqual(Array(11).fill('21'));
  });

  it('keeps the payments of a settlement after the signature if the agreement states that interest starts with it', () => {
    expect(recast({ ...loan, interestFrom: 'signature' }, [], '2027-01-01').payments).toEqual(loan.payments);
    expect(recast({ ...loan, interestFrom: undefined }, [], '2027-01-01').payments).toEqual(loan.payments);
  });

  it('reduces the interest of a started first period in proportion to a credit', () => {
    const half = recast(loan, [{ cents: 50_000, on: '2026-12-07' }], '2026-12-06');
    expect(half.payments[0]).toMatchObject({ interestCents: 250, dueOn: '2026-12-21' });
  });

  describe('with fees', () => {
    /** 2 %, $10 and $9 of $1,299.00, at 9.99 % for 12 months. */
    const feesCents = [2_598, 1_000, 900];
    const withFees = (more: Options = {}) =>
      loanOf(129_900 + sum(feesCents), 999, 12, { feesCents, capBps: 3_599, coveredBorrower: { phone: null }, ...more });
    const feesOf = (fees: RemainingLoan['terms']['fees']) => fees.map(({ cents }) => cents);
    const signedBps = aprBpsOf(recast(withFees(), []).terms, withFees().firstPeriod);

    it.each([
      [120_000, [198, 76, 68]],
      [125_000, [98, 37, 33]],
      [129_899, [0, 0, 0]],
    ])('keeps its signed rate after $0.01 × %d of it were canceled before it was made', (cents, left) => {
      const { terms, balanceCents, payments } = recast(withFees(), [{ cents, on: undefined }]);
      expect(feesOf(terms.fees)).toEqual(left);
      expect(balanceCents).toBe(129_900 - cents + sum(left));
      expect(sum(centsOf(payments))).toBe(balanceCents + sum(payments.map(({ interestCents }) => interestCents)));
      // Payments of a few dollars are whole cents, which raises or lowers the rate a little.
      expect(aprBpsOf(terms, withFees().firstPeriod)).toBeLessThanOrEqual(signedBps + 15);
    });

    it('loses a few cents of its fees if the rounding of payments would exceed the cap', () => {
      // Above the signed rate by less than the tolerance.
      const signed = withFees({ capBps: signedBps - 12 });
      const { terms } = recast(signed, [{ cents: 242, on: undefined }]);
      const proportionalCents = 2_593 + 998 + 898;
      expect(sum(feesOf(terms.fees))).toBeLessThan(proportionalCents);
      expect(sum(feesOf(terms.fees))).toBeGreaterThan(proportionalCents - 12);
    });

    it('has neither fees nor interest if a rest of a few cents would exceed the cap also without fees', () => {
      // 35 % of 24 cents for a month are 0.7 cents, rounded to one.
      const signed = loanOf(100_000, 3_500, 12, { capBps: 3_500 });
      const { terms, payments } = recast(signed, [{ cents: 99_976, on: undefined }]);
      expect({ noteRateBps: terms.noteRateBps, paidCents: sum(centsOf(payments)) }).toEqual({ noteRateBps: 0, paidCents: 24 });
    });

    it('keeps the level of its payments if a credit ends the interest within the first period', () => {
      const signed = loanOf(50, 1_225, 4, { capBps: 1_225 });
      const madeOn = addDays(signedOn, 16);
      const before = recast(signed, [], madeOn).payments;
      const { payments } = recast(signed, [{ cents: 1, on: madeOn }], madeOn);
      expect(centsOf(before)).toEqual([12, 13, 13, 12]);
      expect(centsOf(payments)).toEqual([12, 13, 13, 11]);
    });

    const settledOn = signedOn;
    const refund = (cents: number, on: CivilDate) => [{ cents, on }];

    it('returns all of them with a full refund to a covered borrower, who then owes nothing', () => {
      const { balanceCents, payments, overpaidCents, terms } = recast(
        withFees(),
        refund(129_900, addDays(signedOn, 20)),
        settledOn,
      );
      expect({ balanceCents, payments, overpaidCents, fees: feesOf(terms.fees) }).toEqual({
        balanceCents: 0,
        payments: [],
        overpaidCents: 0,
        fees: [0, 0, 0],
      });
    });

    it('returns them in proportion to others until the last of the stated days, counted from the day when it is made, and keeps them then', () => {
      const signed = withFees({ coveredBorrower: null, prepayment: { feeRefundDays: 30 } });
      const madeOn = addDays(signedOn, 3);
      const after = (days: number) => recast(signed, refund(64_950, addDays(madeOn, days)), madeOn);
      expect(feesOf(after(0).terms.fees)).toEqual([1_299, 500, 450]);
      expect(feesOf(after(30).terms.fees)).toEqual([1_299, 500, 450]);
      expect(feesOf(after(31).terms.fees)).toEqual(feesCents);
      const none = recast(withFees({ coveredBorrower: null }), refund(129_900, madeOn), madeOn);
      expect({ balanceCents: none.balanceCents, fees: feesOf(none.terms.fees) }).toEqual({
        balanceCents: sum(feesCents),
        fees: feesCents,
      });
      const twice = [...refund(64_950, madeOn), ...refund(64_950, addDays(madeOn, 31))];
      expect(feesOf(recast(signed, twice, madeOn).terms.fees)).toEqual([1_299, 500, 450]);
    });
  });

  it('never has a higher payment, a later day or more interest than before, repays its balance, and stays within its caps', () => {
    const example = fc.record({
      principalCents: fc.integer({ min: 50, max: 3_000_000 }),
      noteRateBps: fc.integer({ min: 0, max: 3_600 }),
      months: fc.integer({ min: 1, max: 60 }),
      rounding: fc.constantFrom('half-up' as const, 'ceil' as const),
      oddShare: fc.double({ min: 0, max: 1, noNaN: true }),
      changes: fc.array(
        fc.record({ share: fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1.2, noNaN: true })), day: fc.nat(2_000) }),
        { minLength: 1, maxLength: 5 },
      ),
      settledAfter: fc.option(fc.nat(120), { nil: undefined }),
      feeShares: fc.array(fc.double({ min: 0, max: 0.05, noNaN: true }), { maxLength: 3 }),
      isCovered: fc.boolean(),
      feeRefundDays: fc.option(fc.nat(90), { nil: undefined }),
    });
    fc.assert(
      fc.property(example, ({ principalCents, noteRateBps, months, rounding, oddShare, changes, settledAfter, ...fees }) => {
        const oddCents = Math.floor((principalCents * noteRateBps * oddShare) / 120_000);
        const feesCents = fees.feeShares.map((share) => Math.floor(principalCents * share));
        const options = {
          rounding,
          oddCents,
          feesCents,
          coveredBorrower: fees.isCovered ? { phone: null } : null,
          prepayment: { feeRefundDays: fees.feeRefundDays },
        };
        const uncapped = loanOf(principalCents, noteRateBps, months, options);
        // A loan is signed only within its caps.
        const { terms: signedTerms } = recast(uncapped, []);
        const signedBps = aprBpsOf(signedTerms, uncapped.firstPeriod);
        const signed = { ...uncapped, caps: { aprBps: signedBps, maprBps: Math.max(3_600, signedBps + 1) } };
        const financedCents = principalCents - sum(feesCents);
        const days = changes.map(({ day }) => day).toSorted((a, b) => a - b);
        const reductions = changes.map(({ share }, index) => ({
          cents: Math.max(1, Math.floor(financedCents * share)),
          on: settledAfter === undefined ? undefined : addDays(signedOn, settledAfter + days[index]!),
        }));
        const settledOn = settledAfter === undefined ? undefined : addDays(signedOn, settledAfter);
        for (const { number, dueOn, paymentCents } of recast(signed, [], settledOn).payments) {
          expect(paymentCents).toBeLessThanOrEqual(signed.payments[number - 1]!.paymentCents);
          expect(dueOn > (settledOn ?? signedOn)).toBe(true);
        }
        for (let count = 1; count <= reductions.length; count++) {
          const before = recast(signed, reductions.slice(0, count - 1), settledOn);
          const after = recast(signed, reductions.slice(0, count), settledOn);
          const { cents, on } = reductions[count - 1]!;
          const earlier = new Map(before.payments.map((payment) => [payment.number, payment]));
          for (const payment of after.payments) {
            const { paymentCents, dueOn } = earlier.get(payment.number)!;
            expect(payment.dueOn).toBe(dueOn);
            expect(payment.paymentCents).toBeLessThanOrEqual(paymentCents);
            expect(payment.paymentCents).toBe(payment.interestCents + payment.principalCents);
            expect(payment.paymentCents).toBeGreaterThan(0);
          }
          expect(sum(after.payments.map((payment) => payment.principalCents))).toBe(after.balanceCents);
          const due = before.payments.filter(({ dueOn }) => on !== undefined && dueOn <= on);
          const unpaid = due.at(-1)?.balanceCents ?? before.balanceCents;
          const feesOf = ({ terms }: RemainingLoan) => sum(terms.fees.map((fee) => fee.cents));
          const returnedCents = feesOf(before) - feesOf(after);
          expect(returnedCents).toBeGreaterThanOrEqual(0);
          const taken = on === undefined ? before.terms.amountFinancedCents - after.terms.amountFinancedCents : cents;
          expect(unpaid - after.balanceCents + after.overpaidCents - before.overpaidCents).toBe(taken + returnedCents);
          const isReturned = on === undefined || fees.isCovered || on <= addDays(settledOn!, fees.feeRefundDays ?? -1);
          const hasStayed = reductions
            .slice(0, count)
            .some((each) => each.on !== undefined && !fees.isCovered && each.on > addDays(settledOn!, fees.feeRefundDays ?? -1));
          if (isReturned && !hasStayed && after.terms.amountFinancedCents > 0) {
            const { terms } = after;
            const isAbove = (bps: number) =>
              costsMoreThan(bps / 10_000, terms.amountFinancedCents, centsOf(terms.payments), signed.firstPeriod);
            expect(isAbove(signed.caps.aprBps + 12.5)).toBe(false);
            expect(isAbove(signed.caps.maprBps)).toBe(false);
          }
          expect(
            after.terms.payments.every(({ paymentCents, number }) => paymentCents <= signed.payments[number - 1]!.paymentCents),
          ).toBe(true);
          const rest = before.payments.slice(due.length);
          expect(sum(after.payments.map((payment) => payment.interestCents))).toBeLessThanOrEqual(
            sum(rest.map((payment) => payment.interestCents)),
          );
        }
      }),
      campaign(300),
    );
  });
});
