import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amortize, type Installment, type PaymentRounding } from '../../shared/amortization.ts';
import { addDays, type CivilDate, dueDates } from '../../shared/dates.ts';
import type { DuePayment } from '../../shared/disclosure/loan-disclosure.ts';
import { recast, type Reduction, type SignedLoan } from '../../shared/recast.ts';
import { campaign } from '../support/campaign.ts';

const signedOn: CivilDate = '2026-11-21';

function loanOf(
  principalCents: number,
  noteRateBps: number,
  months: number,
  { rounding = 'half-up', oddCents = 0 }: { rounding?: PaymentRounding; oddCents?: number } = {},
): SignedLoan {
  const installments: Installment[] = [];
  amortize(principalCents, noteRateBps, months, rounding, oddCents, installments);
  const firstPaymentAfter = { months: 1, days: 0 };
  const dates = dueDates(signedOn, firstPaymentAfter, installments.length);
  const terms = { date: signedOn, firstPaymentAfter, interestFrom: 'settlement' } as const;
  return {
    ...terms,
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
    expect(recast(loan, reductions)).toEqual({ balanceCents: 0, payments: [], overpaidCents });
  });

  it('is the signed loan without reductions, and if it was settled on the day of the signature', () => {
    expect(recast(loan, [])).toEqual({ balanceCents: 100_000, payments: loan.payments, overpaidCents: 0 });
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

  it('never has a higher payment, a later day or more interest than before, and repays its balance', () => {
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
    });
    fc.assert(
      fc.property(example, ({ principalCents, noteRateBps, months, rounding, oddShare, changes, settledAfter }) => {
        const oddCents = Math.floor((principalCents * noteRateBps * oddShare) / 120_000);
        const signed = loanOf(principalCents, noteRateBps, months, { rounding, oddCents });
        const days = changes.map(({ day }) => day).toSorted((a, b) => a - b);
        const reductions = changes.map(({ share }, index) => ({
          cents: Math.max(1, Math.floor(principalCents * share)),
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
          expect(unpaid - after.balanceCents + after.overpaidCents - before.overpaidCents).toBe(cents);
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
