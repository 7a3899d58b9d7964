import { beforeAll, describe, expect, it } from 'vitest';
import { discloseLoan } from '../../../shared/disclosure/disclose-loan.ts';
import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import { plansFor } from '../../../shared/plans.ts';
import { program, sheet } from '../../support/checkout.ts';
import { createFee } from '../../support/programs.ts';
import { elaborate, createDisclosure } from './create-disclosure.ts';
import type { CivilDate } from '../../../shared/dates.ts';

describe('discloseLoan a loan with fees, a down payment and an odd first period', () => {
  let disclosure: LoanDisclosure;
  beforeAll(() => {
    disclosure = createDisclosure(elaborate, 124_800, { state: 'CA', merchantName: 'Acme Goods' });
  });

  // $1,248.00 less 10 %, plus a fee of 2 %, at 17.99 % over 12 months. 14 odd days bear $7.91 of interest. Calculated by hand;
  // the APR of 21.5393 % by bisection with 50 digits.
  it('states the figures of the loan', () => {
    expect(disclosure).toMatchObject({
      purchaseCents: 124_800,
      downPaymentCents: 12_480,
      principalCents: 114_566,
      prepaidFinanceChargeCents: 2_246,
      amountFinancedCents: 112_320,
      financeChargeCents: 14_506,
      totalOfPaymentsCents: 126_826,
      dueTodayCents: 13_980,
      apr: 0.2154,
      noteRateBps: 1_799,
    });
    expect(disclosure.payments[0]).toEqual({
      number: 1,
      dueOn: '2027-01-05',
      paymentCents: 11_294,
      interestCents: 2_509,
      principalCents: 8_785,
      balanceCents: 105_781,
    });
  });

  it('itemizes the amount financed and the other charges', () => {
    expect(disclosure.itemization).toEqual([
      { kind: 'merchant', cents: 112_320 },
      { kind: 'fee', fee: 'origination', cents: 2_246 },
      { kind: 'prepaidFinanceCharge', cents: -2_246 },
    ]);
    expect(disclosure.fees).toEqual([
      { kind: 'origination', cents: 2_246, financeCharge: true, financed: true, mapr: true },
      { kind: 'application', cents: 1_500, financeCharge: false, financed: false, mapr: false },
    ]);
    expect(disclosure).toMatchObject({
      late: { flatCents: 500, percentBps: 100 },
      prepayment: { penalty: false, refund: false },
    });
  });

  it('states the late charge of the buyer’s state instead of the program’s', () => {
    const late = { percentBps: 500, graceDays: 10, states: { CA: { flatCents: 1_000, graceDays: 15 } } };

    expect(createDisclosure({ late }, 124_800, { state: 'IL' }).late).toEqual({
      flatCents: 0,
      percentBps: 500,
      graceDays: 10,
      combine: 'sum',
    });
    expect(createDisclosure({ late }, 124_800, { state: 'CA' }).late).toEqual({
      flatCents: 1_000,
      percentBps: 0,
      graceDays: 15,
      combine: 'sum',
    });
  });

  it('states the days in which a refund returns the fees, if the program has both', () => {
    const prepayment = { penalty: false, feeRefundDays: 30 };
    const fees = [createFee({ id: 'origination', amountBps: 200 })];
    expect(createDisclosure({ prepayment, fees }, 124_800).prepayment).toEqual({
      penalty: false,
      refund: false,
      feeRefundDays: 30,
    });
    expect(createDisclosure({ prepayment, fees: [] }, 124_800).prepayment).toEqual({ penalty: false, refund: null });
  });

  it('lists the first and the last payment in separate rows if they differ', () => {
    expect(disclosure.paymentRows).toEqual([
      { count: 1, paymentCents: 11_294, firstDueOn: '2027-01-05' },
      { count: 10, paymentCents: 10_503, firstDueOn: '2027-02-05' },
      { count: 1, paymentCents: 10_502, firstDueOn: '2027-12-05' },
    ]);
  });

  it('states the card portion, which changes nothing else', () => {
    const withCard = createDisclosure(elaborate, 124_800, { state: 'CA', merchantName: 'Acme Goods', cardCents: 50_000 });
    expect(withCard).toEqual({ ...disclosure, cardCents: 50_000 });
    expect('cardCents' in disclosure).toBe(false);
  });

  it.each([
    ['es', 'CA', ['Con licencia de California.']],
    ['en', 'CA', ['Made under a California license.']],
    ['es', 'TX', []],
  ] as const)('in %s for %s has the notices %j', (language, state, notices) => {
    expect(createDisclosure(elaborate, 124_800, { state, language }).stateNotices).toEqual(notices);
  });

  it('states the parties, the program and the versions', () => {
    expect(disclosure).toMatchObject({
      creditor: { name: 'First Fair Bank', nmlsId: '1234567', license: elaborate.lender.licenses.CA },
      merchantName: 'Acme Goods',
      stateNotices: ['Made under a California license.'],
      state: 'CA',
      currency: 'USD',
      programId: 'standard',
      programVersion: 1,
      offerId: 'offer',
      tierId: 'A',
      date: '2026-11-21',
      calculationVersion: 1,
      disclosureVersion: 5,
    });
  });
});

describe('discloseLoan a loan without fees', () => {
  const disclosure = discloseLoan(
    program,
    plansFor(sheet, 124_800, '2026-11-21').find(({ tierId }) => tierId === 'B')!,
    {
      date: '2026-11-21',
    },
  );

  it('states the note rate as APR and the whole purchase as amount financed', () => {
    expect(disclosure).toMatchObject({
      apr: 0.1999,
      noteRateBps: 1_999,
      amountFinancedCents: 124_800,
      financeChargeCents: 27_628,
      totalOfPaymentsCents: 152_428,
      dueTodayCents: 0,
      fees: [],
      late: { flatCents: 0, percentBps: 0, graceDays: 0, combine: 'sum' },
      itemization: [{ kind: 'merchant', cents: 124_800 }],
    });
  });

  it('has null for missing information', () => {
    expect(disclosure).toMatchObject({
      merchantName: null,
      state: null,
      stateNotices: [],
      security: 'none',
      creditor: { name: 'Fairterm Lending', nmlsId: null, license: null },
      prepayment: { penalty: false, refund: null },
    });
  });
});

describe('discloseLoan a loan with a minor irregularity in the first period', () => {
  const first = { months: 1, days: 14 };
  const apr = (firstPeriodPolicy: string) =>
    createDisclosure({ schedule: { firstPaymentAfter: first, oddDaysInterest: '365', firstPeriodPolicy } }).apr;

  it('counts its actual length in the APR, or one month if the program disregards it', () => {
    expect(apr('exact')).toBe(0.1795);
    expect(apr('minorIrregularity')).toBe(0.193);
  });
});

describe('discloseLoan', () => {
  const plan = plansFor(sheet, 124_800, '2026-11-21')[0]!;

  it.each([
    ['a wrong rate', { ...plan, aprBps: 1_900 }, 'the APR is within 1/8 of a point of the exact APR'],
    [
      'a wrong amount financed',
      { ...plan, financing: { ...plan.financing, amountFinancedCents: 124_799 } },
      'amount financed = sum of its itemization',
    ],
    ['a wrong finance charge', { ...plan, financeChargeCents: 1 }, 'amount financed + finance charge = total of payments'],
    ['the payments of another offer', { ...plan, offerId: 'standard-6' }, 'sum of the payments = total of payments'],
  ])('rejects a plan with %s', (_case, wrong, identity) => {
    expect(() => discloseLoan(program, wrong, { date: '2026-11-21' })).toThrow(RangeError);
    expect(() => discloseLoan(program, wrong, { date: '2026-11-21' })).toThrow(`expected: ${identity}`);
  });

  it.each(['2026-02-30', '2026-13-01', 'today', ''])('rejects the date %j', (date) => {
    expect(() => discloseLoan(program, plan, { date: date as CivilDate })).toThrow(RangeError);
  });

  it('rejects a rate above the cap of the buyer’s state', () => {
    const capped = { ...program, caps: { ...program.caps, stateAprCapBps: { AR: 998 } } };

    expect(discloseLoan(capped, plan, { date: '2026-11-21', state: 'IL' }).caps).toEqual({ aprBps: 3_599, maprBps: 3_600 });
    expect(() => discloseLoan(capped, plan, { date: '2026-11-21', state: 'AR' })).toThrow('the APR is not above the cap');
  });
});
