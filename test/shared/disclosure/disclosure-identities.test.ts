import { describe, expect, it } from 'vitest';
import { identities, requireIdentities } from '../../../shared/disclosure/disclosure-identities.ts';
import type { DuePayment, PaymentRow, LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { createOffer } from '../../support/programs.ts';
import { elaborate, createDisclosure } from './create-disclosure.ts';

const disclosure = createDisclosure(elaborate);
const names = identities.map(([name]) => name);

/** Returns the changes of a disclosure with one changed payment. */
const withPayment = (index: number, change: Partial<DuePayment>): Partial<LoanDisclosure> => ({
  payments: disclosure.payments.map((payment, position) => (position === index ? { ...payment, ...change } : payment)),
});
const withFee = (index: number, change: object): Partial<LoanDisclosure> => ({
  fees: disclosure.fees.map((fee, position) => (position === index ? { ...fee, ...change } : fee)),
});
const [first, second] = disclosure.payments as [DuePayment, DuePayment];
const last = disclosure.payments.at(-1)!;
const withRow = (index: number, change: Partial<PaymentRow>): Partial<LoanDisclosure> => ({
  paymentRows: disclosure.paymentRows.map((row, position) => (position === index ? { ...row, ...change } : row)),
});

const GROUPED = 'the payment rows group the payments';
const ON_TIME = 'the payments are due on the dates of the schedule, in order';
const REPAID = 'the payments repay the principal, to a balance of 0';
const FINANCED = 'amount financed = principal - prepaid finance charge, above 0';
const PREPAID = 'prepaid finance charge = fees that are part of the finance charge';
const PREPAYMENT = 'the prepayment terms mention a prepaid finance charge if and only if there is one';
const PERIOD = 'the first period has its actual length, or one month if the difference is minor';
const SPLIT = 'each payment = its interest + its principal';
const unfinanced: Partial<LoanDisclosure> = {
  fees: [{ ...disclosure.fees[0]!, financed: false, cents: 112_320 }],
  principalCents: 112_320,
  prepaidFinanceChargeCents: 112_320,
  amountFinancedCents: 0,
  itemization: [],
};

/** Changes that violate an identity, and the first identity that each of them violates. */
const violations: [what: string, change: Partial<LoanDisclosure>, identity: string][] = [
  ['half a cent', { dueTodayCents: 13_980.5 }, 'every amount is whole cents'],
  ['half a cent in a payment', withPayment(1, { paymentCents: 10_503.5 }), 'every amount is whole cents'],
  ['not a number', { financeChargeCents: Number.NaN }, 'every amount is whole cents'],
  ['a finance charge below 0', { financeChargeCents: -1 }, 'every amount is whole cents'],
  ['a late charge below 0', { late: { ...disclosure.late, flatCents: -1 } }, 'every amount is whole cents'],
  ['no payments', { payments: [] }, 'every payment is above 0'],
  ['a payment of 0', withPayment(1, { paymentCents: 0 }), 'every payment is above 0'],
  ['another down payment', { downPaymentCents: 12_481 }, 'principal = purchase - down payment + financed fees'],
  ['a financed fee one cent higher', withFee(0, { cents: 2_247 }), 'principal = purchase - down payment + financed fees'],
  ['a fee moved into the finance charge', withFee(1, { financeCharge: true }), PREPAID],
  ['another itemization', { itemization: disclosure.itemization.slice(0, 2) }, 'amount financed = sum of its itemization'],
  [
    'another amount financed with a matching itemization',
    { amountFinancedCents: 112_321, itemization: [{ kind: 'merchant', cents: 112_321 }] },
    FINANCED,
  ],
  ['nothing financed', unfinanced, FINANCED],
  ['another finance charge', { financeChargeCents: 14_505 }, 'amount financed + finance charge = total of payments'],
  ['another payment', withPayment(1, { paymentCents: 10_504 }), 'sum of the payments = total of payments'],
  ['another interest', withPayment(1, { interestCents: second.interestCents + 1 }), SPLIT],
  ['another balance', withPayment(1, { balanceCents: 96_865 }), REPAID],
  [
    'a cent that is not repaid',
    withPayment(11, { principalCents: last.principalCents - 1, interestCents: last.interestCents + 1, balanceCents: 1 }),
    REPAID,
  ],
  ['another note rate', { noteRateBps: 1_800 }, 'each interest amount follows from the note rate'],
  ['another day count for the odd days', { oddDaysInterest: '360' }, 'each interest amount follows from the note rate'],
  ['no interest for the odd days', { oddDaysInterest: 'none' }, 'each interest amount follows from the note rate'],
  ['another sum due today', { dueTodayCents: 13_981 }, 'due today = down payment + fees that are not financed'],
  ['a fee due today one cent higher', withFee(1, { cents: 1_501 }), 'due today = down payment + fees that are not financed'],
  ['a payment a day late', withPayment(3, { dueOn: '2027-04-06' }), ON_TIME],
  ['a wrong payment number', withPayment(3, { number: 3 }), ON_TIME],
  ['another loan date', { date: '2026-11-22' }, ON_TIME],
  ['a missing row', { paymentRows: disclosure.paymentRows.slice(0, 2) }, GROUPED],
  ['a duplicate row', { paymentRows: [...disclosure.paymentRows, disclosure.paymentRows[2]!] }, GROUPED],
  ['rows out of order', { paymentRows: disclosure.paymentRows.toReversed() }, GROUPED],
  ['a row with another date', withRow(0, { firstDueOn: '2027-01-06' }), GROUPED],
  ['a row with another amount', withRow(1, { paymentCents: 10_504 }), GROUPED],
  ['a row with another count', withRow(1, { count: 11 }), GROUPED],
  [
    'a row for two different amounts',
    { paymentRows: [disclosure.paymentRows[0]!, { ...disclosure.paymentRows[1]!, count: 11 }] },
    GROUPED,
  ],
  ['prepayment terms without the prepaid finance charge', { prepayment: { penalty: false, refund: null } }, PREPAYMENT],
  ['a first period counted as two months', { firstPeriod: { months: 2, days: 0 } }, PERIOD],
  ['a rate 1/8 of a point too low', { apr: 0.2141 }, 'the APR is within 1/8 of a point of the exact APR'],
  ['a rate 1/8 of a point too high', { apr: 0.2167 }, 'the APR is within 1/8 of a point of the exact APR'],
  ['a cap below the rate', { caps: { aprBps: 2_153, maprBps: null } }, 'the APR is not above the cap'],
  ['a military cap below the rate', { caps: { aprBps: 3_599, maprBps: 2_153 } }, 'the military APR is not above its cap'],
];

describe('requireIdentities', () => {
  it('accepts a consistent disclosure', () => {
    expect(() => requireIdentities(disclosure)).not.toThrow();
  });

  it.each(violations)('rejects %s', (_case, change, identity) => {
    expect(() => requireIdentities({ ...disclosure, ...change })).toThrow(RangeError);
    expect(() => requireIdentities({ ...disclosure, ...change })).toThrow(`expected: ${identity}`);
  });

  it('checks every identity, each of which is violated by a case above', () => {
    expect(new Set(violations.map(([, , identity]) => identity))).toEqual(new Set(names));
  });

  it.each([0.2142, 0.2154, 0.2166])('accepts a stated APR of %d, within 1/8 of a point of 21.5393 %%', (apr) => {
    expect(() => requireIdentities({ ...disclosure, apr })).not.toThrow();
  });

  it.each([
    ['a military cap above the rate', { caps: { aprBps: 2_154, maprBps: 2_154 } }],
    ['no military cap', { caps: { aprBps: 3_599, maprBps: null } }],
  ])('accepts %s', (_case, change) => {
    expect(() => requireIdentities({ ...disclosure, ...change })).not.toThrow();
  });

  it('includes charges in the military APR that are not part of the finance charge', () => {
    const charged = { ...disclosure, ...withFee(1, { mapr: true }) };

    expect(() => requireIdentities({ ...charged, caps: { aprBps: 3_599, maprBps: 2_154 } })).toThrow(
      'the military APR is not above its cap',
    );
    expect(() => requireIdentities({ ...charged, caps: { aprBps: 3_599, maprBps: 2_500 } })).not.toThrow();
  });

  // $100.00 for a month: 3 % is an APR of 36 %, and 2 % is 24 %.
  it.each([
    { rateBps: 3_600, maprBps: 3_600 },
    { rateBps: 2_400, maprBps: 2_400 },
    { rateBps: 1_200, maprBps: 1_200 },
  ])('accepts a military APR of exactly the cap: $maprBps', ({ rateBps, maprBps }) => {
    const offers = [createOffer({ termLength: 1, tierAprBps: { A: rateBps } })];
    const atCap = createDisclosure({ offers, caps: { maxAprBps: rateBps, maprCapBps: maprBps } }, 10_000);

    expect(atCap.apr).toBe(maprBps / 10_000);
    expect(() => requireIdentities({ ...atCap, caps: { aprBps: rateBps, maprBps: maprBps - 1 } })).toThrow('the military APR');
  });

  it.each([
    { days: 13, terms: 11, isMonth: true },
    { days: 14, terms: 11, isMonth: false },
  ])(
    'accepts that a first period with $days odd days before $terms payments counts as one month: $isMonth',
    ({ days, terms, isMonth }) => {
      const longer = {
        ...disclosure,
        firstPaymentAfter: { months: 1, days },
        firstPeriod: { months: 1, days: 0 },
        payments: Array.from({ length: terms }, () => first),
      };
      const [, isSatisfied] = identities.find(([name]) => name.startsWith('the first period has'))!;

      expect(isSatisfied(longer)).toBe(isMonth);
    },
  );
});
