import { describe, expect, it } from 'vitest';
import { financingOf } from '../../shared/financing.ts';
import { samples, type SeededRandom } from '../support/random.ts';
import { givenFee, givenSheet } from '../support/programs.ts';

const PURCHASE = 100_000;

describe('a purchase', () => {
  it('without down payment and fees is what is financed', () => {
    expect(financingOf(givenSheet(), PURCHASE)).toEqual({
      purchaseCents: PURCHASE,
      downPaymentCents: 0,
      fees: [],
      principalCents: PURCHASE,
      prepaidFinanceChargeCents: 0,
      amountFinancedCents: PURCHASE,
      dueTodayCents: 0,
    });
  });

  it.each([
    { downPayment: { percentBps: 1_000 }, purchase: 100_000, down: 10_000, because: 'a tenth' },
    { downPayment: { percentBps: 1_000 }, purchase: 100_001, down: 10_001, because: 'a part of a cent is a cent' },
    { downPayment: { percentBps: 1_000 }, purchase: 99_999_999_999, down: 10_000_000_000, because: 'large amounts too' },
    { downPayment: { minCents: 5_000 }, purchase: 100_000, down: 5_000, because: 'a fixed amount' },
    { downPayment: { percentBps: 1_000, minCents: 5_000 }, purchase: 100_000, down: 10_000, because: 'the larger of both' },
    { downPayment: { percentBps: 1_000, minCents: 5_000 }, purchase: 20_000, down: 5_000, because: 'the larger of both' },
    { downPayment: { minCents: 5_000 }, purchase: 4_000, down: 4_000, because: 'never more than the purchase' },
  ])('of $purchase cents takes $down down: $because', ({ downPayment, purchase, down }) => {
    const financing = financingOf(givenSheet({ downPayment }), purchase);

    expect(financing.downPaymentCents).toBe(down);
    expect(financing.principalCents).toBe(purchase - down);
    expect(financing.dueTodayCents).toBe(down);
  });

  it.each([
    {
      what: 'in the finance charge, lent',
      fee: { financeCharge: true, financed: true },
      principal: 103_000,
      financed: 100_000,
      today: 0,
    },
    {
      what: 'in the finance charge, paid at once',
      fee: { financeCharge: true, financed: false },
      principal: 100_000,
      financed: 97_000,
      today: 3_000,
    },
    { what: 'outside it, lent', fee: { financeCharge: false, financed: true }, principal: 103_000, financed: 103_000, today: 0 },
    {
      what: 'outside it, paid at once',
      fee: { financeCharge: false, financed: false },
      principal: 100_000,
      financed: 100_000,
      today: 3_000,
    },
  ])('with a fee of $30.00 $what has an amount financed of $financed', ({ fee, principal, financed, today }) => {
    const sheet = givenSheet({ fees: [givenFee({ flatCents: 3_000, ...fee })] });

    expect(financingOf(sheet, PURCHASE)).toMatchObject({
      principalCents: principal,
      amountFinancedCents: financed,
      prepaidFinanceChargeCents: fee.financeCharge ? 3_000 : 0,
      dueTodayCents: today,
      fees: [{ kind: 'origination', cents: 3_000, ...fee }],
    });
  });

  it.each([
    { fee: { amountBps: 250 }, cents: 2_500 },
    { fee: { amountBps: 1 }, cents: 10 },
    { fee: { amountBps: 250, flatCents: 100 }, cents: 2_600 },
    { fee: { amountBps: 250, minCents: 4_000 }, cents: 4_000 },
    { fee: { amountBps: 250, maxCents: 2_000 }, cents: 2_000 },
    { fee: { amountBps: 250, flatCents: 100, maxCents: 2_550 }, cents: 2_550 },
    { fee: { amountBps: 250, minCents: 100, maxCents: 9_000 }, cents: 2_500 },
  ])('of $1,000.00 has a fee of $cents by $fee', ({ fee, cents }) => {
    expect(financingOf(givenSheet({ fees: [givenFee(fee)] }), PURCHASE).fees.map((each) => each.cents)).toEqual([cents]);
  });

  it.each([
    [1_999, 20, 'half a cent up'],
    [1_949, 19, 'less than half down'],
    [1_950, 20, 'exactly half up'],
  ])('of %i cents has a fee of 1 %% of %i: %s', (purchase, cents) => {
    expect(financingOf(givenSheet({ fees: [givenFee({ amountBps: 100 })] }), purchase).fees[0]!.cents).toBe(cents);
  });

  it('is charged the fee on what is lent, not on the down payment', () => {
    const sheet = givenSheet({ downPayment: { percentBps: 5_000 }, fees: [givenFee({ amountBps: 200 })] });

    expect(financingOf(sheet, PURCHASE)).toMatchObject({ principalCents: 51_000, amountFinancedCents: 50_000 });
  });

  it('says nothing of a fee that is nothing', () => {
    expect(financingOf(givenSheet({ fees: [givenFee({ maxCents: 0, flatCents: 500 })] }), PURCHASE).fees).toEqual([]);
  });

  it('comes apart into parts that add up again, for 2,000 purchases with two fees and a down payment', () => {
    const made = (random: SeededRandom) => ({
      purchase: random.magnitude(10_000, 10_000_000),
      downPayment: { percentBps: random.integer(0, 5_000), minCents: random.integer(0, 5_000) },
      fees: ['a', 'b'].map((id) =>
        givenFee({
          id,
          amountBps: random.integer(0, 500),
          flatCents: random.integer(0, 500),
          financeCharge: random.fraction() < 0.5,
          financed: random.fraction() < 0.5,
        }),
      ),
    });
    for (const { purchase, downPayment, fees } of samples(2_000, 61, made)) {
      const financing = financingOf(givenSheet({ downPayment, fees }), purchase);
      const feeCents = (which: (fee: (typeof financing.fees)[number]) => boolean) =>
        financing.fees.filter(which).reduce((sum, { cents }) => sum + cents, 0);

      const lent = feeCents(({ financed }) => financed);
      expect(financing.downPaymentCents + financing.principalCents - lent).toBe(purchase);
      expect(financing.amountFinancedCents + financing.prepaidFinanceChargeCents).toBe(financing.principalCents);
      expect(financing.dueTodayCents).toBe(financing.downPaymentCents + feeCents(({ financed }) => !financed));
    }
  });
});
