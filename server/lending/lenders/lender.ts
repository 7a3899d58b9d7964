import type { CivilDate } from '../../../shared/dates.ts';
import { propertyOf } from '../../../shared/objects.ts';
import type { LoanDisclosure } from '../../../shared/disclosure/loan-disclosure.ts';
import type { Language } from '../../../shared/languages/index.ts';
import type { Program } from '../../../shared/programs/program.ts';
import type { BuyerContact } from '../../base/contact.ts';
import type { ApplicationTable } from '../../db/schema.ts';
import type { DecisionSources, DenialReason, ScoreResult } from '../applications/decision.ts';
import type { BuyerClient, Consent } from '../applications/signature.ts';
import type { Instant } from '../../base/time.ts';
import type { SentEvent } from './events.ts';
import type { Parsed } from './fault.ts';

/** The buyer's identity and income. Sent to the lender and never stored. */
export interface Applicant {
  /** `1990-04-23` */
  dateOfBirth: string;
  /** Last four digits of the tax number. */
  taxIdLast4: string;
  /** The whole SSN or ITIN, nine digits. Only for programs that ask for it. */
  taxId?: string;
  annualIncomeCents: number;
}

/** The merchant of a purchase. */
export interface LenderMerchant {
  id: string;
  name: string;
  /** The kind of goods that it sells: `furniture`. Empty if it is unknown. */
  category: string;
}

/** The order that is financed. Amounts are in cents. */
export interface LenderOrder {
  /** The merchant's reference; empty without one. */
  reference: string;
  totalCents: number;
  shippingCents: number;
  taxCents: number | null;
  lines: readonly { sku: string; name: string; quantity: number; priceCents: number }[];
  /** Null if nothing is shipped. */
  shippingAddress: Pick<BuyerContact, 'firstName' | 'lastName' | 'address' | 'address2' | 'city' | 'state' | 'zip'> | null;
}

export interface CreditRequest {
  /** Idempotency key. The lender returns the same decision for repeated requests. */
  requestId: string;
  applicationId: string;
  program: Program;
  amountCents: number;
  contact: BuyerContact;
  applicant: Applicant;
  language: Language;
  consents: readonly Consent[];
  /** True if an approval of less than `amountCents` can be used: a card pays the rest. */
  partialApproval: boolean;
  /** Returns whether a tier has a plan in the buyer's state under a limit; null for no limit. Not sent. */
  hasPlan(tierId: string, limitCents: number | null): boolean;
  merchant: LenderMerchant;
  order: LenderOrder;
  /** The browser of the buyer; null without one. */
  client: BuyerClient | null;
  /** Times of earlier applications of this buyer at the merchants of the same tenant, in the last 24 hours, the earliest first. */
  earlierApplications: readonly Instant[];
}

/** Actions that the buyer must complete before applying again. */
export const NEEDED_ACTIONS = ['unfreeze-credit-file', 'confirm-identity', 'correct-details'] as const;
export type NeededAction = (typeof NEEDED_ACTIONS)[number];

/** Reasons for which a lender makes no such loan to anyone. */
export const INELIGIBLE_REASONS = ['law', 'not-offered'] as const;
export type IneligibleReason = (typeof INELIGIBLE_REASONS)[number];

/**
 * A lender's decision.
 *
 * `tierId` is the approved tier of the program. `limitCents` is the largest amount; null for the requested amount. `reasons` of an
 * approval are those of a limit below the requested amount, or of a tier without a plan. `score` is the credit score that was used, if any,
 * and `sources` is the information that the decision was based on, or that the lender could not see. `coveredBorrower`: whether the buyer is a servicemember or a dependent,
 * 32 CFR 232.3(g). `ineligible`: the lender makes no such loan to anyone.
 */
export type CreditDecision =
  | (DecisionFacts & {
      outcome: 'approved';
      tierId: string;
      limitCents: number | null;
      reasons?: readonly DenialReason[] | undefined;
      coveredBorrower?: boolean | undefined;
    })
  | (DenialFacts & { outcome: 'denied'; reasons: readonly DenialReason[] })
  | { outcome: 'ineligible'; reason: IneligibleReason }
  | (Pick<DecisionFacts, 'sources'> & { outcome: 'needs-action'; action: NeededAction });

/**
 * A lender's response to a signed agreement. `reasons` are the principal reasons of a rejection, and `score` and `sources` are what it
 * was based on.
 */
export type Acceptance =
  | { outcome: 'accepted'; /** The lender's own number of the loan. */ loanNumber?: string | undefined }
  | (DenialFacts & { outcome: 'rejected'; reasons?: readonly DenialReason[] | undefined });

/** The score, sources and other facts of a decision. */
export type DecisionFacts = { score?: ScoreResult | undefined; sources?: DecisionSources | undefined };

/** The facts of a denial. `scoreUsed`: false if a lender that uses credit scores has used none in it. */
export type DenialFacts = DecisionFacts & { scoreUsed?: false | undefined };

/** Whether the decisions of a program are based on credit scores. */
export type ScorePolicy = Pick<Program, 'creditScores'>;

/** A lender's response to an event. */
export interface EventReceipt {
  outcome: 'recorded';
  /**
   * The payments of the loan after the event, or the fault of the field; absent if the lender leaves their calculation to the service. The
   * event counts as recorded in each case.
   */
  schedule?: Parsed<LenderSchedule> | undefined;
}

/** A payment that the buyer has to make. */
export interface ScheduledPayment {
  dueOn: CivilDate;
  amountCents: number;
}

/**
 * Reasons for which a lender states other payments than the service can know. `payments-received`: the buyer has paid more than was due.
 * `payment-missed`: a payment that was due was not received. `term-changed`: the lender has changed the term of the loan.
 */
export const SCHEDULE_REASONS = ['payments-received', 'payment-missed', 'term-changed'] as const;
export type ScheduleReason = (typeof SCHEDULE_REASONS)[number];

/** The payments of a loan that remain, in the order of their due dates; empty if the buyer owes nothing. */
export interface LenderSchedule {
  payments: readonly ScheduledPayment[];
  reason?: ScheduleReason | undefined;
}

/** The signed payment agreement, sent to the lender who makes the loan. */
export interface SignedLoan {
  agreementId: string;
  /** Id of the approved `CreditRequest`. */
  requestId: string;
  applicationId: string;
  disclosure: LoanDisclosure;
  /** SHA-256 of the disclosure's canonical JSON, hexadecimal. */
  disclosureHash: string;
  signedName: string;
  signedAt: string;
  /** The browser that signed; null without one. */
  client: BuyerClient | null;
  /** The channel by which the buyer received the one-time code that they entered to sign; null without a code. */
  codeSentBy: 'email' | 'sms' | null;
  /** The consents of the agreement page. Those of the application were in the `CreditRequest`. */
  consents: readonly Consent[];
  /** The buyer's copy, and its SHA-256 in UTF-8, hexadecimal. */
  document: { language: Language; html: string; sha256: string };
  contact: BuyerContact;
  merchant: LenderMerchant;
  order: LenderOrder;
  /** The transaction that the loan pays, once the lender has accepted it. */
  transactionId: string;
}

/**
 * Decides about credit and makes loans. Call it outside of database transactions, because a call may take seconds.
 *
 * All calls are idempotent: a lender recognizes a repeated request or agreement by its id.
 */
export interface Lender {
  /**
   * @throws ServiceError `lender-unavailable` - no decision was made, and the lender did not process the request; the buyer may try again.
   * @throws UnknownOutcomeError - the lender may have decided. Call `decisionOf` for the decision.
   */
  decide(request: CreditRequest): Promise<CreditDecision>;
  /**
   * Returns the outcome of an earlier request: the decision, `undecided` while the lender processes the request, or `unknown` if the
   * lender did not receive it.
   *
   * @param request - The original request, to validate the decision.
   * @throws UnknownOutcomeError - the outcome is still unknown.
   */
  decisionOf(
    request: Pick<CreditRequest, 'requestId' | 'program' | 'amountCents' | 'partialApproval' | 'hasPlan'>,
  ): Promise<CreditDecision | 'undecided' | 'unknown'>;
  /**
   * Sends the signed agreement to the lender. The lender makes the loan unless the outcome is `rejected`.
   *
   * @param program - The program of the loan, to validate the response.
   * @throws UnknownOutcomeError - the lender may have accepted; retry.
   */
  accept(loan: SignedLoan, program: ScorePolicy): Promise<Acceptance>;
  /**
   * Sends an event of an application or its loan. Events of an application are sent in the order of their `sequence`, each at least once.
   *
   * @throws UnknownOutcomeError - the lender may have recorded the event; send it again.
   */
  record(event: SentEvent): Promise<EventReceipt>;
}

/** A request was sent to a lender and its outcome is unknown. This is not a denial: callers must request the outcome later. */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';
  /** The signed response that is invalid; undefined without one. */
  readonly invalid: InvalidResponse | undefined;

  constructor(message: string, invalid?: InvalidResponse) {
    super(message);
    this.invalid = invalid;
  }
}

/** A response with a valid signature that cannot be used, without a value of it. */
export interface InvalidResponse {
  /** The field, what was expected, and the kind of value that was received. */
  fault: string;
  outcome: InvalidOutcome;
}

/**
 * The outcome that an invalid response states: a decision in favor of the buyer or against them, or neither. An application with one of the
 * first two is decided, although the decision cannot be applied.
 */
export type InvalidOutcome = NonNullable<ApplicationTable['invalidOutcome']>;

/** Returns the invalid response of a body. */
export function invalidResponse(fault: string, body: unknown): InvalidResponse {
  return { fault, outcome: STATED_OUTCOMES.get(propertyOf(body, 'outcome')) ?? 'other' };
}

const STATED_OUTCOMES: ReadonlyMap<unknown, InvalidOutcome> = new Map<unknown, InvalidOutcome>([
  ['approved', 'approved'],
  ['accepted', 'approved'],
  ['denied', 'denied'],
  ['rejected', 'denied'],
  ['ineligible', 'denied'],
]);
