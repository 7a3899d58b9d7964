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
 * Every call may be repeated: a lender knows the same request and the same agreement by their ids.
 */
export interface Lender {
  /**
   * @throws ServiceError `lender-unavailable` - nobody could decide, and the lender knows nothing of it; the buyer may try again.
   * @throws UnknownOutcome - the lender may have decided. `decisionOf` finds out.
   */
  decide(request: CreditRequest): Promise<CreditDecision>;
  /**
   * What became of a request whose answer was never heard: the decision, `undecided` while the lender works on it, or `unknown`
   * when it never reached the lender.
   *
   * @param asked - As it was asked about: a late answer is held against it as a prompt one is.
   * @throws UnknownOutcome - it still cannot be told.
   */
  decisionOf(
    asked: Pick<CreditRequest, 'requestId' | 'program' | 'amountCents'>,
  ): Promise<CreditDecision | 'undecided' | 'unknown'>;
  /**
   * Tells the lender that the buyer signed: from here on it owes the loan. `refused`: it will not make it.
   *
   * @throws UnknownOutcome - the lender may have accepted; ask again.
   */
  accept(loan: SignedLoan): Promise<'accepted' | 'refused'>;
}

/** A lender was asked, and nobody knows what it said. Not a refusal: whoever catches it must find out. */
export class UnknownOutcome extends Error {
  override readonly name = 'UnknownOutcome';
}
