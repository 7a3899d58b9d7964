import type { Actor } from '../base/actor.ts';
import type { Mode } from '../base/mode.ts';
import type { Instant } from '../base/time.ts';
import type { Generated } from 'kysely';
import type { Json } from './json.ts';
import type { CivilDate } from '../../shared/dates.ts';
import type { JWK } from 'jose';
import type { Language } from '../../shared/languages/index.ts';
import type { ReasonCode } from '../../shared/programs/denial-reason.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { ApplicationStatus, Offer } from '../../shared/wire/application.ts';
import type { EventData, EventType } from '../../shared/wire/event.ts';
import type { ActionRequest, AdjustmentReason, LineCount, TransactionStatus } from '../../shared/wire/transaction.ts';

/**
 * All tables. Columns are snake_case in the database, and camelCase in code (Kysely's `CamelCasePlugin`). Ids are text, timestamps are
 * `Instant`s, amounts are cents, and columns that end in `Json` are JSON that is read and written as a whole. A column `sealed` is
 * encrypted; the stores of its table open it (`sealed.ts`). A `revision` is the number of changes of a row, by which concurrent ones are
 * detected.
 */
export interface Schema {
  tenants: TenantTable;
  merchants: MerchantTable;
  merchant_logos: MerchantLogoTable;
  merchant_origins: MerchantOriginTable;
  merchant_callbacks: MerchantCallbackTable;
  merchant_keys: MerchantKeyTable;
  programs: ProgramTable;
  program_versions: ProgramVersionTable;
  carts: CartTable;
  applications: ApplicationTable;
  agreement_documents: AgreementDocumentTable;
  document_revocations: DocumentRevocationTable;
  transactions: TransactionTable;
  transaction_entries: TransactionEntryTable;
  order_words: OrderWordTable;
  outbox: OutboxTable;
  message_counts: MessageCountTable;
  email_opt_outs: EmailOptOutTable;
  limited_attempts: LimitedAttemptTable;
  idempotency_keys: IdempotencyKeyTable;
  idempotency_responses: IdempotencyResponseTable;
  idempotency_writes: IdempotencyWriteTable;
  environment: EnvironmentTable;
  delivery_attempts: DeliveryAttemptTable;
  callback_secrets: CallbackSecretTable;
  form_keys: SecretKeyTable;
  lookup_keys: SecretKeyTable;
  data_keys: DataKeyTable;
  widget_files: WidgetFileTable;
  signing_keys: SigningKeyTable;
  security_events: SecurityEventTable;
  legal_holds: LegalHoldTable;
  lender_calls: LenderCallTable;
  exceptions: ExceptionTable;
  events: EventTable;
  webhooks: WebhookTable;
  refund_requests: RefundRequestTable;
  settlements: SettlementTable;
  settlement_lines: SettlementLineTable;
  users: UserTable;
  user_passkeys: UserPasskeyTable;
  user_links: UserLinkTable;
  user_sessions: UserSessionTable;
  merchant_requests: MerchantRequestTable;
}

export interface TenantTable {
  id: string;
  name: string;
  createdAt: Instant;
}

export interface MerchantTable {
  id: string;
  tenantId: string;
  name: string;
  storeUrl: string;
  defaultProgramId: string;
  createdAt: Instant;
  /** Name of its file in `merchant_logos`, which changes with its content. */
  logo: string | null;
  /** `#0b5d4e` */
  accent: string | null;
  supportEmail: string | null;
  supportPhone: string | null;
  supportUrl: string | null;
  /** For e-mails that advertise, on one line: `12 Elm Street, Springfield, IL 62701`. Empty if it is unknown, and by default. */
  postalAddress: Generated<string>;
  /** The kind of goods that the merchant sells, for lenders: `furniture`. Empty if it is unknown, and by default. */
  category: Generated<string>;
  /** Sum of the refunds of an order by one user of the console above which a second person must approve; null if no approval is required. */
  refundApprovalCents: number | null;
  /** Authenticates that sum, see `AUTHENTICATED_TABLES`. */
  mac: string;
}

/** The picture that checkout pages and e-mails of a merchant show. */
export interface MerchantLogoTable {
  merchantId: string;
  /** Hash of the content, and its extension. */
  name: string;
  base64: string;
}

/** An origin whose pages may use the public half of a merchant's keys and frame its checkout. */
export interface MerchantOriginTable {
  merchantId: string;
  origin: string;
}

/** A URL that receives callbacks of carts that pages of a merchant create. */
export interface MerchantCallbackTable {
  merchantId: string;
  /** As `normalizedCallback` returns it. */
  url: string;
}

export interface MerchantKeyTable {
  apiKey: string;
  merchantId: string;
  /** SHA-256 of the secret, hexadecimal. The secret itself is not stored. */
  secretHash: string;
  createdAt: Instant;
  retiredAt: Instant | null;
  createdBy: Actor;
  /** Authenticates the row, see `AUTHENTICATED_TABLES`. */
  mac: string;
}

/** A financing program. `id` is the platform API's `programID`. */
export interface ProgramTable {
  id: string;
  merchantId: string;
  /** The merchant's id of the program, unique among its programs: `financingProgramId`, and `id` in every version. */
  code: string;
  createdAt: Instant;
}

/** Append-only: triggers reject updates and deletes. */
export interface ProgramVersionTable {
  programId: string;
  version: number;
  status: 'active' | 'retired';
  /** First and last day; null for no end. */
  effectiveFrom: CivilDate;
  effectiveTo: CivilDate | null;
  documentJson: Json<Program>;
  createdAt: Instant;
}

export interface CartTable {
  id: string;
  merchantId: string;
  /** SHA-256 of the random part of the checkout link, hexadecimal. */
  codeHash: string;
  status: 'OPEN' | 'EXPIRED' | 'COMPLETED';
  /** `lookupHash` of who created it. */
  createdByHash: string;
  /** `emailHash` of the buyer that the merchant provided; empty without an e-mail address. */
  emailHash: string;
  /** The merchant's reference in the options, to find it by; empty without one. */
  orderRef: string;
  /** Last day on which the link works, in every US time zone: `2026-11-28`. */
  expiresOn: CivilDate;
  /** The day after which the expiry of the cart is an event, if it is not completed; null once it is, or if there is an event. */
  expiryDueOn: CivilDate | null;
  programId: string;
  transactionId: string | null;
  /** The user of the console who created it; null for other carts. */
  userId: string | null;
  /** Time at which the link of a cart of a user was first opened; null before, and for other carts. */
  openedAt: Instant | null;
  /** Time at which the contacts in the options were deleted. */
  contactsDeletedAt: Instant | null;
  /** Number of requests for a decision that a lender has received, in all applications. */
  submissions: number;
  createdAt: Instant;
  /** The code of the checkout link, the contents and the creator: `SealedCart`. */
  sealed: string;
}

/** A plan that the buyer was approved for, as it is stored and signed: `id` is that of the plan. */
export type StoredOffer = Omit<Offer, 'planID' | 'capacity' | 'paymentProduct'>;

export interface ApplicationTable {
  id: string;
  tenantId: string;
  merchantId: string;
  buyerId: string;
  programId: string;
  cartId: string;
  status: ApplicationStatus;
  statusCode: string;
  /** The language that the buyer last chose. */
  language: Language;
  /** Id of the request to the lender; null before it is sent, and while the application is incomplete. */
  requestId: string | null;
  /** Time at which a lender first received the application, or may have; null before. */
  submittedAt: Instant | null;
  /**
   * Until when no other request about a pending one is sent to the lender: the end of the lease while one is in progress, and of a pause
   * after it. Null if no request is pending.
   */
  requestLeasedUntil: Instant | null;
  /** Time at which the background job looks up the outcome of the pending request. Null if none is pending, or if a person must resolve it. */
  requestDueAt: Instant | null;
  /** Number of times that the background job has looked it up without a response. */
  requestAttempts: number;
  /**
   * What the lender's response to the pending request states although it is invalid: a decision for the buyer, one against them, or neither.
   * Null if no response was invalid.
   */
  invalidOutcome: 'approved' | 'denied' | 'other' | null;
  /**
   * Time at which operator and lender are warned that the decision is missing, at which the operator is warned again of an invalid one, or at
   * which a loan is withdrawn whose rejection is invalid. Null without any.
   */
  warnAt: Instant | null;
  /** Program version of the request to the lender; null before. */
  programVersion: number | null;
  /** Date, in UTC, of the offers in the request to the lender or in its approval; null without offers. */
  approvedOn: CivilDate | null;
  /** The financed part of the total, once approved. */
  financedCents: number | null;
  /** The gateway's token of the card that pays the rest, which only the gateway accepts. Empty without a card. */
  cardReference: string;
  /** Approved tier. */
  tierId: string | null;
  /** The offer that the buyer chose. */
  offerId: string | null;
  shippingTypeId: string | null;
  /** ISO 4217 code of the order's amounts. */
  currency: string;
  /** `lookupHash` of the hash of the billing address, see shared/normalized-address.ts; empty while the address is unknown. */
  normalizedAddressHash: string;
  /** `emailHash` of the buyer; empty while the e-mail address is unknown. */
  emailHash: string;
  /** The buyer, the metadata, the approved plans and the signed agreement: `SealedApplication`. */
  sealed: string;
  /** Identifies the card in the platform API; null without a card. */
  paymentMethodId: string | null;
  /** SHA-256 of the session secret in the checkout's URL, hexadecimal; empty without a session. */
  sessionHash: string;
  /** SHA-256 of the token in the address to which a card gateway's page returns, hexadecimal; empty if it was used or never issued. */
  cardReturnHash: string;
  /** Time at which the buyer was first shown the completed purchase, or redirected to the shop after it; null before. */
  returnedAt: Instant | null;
  /** Time at which the buyer withdrew the consent to electronic documents, which then are sent on paper by the lender; null before. */
  consentWithdrawnAt: Instant | null;
  /** Time at which the buyer's details, or all that identifies the buyer, were deleted; null while they are stored. */
  detailsDeletedAt: Instant | null;
  /** Time at which another application replaced it for the same cart; null for the cart's current one. */
  supersededAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
  expiresAt: Instant;
  revision: number;
}

/** A signed agreement as a page. Append-only: triggers reject deletes, and updates of anything but the key that seals it. */
export interface AgreementDocumentTable {
  id: string;
  applicationId: string;
  merchantId: string;
  /** SHA-256 of the random part of its link, hexadecimal. */
  codeHash: string;
  language: Language;
  createdAt: Instant;
  /** The page and its hash: `SealedDocument`. */
  sealed: string;
}

/** A revoked link to a signed agreement. */
export interface DocumentRevocationTable {
  applicationId: string;
  revokedAt: Instant;
}

export interface TransactionTable {
  id: string;
  merchantId: string;
  cartId: string;
  applicationId: string;
  status: TransactionStatus;
  /** Time at which it entered its status. */
  statusSince: Instant;
  orderRef: string;
  /**
   * Time of the signature, if another purchase with this `orderRef` was active then; null without one, and after a person dismissed it. A
   * partial index contains the marked ones.
   */
  orderRefSharedAt: Instant | null;
  merchantOrderId: string;
  /** `emailHash` of the buyer; empty after the contacts were deleted. */
  emailHash: string;
  totalCents: number;
  /** Always `totalCents - canceledCents - refundedCents`; a check constraint enforces it. */
  adjustedTotalCents: number;
  canceledCents: number;
  refundedCents: number;
  /** Quantities that were canceled or refunded, `[{"sku":"CHAIR-1","quantity":2}]`, each sku once. */
  adjustedQuantitiesJson: Json<LineCount[]>;
  taxCents: number | null;
  shippingCents: number;
  shippingMethodCode: string;
  shippingMethodName: string;
  carrierName: string;
  /** Card portion of the total; 0 if all of it is financed. */
  cardCents: number;
  /** The card gateway's token of the card; empty without a card. */
  cardReference: string;
  /** The part of the card portion that was canceled before the loan, after a declined hold. */
  cardReducedCents: number;
  /** The request to the lender; null on transactions of tests without one. */
  requestId: string | null;
  /** Time zone of the program: `America/New_York`. */
  timeZone: string;
  /** The merchant discount of the plan when the agreement was signed. */
  merchantDiscountBps: number;
  merchantDiscountCents: number;
  /** Value of all line items, with discounts and tax and without shipping (decisions/0010). */
  lineItemsCents: number;
  /**
   * Last due date of the loan, as signed, moved by a late settlement or stated by the lender, or the day of the change after which nothing
   * was owed any more; empty if there is no loan (decisions/0039).
   */
  loanEndsOn: CivilDate | '';
  /** The fees of the loan that remain, and its stated APR (`LoanCharges`); null if the agreement was deleted before the last change of it. */
  loanFeeCents: number | null;
  loanAprBps: number | null;
  /** Time at which the contacts were deleted. A partial index contains the transactions that still have them. */
  contactsDeletedAt: Instant | null;
  createdAt: Instant;
  updatedAt: Instant;
  /** The buyer, the line items and the shipment: `SealedTransaction`. */
  sealed: string;
  revision: number;
}

/** A word of the buyer's names, or a phone number, to find a transaction by. Deleted with the contacts. */
export interface OrderWordTable {
  /** The beginning of a `lookupHash`, hexadecimal. It depends on the merchant. */
  hash: string;
  /** Time at which the transaction was created. */
  createdAt: Instant;
  transactionId: string;
}

/**
 * The journal: one row for each change of a transaction. Triggers reject updates, deletes, and inserts with another sequence than the
 * next.
 */
export interface TransactionEntryTable {
  transactionId: string;
  /** 1 for the first entry of a transaction. The latest sequence is the transaction's revision. */
  sequence: number;
  type:
    | 'created'
    | 'authorized'
    | 'settled'
    | 'canceled'
    | 'refunded'
    | 'expired'
    | 'card-declined'
    | 'card-capture-failed'
    | 'card-captured'
    | 'order-id-set'
    | 'shipped';
  /** The canceled, refunded or otherwise affected amount; 0 without one. */
  amountCents: number;
  /** The part of a cancel that reduced the card portion before the loan. */
  cardCents: number;
  /** Value of the line items to cancel or refund, if less than that remained and was canceled or refunded; null otherwise. */
  requestedCents: number | null;
  /** Quantities that were canceled or refunded, `[{"sku":"CHAIR-1","quantity":2}]`. */
  linesJson: Json<LineCount[]>;
  /** The origin of the change. The creation is caused by the buyer who signed. */
  actor: Actor;
  /** Reason of an expiry, or the merchant's reason of a cancel or refund; null without one. */
  reason: 'not-authorized-in-time' | 'not-settled-in-time' | AdjustmentReason | null;
  /** The merchant's reference of a cancel or refund; null without one. */
  reference: string | null;
  at: Instant;
}

export type RefundAction = Extract<ActionRequest, { type: 'refund' }>;

/**
 * A refund that a user of the console has requested, and that another one has to approve. It contains nothing that identifies a buyer, and
 * is retained like the journal.
 */
export interface RefundRequestTable {
  id: string;
  merchantId: string;
  transactionId: string;
  /** The revision of the transaction when it was requested. The row of the journal of an approved refund has the next one. */
  revision: number;
  actionJson: Json<RefundAction>;
  amountCents: number;
  /** Ids of users. */
  requestedBy: string;
  requestedAt: Instant;
  expiresAt: Instant;
  /** One of a transaction is pending at most. One that has expired, or whose order has changed, is pending until there is another. */
  status: 'pending' | 'approved' | 'rejected' | 'expired';
  /** The user who approved or rejected it. */
  decidedBy: string | null;
  decidedAt: Instant | null;
  /** Authenticates the row, see `AUTHENTICATED_TABLES`. */
  mac: string;
}

/** The delivery of an outbox entry. `card` is a call of the card gateway, `lender` an event for the lender, `webhook` one for the merchant. */
export type Channel = 'callback' | 'email' | 'text' | 'card' | 'lender' | 'webhook';

/**
 * A notification to deliver, written in the same database transaction as its cause and retained after delivery. Triggers protect those with a
 * notice: they reject changes of anything but the delivery, the opening and the key that seals it, and in live mode deletes within 25 months.
 */
export interface OutboxTable {
  /** Also the `webhook-id` of a callback, and part of the Message-ID of an e-mail. */
  id: string;
  merchantId: string;
  channel: Channel;
  /** Endpoint that limits apply to: the origin of the URL for a callback, the id of a webhook; `PAPER` for an e-mail that is not sent. */
  endpoint: string;
  /** `emailHash` or `lookupHash` of the recipient of an e-mail or text message; empty for other channels. */
  recipientHash: string;
  /** The transaction of a card operation, or of an event of its loan; null otherwise. */
  transactionId: string | null;
  /** The cart of a callback, an e-mail or a text message; null for card operations. */
  cartId: string | null;
  /**
   * The application that a message to the buyer or an event for the lender is about; null for links to carts, which merchants send.
   */
  applicationId: string | null;
  /** The kinds of the notice that an e-mail contains or links to: see `joinKinds`. Null for other deliveries. */
  notice: string | null;
  /** Time at which a notice behind a link is reported to the lender as not opened; null for others, and after it was opened or reported. */
  openBy: Instant | null;
  /** Time at which a notice behind a link was first shown after its code; null before. */
  openedAt: Instant | null;
  /** Position among the events of its application, which the lender receives in this order; null for other channels. */
  sequence: number | null;
  /** The recipient and the body: `SealedDelivery`. */
  sealed: string;
  attempts: number;
  /** Number of attempts before the last redelivery. */
  replayedAfter: number;
  /** Time of the first attempt, or of the first since the last redelivery. */
  beganAt: Instant | null;
  /**
   * Time at which it is due, or at which the lease of the attempt in progress expires. Null if there is no further attempt, for messages
   * that the sandbox only records, and for events that wait: for the delivery of an earlier one to the lender, or for the first to a webhook.
   */
  dueAt: Instant | null;
  deliveredAt: Instant | null;
  /** The failure of the last attempt; empty if it succeeded. */
  lastFailure: string;
  createdAt: Instant;
}

/** Number of messages that merchants sent on a day, which is limited. Deleted after the day. */
export interface MessageCountTable {
  /** In UTC. */
  day: CivilDate;
  channel: 'email' | 'text' | 'invitation';
  /** `lookupHash` of an e-mail address or phone number, or the id of a merchant. */
  counted: string;
  count: number;
}

/** Recipients who want no more e-mails with links to carts of a merchant. Never deleted: an opt-out has no end (15 USC 7704(a)(4)). */
export interface EmailOptOutTable {
  /** `lookupHash` of the e-mail address. */
  recipientHash: string;
  merchantId: string;
  createdAt: Instant;
}

/**
 * Times at which a limited action was requested: a decision about a person, a decision that is sent to a recipient, or a one-time code.
 * Deleted a day after the last request.
 */
export interface LimitedAttemptTable {
  /** Keyed hash of a person, or of a recipient, network or document and what is limited, hexadecimal. */
  subjectHash: string;
  /** `["2026-11-21T09:30:00.000000Z"]`, the earliest first. */
  attemptsJson: Json<Instant[]>;
  lastAttemptAt: Instant;
}

/** A request with an idempotency key. */
export interface IdempotencyKeyTable {
  merchantId: string;
  key: string;
  /** Keyed hash of method, path and body, hexadecimal, to detect another request with the same key. */
  fingerprint: string;
  /** Id of the attempt that processes the request, so that it notices if another attempt took over. */
  holder: string;
  /** Time at which the lease expires, by the system clock, and another attempt may take over; empty if no attempt is in progress. */
  leasedUntil: Instant | '';
  /** Time at which it is deleted, with its response. */
  expiresAt: Instant;
}

/** Stored response of a request with an idempotency key. */
export interface IdempotencyResponseTable {
  merchantId: string;
  key: string;
  status: number;
  /** Headers and body: `SealedResponse`. */
  sealed: string;
}

/** Result of a committed write of a request with an idempotency key; deleted once the response is stored. */
export interface IdempotencyWriteTable {
  merchantId: string;
  key: string;
  /** 0 for the first write of the request. */
  ordinal: number;
  /** The result, or null if the write returned undefined. */
  sealed: string;
}

/** An attempt of a call to or from the lender, without its contents. */
export interface LenderCallTable {
  id: string;
  /** `sent` to the lender, or `received` from it. */
  direction: 'sent' | 'received';
  method: 'GET' | 'POST';
  path: string;
  /** Id of the request for a decision, the agreement or the event that it is about. */
  subjectId: string;
  /** 1 for the first. */
  attempt: number;
  startedAt: Instant;
  durationMs: number;
  /** Null without a response. */
  statusCode: number | null;
  /** The reason of the failure; empty if it succeeded. */
  failure: string;
}

/** A single row. */
export interface EnvironmentTable {
  id: 1;
  mode: Mode;
  /** Public URL of the last service that was started; null before the first start. */
  publicUrl: string | null;
}

/** One delivery attempt. Contains neither the receiver's response body nor the recipient. */
export interface DeliveryAttemptTable {
  deliveryId: string;
  /** 1 for the first. */
  number: number;
  startedAt: Instant;
  /** Null while the attempt is in progress, and permanently if the process crashed during it. */
  durationMs: number | null;
  /** Status of the receiver's response; null without a response. */
  statusCode: number | null;
  /** Empty after a success and while the attempt is in progress. */
  failure: string;
}

/** Secret that signs the callbacks of a merchant. A merchant has two during a rotation. */
export interface CallbackSecretTable {
  id: string;
  merchantId: string;
  /** `whsec_` and 32 random bytes in base64; empty once it is retired. */
  sealed: string;
  createdAt: Instant;
  retiredAt: Instant | null;
}

/** A single row: the key of the form tokens, or of `lookupHash`, which never changes. */
export interface SecretKeyTable {
  id: 1;
  /** 32 random bytes in base64url. */
  sealed: string;
}

/** A data key that rows of this database are sealed with. */
export interface DataKeyTable {
  id: string;
  /** A sealed constant, to recognize another key with the same id. */
  checkValue: string;
}

/** A file of a widget release, stored for pages that pinned that version. */
export interface WidgetFileTable {
  /** Version of the package and a hash of all files of the release: `0.1.0-6f1d0c2b9a3e`. */
  version: string;
  /** Path in its URL: `texts/es.js`. */
  name: string;
  content: string;
  /** Subresource integrity value: `sha384-` and the hash in base64. */
  integrity: string;
  bytes: number;
  releasedAt: Instant;
}

/** A signing key for tokens of the platform API. The newest active key signs; other active keys only verify. */
export interface SigningKeyTable {
  kid: string;
  algorithm: 'ES256';
  publicJwkJson: Json<JWK>;
  /** The private key as a JWK; empty once it is retired. */
  sealed: string;
  createdAt: Instant;
  retiredAt: Instant | null;
  /** Authenticates the row, see `AUTHENTICATED_TABLES`. */
  mac: string;
}

export const SECURITY_EVENT_KINDS = [
  'merchant-login-failed',
  'token-request-failed',
  'bearer-token-rejected',
  'document-proof-failed',
  'user-sign-in-failed',
  'user-locked-out',
  'user-signed-in',
  'user-signed-out',
  'user-invited',
  'user-changed',
  'user-removed',
  'passkey-added',
  'passkey-removed',
  'merchant-created',
  'merchant-changed',
  'refund-approval-changed',
  'key-created',
  'key-retired',
  'callback-secret-created',
  'callback-secret-retired',
  'webhook-created',
  'webhook-secret-created',
  'webhook-disabled',
  'webhook-enabled',
  'webhook-deleted',
  'signing-key-created',
  'signing-key-retired',
  'token-minted',
  'legal-hold-set',
  'legal-hold-released',
  'document-link-revoked',
  'consent-withdrawn',
  'agreement-sent',
  'link-canceled',
  'payout-corrected',
  'refund-requested',
  'refund-approved',
  'refund-rejected',
  'data-keys-rotated',
  'data-exported',
  'data-erased',
  'orders-exported',
] as const;

export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

/**
 * An event that is relevant for security. Failed logins are counted by kind, network and minute. Triggers reject deletes within a year,
 * and updates of anything but a larger count.
 */
export interface SecurityEventTable {
  id: string;
  /** The start of the minute for counted events. */
  occurredAt: Instant;
  kind: SecurityEventKind;
  /** `unknown` for a caller that failed to authenticate. */
  actor: Actor | 'unknown';
  merchantId: string | null;
  tenantId: string | null;
  /** Network of the caller, /24 or /48, `unknown`, or `other` for many networks; null without a request. */
  network: string | null;
  count: number;
  /** `{"keyId":"aB3_x9Zq"}`. Neither secrets nor personal data. */
  detailsJson: Json<Readonly<Record<string, string | readonly string[]>>>;
}

/** An application whose data must not be deleted, because a court or an authority may require it. */
export interface LegalHoldTable {
  applicationId: string;
  reason: string;
  setAt: Instant;
}

/** A pending request to a lender that a person has to resolve, or a decision that will be missing soon. */
export interface ExceptionTable {
  id: string;
  applicationId: string;
  merchantId: string;
  /**
   * `decision`, `agreement`: the lender did not answer, and the service has stopped asking it; or its response is invalid, which `fault`
   * states. `undecided`: the application will be denied if the lender does not decide it. `schedule`: the lender has stated payments of the
   * loan that are not used. `bureau`: the lender has used the report of another credit bureau than the pages name.
   */
  kind: 'decision' | 'agreement' | 'undecided' | 'schedule' | 'bureau';
  /** The field of the lender's response with what was expected, and no value; null for an exception without a response. */
  fault: string | null;
  raisedAt: Instant;
  /** The resolution by a person; null before it. */
  resolution: 'retry' | 'deny' | 'accepted' | 'rejected' | 'keep' | null;
  /** The principal reason of the denial; null for another resolution, or if the reason is not known. */
  denialReason: ReasonCode | null;
  /** The person, and why they resolved it. Neither is personal data of a buyer. */
  actor: string | null;
  reason: string | null;
  resolvedAt: Instant | null;
  /** Time at which its resolution took effect, or it ended by itself. */
  closedAt: Instant | null;
}

/** An event of a merchant, written in the database transaction of its cause. It contains no personal data, and is deleted after 30 days. */
export interface EventTable {
  id: string;
  merchantId: string;
  type: EventType;
  /** The transaction that it is about; null for carts and applications. */
  transactionId: string | null;
  dataJson: Json<EventData[EventType]>;
  /** In real time, even if the sandbox's clock was moved. */
  createdAt: Instant;
  /** Its time by the sandbox's clock, for figures; null if the clock was not moved. */
  occurredAt: Instant | null;
  /** Time at which its deliveries to the merchant's webhooks were enqueued; null before that. Set from the start without webhooks. */
  enqueuedAt: Instant | null;
}

/** A URL of a merchant that receives events. */
export interface WebhookTable {
  id: string;
  merchantId: string;
  /** The types of events that it receives; empty for all. */
  typesJson: Json<readonly EventType[]>;
  createdAt: Instant;
  /** Time of the first delivery; null before it, while events wait. */
  confirmedAt: Instant | null;
  /** Time of the first failed attempt after the last delivery; null while deliveries succeed. */
  failingSince: Instant | null;
  /** Time at which it was disabled because it had failed for days; null while it receives events. */
  disabledAt: Instant | null;
  /** The URL and the secrets: `SealedWebhook`. */
  sealed: string;
}

/** The payout to a merchant for the purchases of a day in one currency. */
export interface SettlementTable {
  id: string;
  merchantId: string;
  /** ISO 4217 code. */
  currency: string;
  day: CivilDate;
  lineCount: number;
  /** Sums of the lines. */
  grossCents: number;
  feeCents: number;
  /** The negative balance that the merchant's settlement before it has left; 0 without one. */
  carriedCents: number;
  /** The lender's payment, as its payout file states it; null before that, and without a payout. */
  bankReference: string | null;
  paidOn: CivilDate | null;
  /** The sum of its lines and its day in the latest payout file that has some; null before that. */
  receivedCents: number | null;
  receivedOn: CivilDate | null;
  /** The first difference of that file. */
  receivedDifference: 'amount' | 'not-paid' | 'several-payments' | 'paid-before' | 'transfer' | null;
  createdAt: Instant;
}

/**
 * The amount that a row of the journal adds to what a merchant is paid. Triggers reject deletes, and updates of anything but the settlement
 * of a line that has none.
 */
export interface SettlementLineTable {
  transactionId: string;
  /** The row of the journal. */
  sequence: number;
  /** `settled-by-card` and `refunded-to-card` are the card portion, which the card gateway pays: their amounts are 0. */
  type: 'settled' | 'settled-by-card' | 'refunded' | 'refunded-to-card';
  merchantId: string;
  currency: string;
  grossCents: number;
  feeCents: number;
  /** The day of the change in the program's time zone. */
  day: CivilDate;
  at: Instant;
  settlementId: string | null;
}

/** A person who uses the console. The columns are authenticated with the sealed values. */
export interface UserTable {
  id: string;
  tenantId: string;
  /** Null for all merchants of the tenant. */
  merchantId: string | null;
  role: 'viewer' | 'support' | 'finance' | 'developer' | 'admin';
  /** The largest refund of the role `support`, retained while the user has another role; null if there was none. */
  refundLimitCents: number | null;
  emailHash: string;
  createdAt: Instant;
  removedAt: Instant | null;
  /** Name and e-mail address: `SealedUser`. */
  sealed: string;
}

/** The public half of a passkey. */
export interface UserPasskeyTable {
  /** Id of the credential, in base64url. */
  id: string;
  userId: string;
  /** Number of uses, as the authenticator counts them; 0 if it does not. */
  counter: number;
  /** Issue of the last challenge that was signed. An earlier one is not accepted, so that no response is accepted twice. */
  challengedAt: Instant;
  createdAt: Instant;
  /** Name and public key: `SealedPasskey`. */
  sealed: string;
}

/** An e-mailed link, which is deleted when it is used. */
export interface UserLinkTable {
  /** SHA-256 of the random part of the link, hexadecimal. */
  tokenHash: string;
  userId: string;
  purpose: 'invitation' | 'sign-in';
  /** SHA-256 of the token of the browser that asked for it; empty for any browser. */
  browserHash: string;
  expiresAt: Instant;
  /** Authenticates the row, see `AUTHENTICATED_TABLES`. */
  mac: string;
}

export interface UserSessionTable {
  /** SHA-256 of the token in the browser's cookie, hexadecimal. */
  tokenHash: string;
  userId: string;
  /** Precise to a minute. */
  lastSeenAt: Instant;
  /** Time at which the user proved who they are. */
  authenticatedAt: Instant;
  endsAt: Instant;
  /** Authenticates the row, see `AUTHENTICATED_TABLES`. */
  mac: string;
}

/** A POST, PUT or DELETE request with a merchant's key, without its body. Deleted after 7 days. */
export interface MerchantRequestTable {
  /** The `x-request-id` of the response, which contains the time of the request (`timeOfId`). */
  id: string;
  merchantId: string;
  /** See `keyIdOf`. */
  keyId: string;
  method: 'POST' | 'PUT' | 'DELETE';
  /** Without the query, and without segments that may be personal data or secrets. */
  path: string;
  status: number;
  /** The code of the error; null for a request that succeeded. */
  code: string | null;
}
