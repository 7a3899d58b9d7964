import { createHash } from 'node:crypto';
import { discloseLoan } from '../../shared/disclosure/disclose-loan.ts';
import { canonicalJson } from '../../shared/disclosure/canonical-json.ts';
import type { LoanDisclosure } from '../../shared/disclosure/loan-disclosure.ts';
import type { Language } from '../../shared/languages/index.ts';
import type { Plan } from '../../shared/plans.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { RateSheet } from '../../shared/programs/rate-sheet.ts';
import type { AgreementStatus, PaymentAgreement as WireAgreement } from '../../shared/wire/application.ts';
import { type BuyerContact, fullName } from '../base/contact.ts';
import { presentOffer } from '../lending/applications/offers.ts';
import type { Application } from '../lending/applications/store.ts';
import { needsShipping, type Purchase } from '../purchases/carts/totals.ts';
import type { PaymentAgreement } from '../lending/applications/signature.ts';
import { texts } from '../base/texts.ts';
import { type Instant, dateIn } from '../base/time.ts';
import { fillAgreement, type FilledAgreement } from './agreement-text.ts';
import { type AgreementConsents, consentsHash } from './consents.ts';

/** Returns the signed agreement, or undefined before the signature. An application has at most one. */
export function signedAgreement({ paymentAgreements }: Pick<Application, 'paymentAgreements'>): PaymentAgreement | undefined {
  return paymentAgreements[0];
}

/**
 * Returns the SHA-256 of a disclosure's canonical JSON in UTF-8, hexadecimal. It proves that the shown, the signed and the stored
 * disclosure are the same, and can be computed in any programming language.
 */
export function disclosureHash(disclosure: LoanDisclosure): string {
  return createHash('sha256').update(canonicalJson(disclosure)).digest('hex');
}

/** A purchase on credit, for which an agreement is made. The checkout has one for each application. */
export interface FinancedPurchase {
  application: Application;
  merchant: { id: string; name: string };
  program: Program;
  purchase: Pick<Purchase, 'options' | 'totals'>;
  /** With the rates for the buyer's state. */
  pricing: { sheet: RateSheet };
  /** The card payment, and the down payment that is a part of it. */
  portions: { cardCents: number; downPaymentCents: number };
  /** The plans that the buyer is approved for. */
  plans: readonly Plan[];
}

/** The buyer and the shipping address that are shown with the disclosure and signed with it. */
export interface Parties {
  buyer: BuyerContact;
  /** Undefined when nothing is shipped. */
  shipTo: BuyerContact | undefined;
}

export function partiesOf({ application, purchase }: Pick<FinancedPurchase, 'application' | 'purchase'>): Parties {
  const { billingContact, shippingContact } = application;
  return { buyer: billingContact, shipTo: needsShipping(purchase.options) ? shippingContact : undefined };
}

/** The agreement that a buyer signs. */
export interface Terms {
  disclosure: LoanDisclosure;
  /** The lender's agreement; undefined for a signed disclosure without it. */
  agreement: FilledAgreement | undefined;
}

/**
 * Returns the SHA-256, hexadecimal, of everything that the agreement page shows: disclosure, agreement with its version, buyer,
 * addresses, card and consents. The form posts it with the signature, so that only what was shown can be signed.
 */
export function shownHash(
  { disclosure, agreement }: Terms,
  shown: Pick<Application, 'billingContact' | 'shippingContact' | 'cardLabel'>,
  consents: AgreementConsents,
): string {
  const { billingContact, shippingContact, cardLabel } = shown;
  const contacts = [billingContact, shippingContact, cardLabel];
  const parts = [disclosureHash(disclosure), agreement ?? null, ...contacts, consentsHash(consents)];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Returns true if the stored disclosure is the one that was signed. Any other must not be shown. */
export function isIntact({ disclosure, disclosureHash: signedHash }: PaymentAgreement): boolean {
  return disclosureHash(disclosure) === signedHash;
}

/**
 * Returns what the buyer must see before signing, in the language of the page: the disclosure of the chosen plan, with the loan made
 * today in the program's time zone, and the lender's agreement.
 *
 * @throws RangeError - the plan cannot be disclosed, see `discloseLoan`.
 */
export function termsOf(financed: FinancedPurchase, language: Language, now: Instant): Terms {
  const { program, merchant, application, pricing, portions } = financed;
  const buyer = application.billingContact;
  const disclosure = discloseLoan(program, chosenPlan(financed), {
    date: dateIn(now, program.timeZone),
    state: buyer.state,
    merchantName: merchant.name,
    language,
    // The disclosure counts the down payment separately.
    cardCents: portions.cardCents - portions.downPaymentCents,
    isCoveredBorrower: application.isCoveredBorrower,
    sheet: pricing.sheet,
  });
  return { disclosure, agreement: fillAgreement(program, disclosure, fullName(buyer), texts[language]) };
}

/** Returns the chosen plan. @throws Error - no plan is chosen, or it is not offered any more. */
export function chosenPlan({ plans, application }: Pick<FinancedPurchase, 'plans' | 'application'>): Plan {
  const plan = plans.find(({ offerId }) => offerId === application.offerId);
  if (!plan) throw new Error('The agreement was reached without a plan that is sold.');
  return plan;
}

/** Returns the signed agreement as the platform API presents it: without the signed name and the texts that only the buyer gets. */
export function presentAgreements(
  application: Pick<Application, 'id' | 'status' | 'updatedAt' | 'paymentAgreements'>,
): WireAgreement[] {
  return application.paymentAgreements.map(({ id, disclosure, disclosureHash: hash, documentHash, signedAt, offer: plan }) => {
    const offer = presentOffer(plan, application.id);
    const money = (value: number) => ({ currency: disclosure.currency, value });
    return {
      id,
      offer,
      paymentProductID: offer.paymentProduct.id,
      paymentAmount: offer.monthly,
      status: agreementStatus(application),
      terms: { amount: offer.amountFinanced, interval: 'MONTHLY', length: offer.termLength, rate: offer.apr },
      consentedAt: signedAt,
      disclosureHash: hash,
      documentHash,
      disclosure: {
        creditor: disclosure.creditor.name,
        date: disclosure.date,
        apr: disclosure.apr,
        financeCharge: money(disclosure.financeChargeCents),
        amountFinanced: money(disclosure.amountFinancedCents),
        totalOfPayments: money(disclosure.totalOfPaymentsCents),
        dueToday: money(disclosure.dueTodayCents),
        payments: disclosure.payments.map(({ dueOn, paymentCents }) => ({ dueDate: dueOn, amount: money(paymentCents) })),
        prepaymentPenalty: disclosure.prepayment.penalty,
      },
      createdAt: signedAt,
      updatedAt: application.updatedAt,
    };
  });
}

/** An agreement is pending until the lender has accepted it, which completes the checkout, or has withdrawn. */
function agreementStatus({ status }: Pick<Application, 'status'>): AgreementStatus {
  if (status === 'ATTEMPTED_CHECKOUT') return 'PENDING';
  return status === 'CHECKOUT_COMPLETED' ? 'COMPLETED' : 'CANCELLED';
}
