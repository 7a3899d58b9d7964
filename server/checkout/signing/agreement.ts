import { createHash } from 'node:crypto';
import { canonicalJson } from '../../../shared/disclosure/canonical-json.ts';
import type { TilaBox } from '../../../shared/disclosure/tila-box.ts';
import { type BuyerContact, buyerOf } from '../../applications/contact.ts';
import type { ApplicationRow } from '../../applications/store.ts';
import { needsShipping } from '../steps/details/form.ts';
import type { StartedSession } from '../session/session.ts';

/** What was signed, as it is stored with the application. */
export interface PaymentAgreement {
  id: string;
  /** What the buyer saw before signing. */
  disclosure: TilaBox;
  disclosureHash: string;
  /** SHA-256 of the page the buyer keeps, hexadecimal. What was signed before there were such pages has none. */
  documentHash?: string;
  signedName: string;
  /** `2026-11-21T09:30:00.000000Z` */
  signedAt: string;
}

/** What the buyer signed, once they have. */
export function signedAgreement({
  payment_agreements_json,
}: Pick<ApplicationRow, 'payment_agreements_json'>): PaymentAgreement | undefined {
  return (JSON.parse(payment_agreements_json) as PaymentAgreement[])[0];
}

/**
 * SHA-256 of a disclosure's canonical JSON in UTF-8, hexadecimal: proves that what is signed is what was shown, and that what
 * is stored is what was signed. Anybody can work it out again, in any language.
 */
export function disclosureHash(disclosure: TilaBox): string {
  return createHash('sha256').update(canonicalJson(disclosure)).digest('hex');
}

/** Whom an agreement names, and where the order goes: shown with the disclosure, and signed with it. */
export interface Parties {
  buyer: BuyerContact;
  /** Undefined where nothing ships. */
  shipTo: BuyerContact | undefined;
}

export function partiesOf({ application, purchase }: Pick<StartedSession, 'application' | 'purchase'>): Parties {
  const shipTo = JSON.parse(application.shipping_contact_json) as BuyerContact;
  return { buyer: buyerOf(application), shipTo: needsShipping(purchase.options) ? shipTo : undefined };
}

/**
 * SHA-256, hexadecimal, of all that an agreement page shows: the disclosure, the buyer, the addresses and the card. It comes back
 * with the signature, so that nothing is signed that was not shown.
 */
export function shownHash(
  disclosure: TilaBox,
  shown: Pick<ApplicationRow, 'billing_contact_json' | 'shipping_contact_json' | 'card_label'>,
): string {
  const { billing_contact_json, shipping_contact_json, card_label } = shown;
  const parts = [disclosureHash(disclosure), billing_contact_json, shipping_contact_json, card_label];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** Whether the stored disclosure is the one that was signed. What is not must never be shown as if it were. */
export function isIntact({ disclosure, disclosureHash: signedHash }: PaymentAgreement): boolean {
  return disclosureHash(disclosure) === signedHash;
}
