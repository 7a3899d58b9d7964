import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import type { Language } from '../../../shared/languages/index.ts';
import type { StoredOffer } from '../../db/schema.ts';
import type { Instant } from '../../base/time.ts';

/** A statement that the buyer agreed to, exactly as it was shown. */
export interface Consent {
  name: 'credit-report' | 'electronic-documents' | 'privacy-notice' | 'electronic-agreement' | 'agreement';
  /** The sentence of the checked box. */
  sentence: string;
  /** Texts that were shown with the sentence, such as the information that 15 USC 7001(c)(1) requires. */
  information: readonly string[];
  language: Language;
  /** SHA-256 of the sentence and the information, separated by newlines, in UTF-8, hexadecimal. It identifies the version of the text. */
  sha256: string;
  /** `2026-11-21T09:30:00.000000Z` */
  at: string;
}

/** A signed agreement, as it is stored with the application. */
export interface PaymentAgreement {
  id: string;
  /** The chosen plan. */
  offer: StoredOffer;
  /** The disclosure that was shown before signing. */
  disclosure: LoanDisclosure;
  disclosureHash: string;
  /** SHA-256 of the buyer's document, hexadecimal. */
  documentHash: string;
  /** Random part of the link to the document; undefined after the buyer was deleted. Only for the buyer: never returned to a merchant or a platform. */
  documentCode: string | undefined;
  /** False if the fonts of the PDF lack a character of the document. */
  hasPdf: boolean;
  signedName: string;
  /** `2026-11-21T09:30:00.000000Z` */
  signedAt: Instant;
  consents: Consent[];
  /** The browser that signed; null without one. */
  client: BuyerClient | null;
  /** Id of the transaction that the loan pays. */
  transactionId: string;
  /** The lender's own number of the loan, once it has accepted it and if it has one. */
  loanNumber?: string | undefined;
  /** The channel by which the buyer received the code that they entered to sign; null without a code. */
  codeSentBy: 'email' | 'sms' | null;
}

/** A signed agreement of which the buyer's document has not been rendered. */
export type NewAgreement = Omit<PaymentAgreement, 'documentHash' | 'documentCode' | 'hasPdf'>;

/** The browser of a buyer, as evidence of the signature. */
export interface BuyerClient {
  ipAddress: string;
  userAgent: string;
}

/**
 * The use of a one-time code: to sign the agreement, to open the signed copy, to open the notice of a decision, or to withdraw the consent to
 * electronic documents.
 */
export type CodePurpose = 'signature' | 'copy' | 'notice' | 'consent';

/** A one-time code as it is stored. */
export interface StoredCode {
  /** HMAC-SHA-256 of the application, the purpose and the code, hexadecimal; empty once the code was used. */
  hash: string;
  expiresAt: Instant;
  failedAttempts: number;
}

/** The codes of an application, by their use, and the token of the link to continue it. */
export type Codes = Partial<Record<CodePurpose | 'continue', StoredCode>>;
