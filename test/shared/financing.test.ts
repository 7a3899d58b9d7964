import { describe, expect, it } from 'vitest';
import { computeFinancing } from '../../shared/financing.ts';
import { createFee, createSheet } from '../support/programs.ts';

const PURCHASE = 100_000;

describe('computeFinancing', () => {
  it('finances the whole purchase without a down payment and fees', () => {
    expect(computeFinancing(createSheet(), PURCHASE)).toEqual({
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
    { downPayment: { percentBps: 1_000 }, purchase: 100_000, down: 10_000, rule: '10 %' },
    { downPayment: { percentBps: 1_000 }, purchase: 100_001, down: 10_001, rule: 'fractions of a cent are rounded up' },
    { downPayment: { percentBps: 1_000 }, purchase: 99_999_999_999, down: 10_000_000_000, rule: 'a large amount' },
    { downPayment: { minCents: 5_000 }, purchase: 100_000, down: 5_000, rule: 'a fixed amount' },
    { downPayment: { percentBps: 1_000, minCents: 5_000 }, purchase: 100_000, down: 10_000, rule: 'the larger of both' },
    { downPayment: { percentBps: 1_000, minCents: 5_000 }, purchase: 20_000, down: 5_000, rule: 'the larger of both' },
    { downPayment: { minCents: 5_000 }, purchase: 4_000, down: 4_000, rule: 'never more than the purchase' },
  ])('requires a down payment of $down on $purchase cents: $rule', ({ downPayment, purchase, down }) => {
    const financing = computeFinancing(createSheet({ downPayment }), purchase);

    expect(financing.downPaymentCents).toBe(down);
    expect(financing.principalCents).toBe(purchase - down);
    expect(financing.dueTodayCents).toBe(down);
  });

  it.each([
    { financeCharge: true, financed: true, principal: 103_000, amount: 100_000, today: 0 },
    { financeCharge: true, financed: false, principal: 100_000, amount: 97_000, today: 3_000 },
    { financeCharge: false, financed: true, principal: 103_000, amount: 103_000, today: 0 },
    { financeCharge: false, financed: false, principal: 100_000, amount: 100_000, today: 3_000 },
  ])('finances the cents of a fee of $30.00 as in %j', ({ principal, amount, today, ...fee }) => {
    const sheet = createSheet({ fees: [createFee({ flatCents: 3_000, ...fee })] });

    expect(computeFinancing(sheet, PURCHASE)).toMatchObject({
      principalCents: principal,
      amountFinancedCents: amount,
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
  ])('charges $cents cents on $1,000.00 for $fee', ({ fee, cents }) => {
    expect(computeFinancing(createSheet({ fees: [createFee(fee)] }), PURCHASE).fees).toMatchObject([{ cents }]);
  });

  it.each([
    [1_999, 20, 'more than half a cent rounds up'],
    [1_949, 19, 'less than half a cent rounds down'],
    [1_950, 20, 'half a cent rounds up'],
  ])('rounds a fee of 1 %% on %i cents to %i: %s', (purchase, cents) => {
    expect(computeFinancing(createSheet({ fees: [createFee({ amountBps: 100 })] }), purchase).fees[0]!.cents).toBe(cents);
  });

  it('charges the fee on the financed amount, not on the down payment', () => {
    const sheet = createSheet({ downPayment: { percentBps: 5_000 }, fees: [createFee({ amountBps: 200 })] });

    expect(computeFinancing(sheet, PURCHASE)).toMatchObject({ principalCents: 51_000, amountFinancedCents: 50_000 });
  });
});
