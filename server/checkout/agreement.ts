import { createHash } from 'node:crypto';
import { canonicalJson } from '../../shared/disclosure/canonical-json.ts';
import type { TilaBox } from '../../shared/disclosure/tila-box.ts';
import type { ApplicationRow } from '../applications/store.ts';

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

/** Whether the stored disclosure is the one that was signed. What is not must never be shown as if it were. */
export function isIntact({ disclosure, disclosureHash: signedHash }: PaymentAgreement): boolean {
  return disclosureHash(disclosure) === signedHash;
}
