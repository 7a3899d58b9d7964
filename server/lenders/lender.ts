import type { TilaBox } from '../../shared/disclosure/tila-box.ts';
import type { Language } from '../../shared/languages.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { BuyerContact } from '../applications/contact.ts';

/** Who the buyer is and what they earn. Goes to the lender and is stored nowhere. */
export interface Applicant {
  /** `1990-04-23` */
  dateOfBirth: string;
  /** Last four digits of the tax number. */
  taxIdLast4: string;
  annualIncomeCents: number;
}

export interface CreditRequest {
  /** Names this asking. Asked the same again, a lender answers the same. */
  requestId: string;
  applicationId: string;
  program: Program;
  amountCents: number;
  contact: BuyerContact;
  applicant: Applicant;
  language: Language;
}

/** Why a buyer gets no credit, as the law wants it told to them: 12 CFR 1002.9(b)(2). The merchant never learns it. */
export const DENIAL_REASONS = ['credit-history', 'income', 'debt', 'identity', 'other'] as const;
export type DenialReason = (typeof DENIAL_REASONS)[number];

/** What the buyer must do before a lender can decide. They apply again afterwards. */
export const NEEDED_ACTIONS = ['unfreeze-credit-file', 'confirm-identity', 'correct-details'] as const;
export type NeededAction = (typeof NEEDED_ACTIONS)[number];

/**
 * What a lender says.
 *
 * `tierId` is the program's class of rates the buyer was approved for; `limitCents` the most they may be lent for, null for all
 * they asked. `ineligible`: the lender has no loan for such a buyer, whatever their credit.
 */
export type CreditDecision =
  | { outcome: 'approved'; tierId: string; limitCents: number | null }
  | { outcome: 'denied'; reasons: readonly DenialReason[] }
  | { outcome: 'ineligible' }
  | { outcome: 'needs-action'; action: NeededAction };

/** What the buyer signed, for the lender who is to make the loan. */
export interface SignedLoan {
  agreementId: string;
  /** That of the `CreditRequest` whose approval this is. */
  requestId: string;
  applicationId: string;
  disclosure: TilaBox;
  /** SHA-256 of the disclosure's canonical JSON, hexadecimal. */
  disclosureHash: string;
  signedName: string;
  signedAt: string;
  contact: BuyerContact;
}

/**
 * Who says whether a buyer gets credit, and makes the loan. Asked outside any database transaction, since it may take seconds.
 *
 * Every call may be repeated: a lender recognizes a repeated request or agreement by its id.
 */
export interface Lender {
  /**
   * @throws ServiceError `lender-unavailable` - no decision was made, and the lender did not process the request; the buyer may try again.
   * @throws UnknownOutcome - the lender may have decided. Call `decisionOf` to find out.
   */
  decide(request: CreditRequest): Promise<CreditDecision>;
  /**
   * Returns the outcome of a request without a response: the decision, `undecided` while the lender processes it, or `unknown` if
   * it did not reach the lender.
   *
   * @param asked - The original request. A late decision is validated against it like a prompt one.
   * @throws UnknownOutcome - the outcome is still unknown.
   */
  decisionOf(
    asked: Pick<CreditRequest, 'requestId' | 'program' | 'amountCents'>,
  ): Promise<CreditDecision | 'undecided' | 'unknown'>;
  /**
   * Notifies the lender that the buyer signed. From then on the lender owes the loan, unless it returns `refused`.
   *
   * @throws UnknownOutcome - the lender may have accepted; retry.
   */
  accept(loan: SignedLoan): Promise<'accepted' | 'refused'>;
}

/** A request was sent to a lender and its outcome is unknown. This is not a denial: the caller must look up the outcome. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}
