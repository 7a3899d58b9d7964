import { assert } from 'superstruct';
import { describe, expect, it } from 'vitest';
import { presentOffer } from '../../../../server/lending/applications/offers.ts';
import { offerOf } from '../../../../server/lending/applications/offers.ts';
import { disclosureHash, presentAgreements } from '../../../../server/agreements/agreement.ts';
import { discloseLoan } from '../../../../shared/disclosure/disclose-loan.ts';
import { plansFor } from '../../../../shared/plans.ts';
import { rateSheet } from '../../../../shared/programs/rate-sheet.ts';
import { type ApplicationStatus, Offer, PaymentAgreement } from '../../../../shared/wire/application.ts';
import { program } from '../../../support/checkout.ts';
import { elaborateProgram, TODAY } from '../../../support/programs.ts';
import type { PaymentAgreement as Signed } from '../../../../server/lending/applications/signature.ts';

const ids = { programId: '00000000-0000-4000-8000-000000000001', currency: 'USD' };
const usd = (value: number) => ({ currency: 'USD', value });

/** Returns a signed agreement with its plan, and all plans of the purchase. */
function signFirstPlan(terms: typeof program, purchaseCents: number, cardCents = 0) {
  const plans = plansFor(rateSheet(terms, 'IL'), purchaseCents, TODAY).filter(({ tierId }) => tierId === 'A');
  const plan = plans[0]!;
  const disclosure = discloseLoan(terms, plan, { date: TODAY, state: 'IL', merchantName: 'Acme Goods', cardCents });
  const signed: Signed = {
    id: '00000000-0000-4000-8000-000000000002',
    transactionId: '00000000-0000-7000-8000-000000000004',
    offer: offerOf(plan, ids),
    disclosure,
    disclosureHash: disclosureHash(disclosure),
    documentHash: 'd'.repeat(64),
    documentCode: 'c'.repeat(22),
    hasPdf: true,
    signedName: 'Augusta Ada King',
    signedAt: '2026-11-21T09:30:00.000000Z',
    consents: [],
    client: null,
    codeSentBy: null,
  };
  return { plans, plan, disclosure, signed };
}

const APPLICATION = '00000000-0000-7000-8000-000000000003';
const UPDATED_AT = '2026-11-21T09:30:01.000000Z';
const presentSigned = (signed: Signed, status: ApplicationStatus = 'CHECKOUT_COMPLETED') =>
  presentAgreements({ id: APPLICATION, status, updatedAt: UPDATED_AT, paymentAgreements: [signed] })[0]!;

describe('An offer', () => {
  it('matches the disclosure of its plan', () => {
    const { plans } = signFirstPlan(program, 75_000);
    const offers = plans.map((plan) => offerOf(plan, ids));
    for (const offer of offers) assert(presentOffer(offer, APPLICATION), Offer);
    expect(offers.map(({ id, termLength, apr }) => [id, termLength, apr])).toEqual([
      ['standard-24', 24, 0.0999],
      ['standard-12', 12, 0.0799],
      ['standard-6', 6, 0.0599],
    ]);
    expect(offers[0]).toEqual({
      id: 'standard-24',
      programID: ids.programId,
      termLength: 24,
      termInterval: 'Month',
      apr: 0.0999,
      monthly: usd(3_461),
      amountFinanced: usd(75_000),
      totalOfPayments: usd(plans[0]!.schedule.totalOfPaymentsCents),
      financeCharge: usd(plans[0]!.schedule.totalOfPaymentsCents - 75_000),
    });
  });
});

describe('The ids of an offer', () => {
  const stored = offerOf(signFirstPlan(program, 75_000).plan, ids);

  it('are UUIDs of the application and the plan, and of the program and the plan', () => {
    expect(presentOffer(stored, APPLICATION)).toEqual({
      ...stored,
      // Version 5 of RFC 9562, which clients that have stored them rely on.
      id: 'b0e7510c-cef3-560c-bfbc-fa74579ce34a',
      planID: 'standard-24',
      capacity: usd(75_000),
      paymentProduct: { id: '454de52d-9063-58eb-b820-041cdcee669e', type: 'INSTALLMENTS' },
    });
  });

  it('differ between applications and plans, and the product only between programs and plans', () => {
    const other = { ...stored, id: 'standard-12' };
    const otherProgram = { ...stored, programID: '00000000-0000-4000-8000-000000000004' };
    const otherApplication = '00000000-0000-7000-8000-000000000005';
    const all = [presentOffer(stored, APPLICATION), presentOffer(other, APPLICATION), presentOffer(stored, otherApplication)];
    expect(new Set(all.map(({ id }) => id)).size).toBe(3);
    const products = [...all, presentOffer(otherProgram, APPLICATION)].map(({ paymentProduct }) => paymentProduct.id);
    expect(products[2]).toBe(products[0]);
    expect(new Set(products).size).toBe(3);
  });
});

describe('A payment agreement', () => {
  it.each([
    ['the standard program', program, 0],
    ['a program with fees and a down payment', elaborateProgram, 0],
    ['a purchase with a card portion', elaborateProgram, 5_000],
  ])('has the disclosed figures: %s', (_case, terms, cardCents) => {
    const { disclosure, signed } = signFirstPlan(terms, 120_000, cardCents);
    const { offer } = signed;
    const shown = presentSigned(signed);

    assert(shown, PaymentAgreement);
    expect(shown).toMatchObject({
      id: signed.id,
      offer: presentOffer(offer, APPLICATION),
      paymentProductID: presentOffer(offer, APPLICATION).paymentProduct.id,
      paymentAmount: offer.monthly,
      status: 'COMPLETED',
      terms: { amount: offer.amountFinanced, interval: 'MONTHLY', length: offer.termLength, rate: offer.apr },
      createdAt: signed.signedAt,
      updatedAt: UPDATED_AT,
      consentedAt: signed.signedAt,
      disclosureHash: signed.disclosureHash,
      documentHash: signed.documentHash,
      disclosure: {
        creditor: terms.lender.name,
        date: TODAY,
        apr: offer.apr,
        financeCharge: offer.financeCharge,
        amountFinanced: offer.amountFinanced,
        totalOfPayments: offer.totalOfPayments,
        dueToday: usd(disclosure.dueTodayCents),
        prepaymentPenalty: false,
      },
    });
    const { payments } = shown.disclosure;
    expect(payments).toHaveLength(offer.termLength);
    expect(payments.reduce((sum, { amount }) => sum + amount.value, 0)).toBe(offer.totalOfPayments.value);
    expect(payments[1]!.amount).toEqual(offer.monthly);
    expect(payments.map(({ dueDate }) => dueDate)).toEqual(disclosure.payments.map(({ dueOn }) => dueOn));
  });

  it.each<[ApplicationStatus, string]>([
    ['ATTEMPTED_CHECKOUT', 'PENDING'],
    ['CHECKOUT_COMPLETED', 'COMPLETED'],
    ['DENIED', 'CANCELLED'],
  ])('of an application that is %s is %s', (status, expected) => {
    const { signed } = signFirstPlan(program, 75_000);
    expect(presentSigned(signed, status).status).toBe(expected);
  });

  it('does not contain the signed name', () => {
    const { signed } = signFirstPlan(program, 75_000);
    expect(JSON.stringify(presentSigned(signed))).not.toMatch(/augusta|king/i);
  });
});
