import { createHash } from 'node:crypto';
import { dateIn } from '../../shared/dates.ts';
import { discloseLoan } from '../../shared/disclosure/disclose-loan.ts';
import { canonicalJson } from '../../shared/disclosure/canonical-json.ts';
import type { LoanDisclosure } from '../../shared/disclosure/loan-disclosure.ts';
import type { Language } from '../../shared/languages/index.ts';
import type { Plan } from '../../shared/plans.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { RateSheet } from '../../shared/programs/rate-sheet.ts';
import type { Offer, PaymentAgreement as WireAgreement } from '../../shared/wire/application.ts';
import { type BuyerContact, fullName } from '../applications/contact.ts';
import type { Application } from '../applications/store.ts';
import { needsShipping, type Purchase } from '../carts/totals.ts';
import type { Consent } from '../lenders/lender.ts';
import { texts } from '../texts.ts';
import type { Instant } from '../time.ts';
import { fillAgreement, type FilledAgreement } from './agreement-text.ts';
import { type AgreementConsents, consentsHash } from './consents.ts';

/** A signed agreement, as it is stored with the application. */
export interface PaymentAgreement {
  id: string;
  /** The disclosure that was shown before signing. */
  disclosure: LoanDisclosure;
  disclosureHash: string;
  /** SHA-256 of the buyer's document, hexadecimal. Absent on agreements from before there were documents. */
  documentHash?: string;
  /** Random part of the link to the document. Only for the buyer: never returned to a merchant or a platform. */
  documentCode?: string;
  /** False if the fonts of the PDF lack a character of the document. Absent on agreements from before this was checked. */
  hasPdf?: boolean;
  signedName: string;
  /** `2026-11-21T09:30:00.000000Z` */
  signedAt: Instant;
  consents: Consent[];
  /** The browser that signed; null without one. */
  client: SigningClient | null;
  /** The channel by which the buyer received the code that they entered to sign; null without a code. */
  codeSentBy: 'email' | 'sms' | null;
}

/** The browser that signed, as evidence of the signature. */
export interface SigningClient {
  ipAddress: string;
  userAgent: string;
}

/** Returns the signed agreement, or undefined before the signature. */
export function signedAgreement({ paymentAgreements }: Pick<Application, 'paymentAgreements'>): PaymentAgreement | undefined {
  return paymentAgreements[0] as PaymentAgreement | undefined;
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
  /** The lender's agreement; undefined if the program has none. */
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

/** Returns an agreement as the platform API presents it: without the signed name and the texts that only the buyer gets. */
export function presentAgreement(signed: PaymentAgreement, offer: Offer): WireAgreement {
  const { id, disclosure, documentHash, signedAt } = signed;
  const money = (value: number) => ({ currency: disclosure.currency, value });
  return {
    id,
    offer,
    consentedAt: signedAt,
    disclosureHash: signed.disclosureHash,
    ...(documentHash !== undefined && { documentHash }),
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
  };
}
