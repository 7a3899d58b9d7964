import { beforeAll, describe, expect, it } from 'vitest';
import { boxOf } from '../../../shared/disclosure/box.ts';
import type { TilaBox } from '../../../shared/disclosure/tila-box.ts';
import { plansFor } from '../../../shared/plans.ts';
import { program, sheet } from '../../support/given.ts';
import { givenFee, givenOffer } from '../../support/programs.ts';
import { elaborate, givenBox } from './given-box.ts';

describe('The box of a credit sale with fees, a down payment and an odd first period', () => {
  let box: TilaBox;
  beforeAll(() => {
    box = givenBox(elaborate, 124_800, { state: 'CA', merchantName: 'Acme Goods' });
  });

  // $1,248.00 less 10 %, and 2 % of what is left, at 17.99 % over 12 months; 14 odd days bear $7.91. Reckoned by hand, the APR
  // by bisection with fifty digits: 21.5393 %.
  it('has the figures of the loan', () => {
    expect(box).toMatchObject({
      purchaseCents: 124_800,
      downPaymentCents: 12_480,
      principalCents: 114_566,
      prepaidFinanceChargeCents: 2_246,
      amountFinancedCents: 112_320,
      financeChargeCents: 14_506,
      totalOfPaymentsCents: 126_826,
      totalSalePriceCents: 139_306,
      dueTodayCents: 13_980,
      apr: 0.2154,
      noteRateBps: 1_799,
    });
    expect(box.payments[0]).toEqual({
      number: 1,
      dueOn: '2027-01-05',
      paymentCents: 11_294,
      interestCents: 2_509,
      principalCents: 8_785,
      balanceCents: 105_781,
    });
  });

  it('says how the amount financed comes about, and what it costs beside', () => {
    expect(box.itemization).toEqual([
      { kind: 'merchant', cents: 112_320 },
      { kind: 'fee', fee: 'origination', cents: 2_246 },
      { kind: 'prepaidFinanceCharge', cents: -2_246 },
    ]);
    expect(box.fees).toEqual([
      { kind: 'origination', cents: 2_246, financeCharge: true, financed: true, mapr: true },
      { kind: 'application', cents: 1_500, financeCharge: false, financed: false, mapr: false },
    ]);
    expect(box).toMatchObject({ late: { flatCents: 500, percentBps: 100 }, prepayment: { penalty: false, refund: false } });
  });

  it('tells a first and a last payment that are not like the others apart', () => {
    expect(box.paymentRows).toEqual([
      { count: 1, paymentCents: 11_294, firstDueOn: '2027-01-05' },
      { count: 10, paymentCents: 10_503, firstDueOn: '2027-02-05' },
      { count: 1, paymentCents: 10_502, firstDueOn: '2027-12-05' },
    ]);
  });

  it('counts what is paid by card besides into the total sale price, and into nothing else', () => {
    const withCard = givenBox(elaborate, 124_800, { state: 'CA', merchantName: 'Acme Goods', cardCents: 50_000 });
    expect(withCard).toEqual({ ...box, cardCents: 50_000, totalSalePriceCents: 139_306 + 50_000 });
    expect('cardCents' in box).toBe(false);
  });

  it('prices no sale where there is none, whatever is paid by card', () => {
    expect(givenBox({}, 124_800, { cardCents: 50_000 })).toMatchObject({ totalSalePriceCents: null, cardCents: 50_000 });
  });

  it.each([
    ['es', 'CA', 'Con licencia de California.'],
    ['en', 'CA', 'Made under a California license.'],
    ['es', 'TX', null],
  ] as const)('says in %s what %s wants said', (language, state, notice) => {
    expect(givenBox(elaborate, 124_800, { state, language }).stateNotice).toBe(notice);
  });

  it('says who lends to whom, by which program and which rules', () => {
    expect(box).toMatchObject({
      creditor: { name: 'First Fair Bank', licence: 'CFL license 60DBO-00000' },
      merchantName: 'Acme Goods',
      stateNotice: 'Made under a California license.',
      state: 'CA',
      creditType: 'creditSale',
      currency: 'USD',
      programId: 'standard',
      programVersion: 1,
      offerId: 'offer',
      tierId: 'A',
      date: '2026-11-21',
      calculationVersion: 1,
      disclosureVersion: 1,
    });
  });

  it('is the same when it comes back from storage', () => {
    expect(JSON.parse(JSON.stringify(box))).toEqual(box);
  });
});

describe('The box of the plainest loan', () => {
  const box = boxOf(
    program,
    plansFor(sheet, 124_800, '2026-11-21').find(({ tierId }) => tierId === 'B')!,
    {
      date: '2026-11-21',
    },
  );

  it('states the rate of the note, and the whole purchase as the amount financed', () => {
    expect(box).toMatchObject({
      apr: 0.1999,
      noteRateBps: 1_999,
      amountFinancedCents: 124_800,
      financeChargeCents: 27_628,
      totalOfPaymentsCents: 152_428,
      dueTodayCents: 0,
      fees: [],
      late: { flatCents: 0, percentBps: 0 },
      itemization: [{ kind: 'merchant', cents: 124_800 }],
    });
  });

  it('has nothing to say of what it has not', () => {
    expect(box).toMatchObject({
      totalSalePriceCents: null,
      merchantName: null,
      state: null,
      stateNotice: null,
      security: 'none',
      creditor: { name: 'Fairterm Lending', licence: null },
      prepayment: { penalty: false, refund: null },
    });
  });
});

describe('Fees, by what they are and when they are paid', () => {
  // $1,000.00 over 12 months at 17.99 %, a fee of $50.00.
  it.each([
    { fee: { financeCharge: true, financed: true }, financed: 100_000, dueToday: 0, items: [100_000, 5_000, -5_000] },
    { fee: { financeCharge: true, financed: false }, financed: 95_000, dueToday: 5_000, items: [100_000, -5_000] },
    { fee: { financeCharge: false, financed: true }, financed: 105_000, dueToday: 0, items: [100_000, 5_000] },
    { fee: { financeCharge: false, financed: false }, financed: 100_000, dueToday: 5_000, items: [100_000] },
  ])('$fee finance $financed cents and leave $dueToday due today', ({ fee, financed, dueToday, items }) => {
    const box = givenBox({ fees: [givenFee({ flatCents: 5_000, ...fee })], creditType: 'creditSale' }, 100_000);

    expect(box).toMatchObject({ amountFinancedCents: financed, dueTodayCents: dueToday });
    expect(box.itemization.map(({ cents }) => cents)).toEqual(items);
    expect(box.totalSalePriceCents).toBe(box.totalOfPaymentsCents + (fee.financeCharge && !fee.financed ? 5_000 : 0));
    expect(box.prepayment.refund).toBe(fee.financeCharge ? false : null);
  });
});

describe('The payments of a loan made on', () => {
  const plain = { months: 1, days: 0 };
  it.each([
    { date: '2027-01-31', first: plain, due: ['2027-02-28', '2027-03-31', '2027-04-30'] },
    { date: '2028-01-31', first: plain, due: ['2028-02-29', '2028-03-31', '2028-04-30'] },
    { date: '2026-11-30', first: { months: 3, days: 0 }, due: ['2027-02-28', '2027-03-30', '2027-04-30'] },
    { date: '2026-12-17', first: { months: 1, days: 14 }, due: ['2027-01-31', '2027-02-28', '2027-03-31'] },
  ])('$date, $first, are due on $due', ({ date, first, due }) => {
    const { payments } = givenBox({ schedule: { firstPaymentAfter: first } }, 124_800, { date });

    expect(payments.slice(0, due.length).map(({ dueOn }) => dueOn)).toEqual(due);
  });

  it.each([
    { termLength: 6, cents: 60_000, rows: ['6 x 10000'] },
    { termLength: 3, cents: 10_000, rows: ['2 x 3333', '1 x 3334'] },
    { termLength: 2, cents: 10_001, rows: ['1 x 5001', '1 x 5000'] },
    { termLength: 1, cents: 10_001, rows: ['1 x 10001'] },
  ])('are told in as many rows as amounts differ: $rows', ({ termLength, cents, rows }) => {
    const { paymentRows } = givenBox({ offers: [givenOffer({ termLength, tierAprBps: { A: 0 } })] }, cents);

    expect(paymentRows.map(({ count, paymentCents }) => `${count} x ${paymentCents}`)).toEqual(rows);
  });
});

describe('A slightly longer first period', () => {
  const first = { months: 1, days: 14 };
  const apr = (firstPeriodPolicy: string) =>
    givenBox({ schedule: { firstPaymentAfter: first, oddDaysInterest: '365', firstPeriodPolicy } }).apr;

  it('counts in the APR as it is, or as a month where the program has it so', () => {
    expect(apr('exact')).toBe(0.1795);
    expect(apr('minorIrregularity')).toBe(0.193);
  });
});

describe('Nothing is shown', () => {
  const plan = plansFor(sheet, 124_800, '2026-11-21')[0]!;

  it.each([
    ['a rate it does not have', { ...plan, aprBps: 1_900 }, 'the APR is within 1/8 of a point of the exact one'],
    [
      'an amount it does not lend',
      { ...plan, financing: { ...plan.financing, amountFinancedCents: 124_799 } },
      'amount financed = sum of its itemization',
    ],
    [
      'a finance charge it does not have',
      { ...plan, financeChargeCents: 1 },
      'amount financed + finance charge = total of payments',
    ],
    ['another offer’s payments', { ...plan, offerId: 'standard-6' }, 'sum of the payments = total of payments'],
  ])('of a plan that states %s', (_what, wrong, broken) => {
    expect(() => boxOf(program, wrong, { date: '2026-11-21' })).toThrow(RangeError);
    expect(() => boxOf(program, wrong, { date: '2026-11-21' })).toThrow(`it does not hold that ${broken}`);
  });

  it.each(['2026-02-30', '2026-13-01', 'today', ''])('of a loan made on %j, which is no day', (date) => {
    expect(() => boxOf(program, plan, { date })).toThrow(RangeError);
  });

  it('above the cap of the buyer’s state', () => {
    const capped = { ...program, caps: { ...program.caps, stateAprCapBps: { AR: 998 } } };

    expect(boxOf(capped, plan, { date: '2026-11-21', state: 'IL' }).caps).toEqual({ aprBps: 3_599, maprBps: 3_600 });
    expect(() => boxOf(capped, plan, { date: '2026-11-21', state: 'AR' })).toThrow('the APR is not above the cap');
  });

  // The unit-period is then not the month: for one payment the whole term, for two the average of both periods.
  it.each([
    { termLength: 1, months: 6, isTold: false },
    { termLength: 2, months: 6, isTold: false },
    { termLength: 1, months: 1, isTold: true },
    { termLength: 2, months: 1, isTold: true },
    { termLength: 3, months: 6, isTold: true },
  ])('of $termLength payments after $months months, which the rate of a month tells: $isTold', (example) => {
    const { termLength, months, isTold } = example;
    const offers = [givenOffer({ termLength, tierAprBps: { A: 2_999 } })];
    const make = () => givenBox({ offers, schedule: { firstPaymentAfter: { months }, oddDaysInterest: '360' } });

    if (isTold) expect(make).not.toThrow();
    else expect(make).toThrow('Expected 3 payments or more after an odd first period');
  });
});
