import { describe, expect, it } from 'vitest';
import { disclosureHash, disclosureOf } from '../../../server/checkout/agreement.ts';
import { plansFor } from '../../../shared/plans.ts';
import { program } from '../../support/given.ts';

const plan = plansFor(program, 124_800, 'B')[0]!;

describe('A disclosure', () => {
  it('adds up: amount financed and finance charge make the total, payment by payment', () => {
    const disclosure = disclosureOf(program, plan, '2026-11-21');
    expect(disclosure).toMatchObject({
      apr: 0.1999,
      amountFinancedCents: 124_800,
      financeChargeCents: 27_628,
      totalOfPaymentsCents: 152_428,
      creditor: 'Fairterm Lending',
    });
    expect(disclosure.payments.reduce((sum, { paymentCents }) => sum + paymentCents, 0)).toBe(152_428);
  });

  it('counts its months from the day it is signed, to the end of short months', () => {
    const { payments } = disclosureOf(program, plan, '2027-01-31');
    expect(payments.slice(0, 4).map(({ dueOn }) => dueOn)).toEqual(['2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']);
    expect(payments.at(-1)!.dueOn).toBe('2029-01-31');
  });

  it.each([
    ['a rate it does not have', { ...plan, aprBps: 1_900 }],
    ['an amount it does not repay', { ...plan, amountCents: 124_799 }],
    ['a finance charge it does not have', { ...plan, schedule: { ...plan.schedule, financeChargeCents: 0 } }],
    [
      'a total it does not have',
      { ...plan, schedule: { ...plan.schedule, totalOfPaymentsCents: 152_427, financeChargeCents: 27_627 } },
    ],
  ])('that states %s is never shown', (_what, wrong) => {
    expect(() => disclosureOf(program, wrong, '2026-11-21')).toThrow('A disclosure contradicts itself');
  });

  it('has a hash that every change of it changes', () => {
    const disclosure = disclosureOf(program, plan, '2026-11-21');
    expect(disclosureHash(disclosure)).toMatch(/^[0-9a-f]{64}$/);
    expect(disclosureHash(disclosureOf(program, plan, '2026-11-21'))).toBe(disclosureHash(disclosure));
    expect(disclosureHash(disclosureOf(program, plan, '2026-11-22'))).not.toBe(disclosureHash(disclosure));
    expect(disclosureHash({ ...disclosure, creditor: 'Another' })).not.toBe(disclosureHash(disclosure));
  });
});
