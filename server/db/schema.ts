import type { Actor } from '../actor.ts';
import type { Mode } from '../mode.ts';
import type { Instant } from '../time.ts';
import type { CivilDate } from '../../shared/dates.ts';
import type { Language } from '../../shared/languages/index.ts';
import type { ApplicationStatus } from '../../shared/wire/application.ts';
import type { TransactionStatus } from '../../shared/wire/transaction.ts';

/**
 * All tables. Ids are text, timestamps are `Instant`s, amounts are cents, and columns that end in `_json` are JSON that is read and
 * written as a whole. A column `sealed` is encrypted; the stores of its table open it (`sealed.ts`).
 */
export interface Schema {
  tenants: TenantTable;
  merchants: MerchantTable;
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
  transaction_events: TransactionEventTable;
  outbox: OutboxTable;
  message_counts: MessageCountTable;
  limited_attempts: LimitedAttemptTable;
  idempotency_keys: IdempotencyKeyTable;
  idempotency_responses: IdempotencyResponseTable;
  idempotency_writes: IdempotencyWriteTable;
  environment: EnvironmentTable;
  delivery_attempts: DeliveryAttemptTable;
  callback_secrets: CallbackSecretTable;
  form_keys: FormKeyTable;
  lookup_keys: LookupKeyTable;
  data_keys: DataKeyTable;
  widget_files: WidgetFileTable;
  signing_keys: SigningKeyTable;
  security_events: SecurityEventTable;
  legal_holds: LegalHoldTable;
}

export interface TenantTable {
  id: string;
  name: string;
  created_at: Instant;
}

export interface MerchantTable {
  id: string;
  tenant_id: string;
  name: string;
  store_url: string;
  default_program_id: string;
  created_at: Instant;
}

/** An origin whose pages may use the public half of a merchant's keys and frame its checkout. */
export interface MerchantOriginTable {
  merchant_id: string;
  origin: string;
}

/** A URL that receives callbacks of carts that pages of a merchant create. */
export interface MerchantCallbackTable {
  merchant_id: string;
  /** As `normalizedCallback` returns it. */
  url: string;
}

export interface MerchantKeyTable {
  api_key: string;
  merchant_id: string;
  /** SHA-256 of the secret, hexadecimal. The secret itself is not stored. */
  secret_hash: string;
  created_at: Instant;
  retired_at: Instant | null;
  /** Authenticates the row, see `AUTHENTICATED_TABLES`. */
  mac: string;
}

/** A financing program. `id` is the platform API's `programID`. */
export interface ProgramTable {
  id: string;
  merchant_id: string;
  /** The merchant's id of the program, unique among its programs: `financingProgramId`, and `id` in every version. */
  code: string;
  created_at: Instant;
}

/** Append-only: triggers reject updates and deletes. */
export interface ProgramVersionTable {
  program_id: string;
  version: number;
  status: 'active' | 'retired';
  /** First and last day; null for no end. */
  effective_from: CivilDate;
  effective_to: CivilDate | null;
  document_json: string;
  created_at: Instant;
}

export interface CartTable {
  id: string;
  merchant_id: string;
  /** SHA-256 of the random part of the checkout link, hexadecimal. */
  code_hash: string;
  status: 'OPEN' | 'EXPIRED' | 'COMPLETED';
  /** `lookupHash` of who created it. */
  created_by_hash: string;
  /** `emailHash` of the buyer that the merchant provided; empty without an e-mail address. */
  email_hash: string;
  /** Last day on which the link works, in every US time zone: `2026-11-28`. */
  expires_on: CivilDate;
  program_id: string;
  transaction_id: string | null;
  /** When the contacts in the options were deleted. */
  contacts_deleted_at: Instant | null;
  /** Number of requests for a decision that a lender has received, in all applications. */
  submissions: number;
  created_at: Instant;
  /** The code of the checkout link, the contents and the creator: `SealedCart`. */
  sealed: string;
}

export interface ApplicationTable {
  id: string;
  tenant_id: string;
  merchant_id: string;
  buyer_id: string;
  program_id: string;
  cart_id: string;
  status: ApplicationStatus;
  status_code: string;
  /** The language that the buyer last chose. */
  language: Language;
  /** Id of the request to the lender; null before it is sent. */
  request_id: string | null;
  /**
   * When the lease of a pending request to the lender expires. After that, its outcome must be looked up. Null if no request is
   * pending.
   */
  request_leased_until: Instant | null;
  /** Program version of the request to the lender; null before. */
  program_version: number | null;
  /** Date, in UTC, of the offers in the request to the lender or in its approval; null without offers. */
  approved_on: CivilDate | null;
  /** The financed part of the total, once approved. */
  financed_cents: number | null;
  /** The gateway's token of the card that pays the rest, which only the gateway accepts. Empty without a card. */
  card_reference: string;
  /** Approved tier. */
  tier_id: string | null;
  /** The offer that the buyer chose. */
  offer_id: string | null;
  shipping_type_id: string | null;
  /** ISO 4217 code of the order's amounts. */
  currency: string;
  /** Approved plans, as the platform API presents them. */
  offers_json: string;
  /** `lookupHash` of the hash of the billing address, see shared/normalized-address.ts; empty while the address is unknown. */
  normalized_address_hash: string;
  /** `emailHash` of the buyer; empty while the e-mail address is unknown. */
  email_hash: string;
  /** The buyer, the metadata and the signed agreement: `SealedApplication`. */
  sealed: string;
  /** Identifies the card in the platform API; null without a card. */
  payment_method_id: string | null;
  /** SHA-256 of the session secret in the checkout's URL, hexadecimal; empty without a session. */
  session_hash: string;
  /** SHA-256 of the token in the address to which a card gateway's page returns, hexadecimal; empty if it was used or never issued. */
  card_return_hash: string;
  /** When the buyer was first shown the completed purchase, or redirected to the shop after it; null before. */
  returned_at: Instant | null;
  /** When the buyer's details were deleted, because the application had no decision; null while they are stored. */
  details_deleted_at: Instant | null;
  /** When another application replaced it for the same cart; null for the cart's current one. */
  superseded_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
  expires_at: Instant;
  revision: number;
}

/** A signed agreement as a page. Append-only: triggers reject deletes, and updates of anything but the key that seals it. */
export interface AgreementDocumentTable {
  id: string;
  application_id: string;
  merchant_id: string;
  /** SHA-256 of the random part of its link, hexadecimal. */
  code_hash: string;
  language: Language;
  created_at: Instant;
  /** The page and its hash: `SealedDocument`. */
  sealed: string;
}

/** A revoked link to a signed agreement. */
export interface DocumentRevocationTable {
  application_id: string;
  revoked_at: Instant;
}

export interface TransactionTable {
  id: string;
  merchant_id: string;
  cart_id: string;
  application_id: string;
  status: TransactionStatus;
  /** When it entered its status. */
  status_since: Instant;
  order_ref: string;
  merchant_order_id: string;
  total_cents: number;
  /** Always `total_cents - canceled_cents - refunded_cents`; a check constraint enforces it. */
  adjusted_total_cents: number;
  canceled_cents: number;
  refunded_cents: number;
  /** Quantities that were canceled or refunded, `[{"sku":"CHAIR-1","quantity":2}]`, each sku once. */
  adjusted_quantities_json: string;
  tax_cents: number | null;
  shipping_cents: number;
  shipping_method_code: string;
  shipping_method_name: string;
  carrier_name: string;
  /** Card portion of the total; 0 if all of it is financed. */
  card_cents: number;
  /** The card gateway's token of the card; empty without a card. */
  card_reference: string;
  /** Value of all line items, with discounts and tax and without shipping (decisions/0010). */
  line_items_cents: number;
  /** When the contacts were deleted. A partial index contains the transactions that still have them. */
  contacts_deleted_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
  /** The buyer, the line items and the shipment: `SealedTransaction`. */
  sealed: string;
  revision: number;
}

/**
 * The journal: one row for each change of a transaction. Triggers reject updates, deletes, and inserts with another sequence than the
 * next.
 */
export interface TransactionEventTable {
  transaction_id: string;
  /** 1 for the first event of a transaction. The latest sequence is the transaction's revision. */
  sequence: number;
  type: 'created' | 'authorized' | 'settled' | 'canceled' | 'refunded' | 'expired' | 'order-id-set' | 'shipped';
  /** The canceled, refunded or otherwise affected amount; 0 without one. */
  amount_cents: number;
  /** Value of the line items to cancel or refund, if less than that remained and was canceled or refunded; null otherwise. */
  requested_cents: number | null;
  /** Quantities that were canceled or refunded, `[{"sku":"CHAIR-1","quantity":2}]`. */
  lines_json: string;
  /** Who caused the change. The creation is caused by the buyer who signed. */
  actor: Actor;
  /** Why the service itself made the change; null for a requested change. */
  reason: 'not-authorized-in-time' | 'not-settled-in-time' | null;
  at: Instant;
}

/** How an outbox entry is delivered. `card` is a call of the card gateway. */
export type Channel = 'callback' | 'email' | 'text' | 'card';

/** A notification to deliver, written in the same database transaction as its cause and retained after delivery. */
export interface OutboxTable {
  /** Also the `webhook-id` of a callback, and part of the Message-ID of an e-mail. */
  id: string;
  merchant_id: string;
  channel: Channel;
  /** Endpoint that limits apply to: the origin of the URL for a callback. */
  endpoint: string;
  /** `emailHash` or `lookupHash` of the recipient of an e-mail or text message; empty for other channels. */
  recipient_hash: string;
  /** The transaction whose card a card operation changes; null for other channels. */
  transaction_id: string | null;
  /** The cart of a callback, an e-mail or a text message; null for card operations, and for rows from before this column. */
  cart_id: string | null;
  /** The application that an e-mail or a text message to the buyer is about; null for links to carts, which merchants send. */
  application_id: string | null;
  /** The recipient and the body: `SealedDelivery`. */
  sealed: string;
  /** Number of attempts, and of attempts before the last redelivery. */
  attempts: number;
  replayed_after: number;
  /** When the first attempt was made, or the first since the last redelivery. */
  began_at: Instant | null;
  /**
   * When it is due, or when the lease of the attempt in progress expires. Null if there is no further attempt, and for messages that
   * the sandbox only records.
   */
  due_at: Instant | null;
  delivered_at: Instant | null;
  /** How the last attempt failed; empty if it did not. */
  last_failure: string;
  created_at: Instant;
}

/** Number of messages that merchants sent on a day, which is limited. Deleted after the day. */
export interface MessageCountTable {
  /** In UTC. */
  day: CivilDate;
  channel: 'email' | 'text';
  /** `lookupHash` of an e-mail address or phone number, or the id of a merchant. */
  counted: string;
  count: number;
}

/**
 * When decisions about a person, decisions that are sent to a recipient, or one-time codes were requested, which is limited. Deleted a
 * day after the last request.
 */
export interface LimitedAttemptTable {
  /** Keyed hash of a person, or of a recipient, network or document and what is limited, hexadecimal. */
  subject_hash: string;
  /** `["2026-11-21T09:30:00.000000Z"]`, the earliest first. */
  attempts_json: string;
  last_attempt_at: Instant;
}

/** A request with an idempotency key. */
export interface IdempotencyKeyTable {
  merchant_id: string;
  key: string;
  /** Keyed hash of method, path and body, hexadecimal, to detect another request with the same key. */
  fingerprint: string;
  /** Id of the attempt that processes the request, so that it notices if another attempt took over. */
  holder: string;
  /** When the lease expires, by the system clock, and another attempt may take over; empty if no attempt is in progress. */
  leased_until: Instant | '';
  /** When it is deleted, with its response. */
  expires_at: Instant;
}

/** Stored response of a request with an idempotency key. */
export interface IdempotencyResponseTable {
  merchant_id: string;
  key: string;
  status: number;
  /** Headers and body: `SealedResponse`. */
  sealed: string;
}

/** Result of a committed write of a request with an idempotency key; deleted once the response is stored. */
export interface IdempotencyWriteTable {
  merchant_id: string;
  key: string;
  /** 0 for the first write of the request. */
  ordinal: number;
  /** The result, or null if the write returned undefined. */
  sealed: string;
}

/** A single row. */
export interface EnvironmentTable {
  id: 1;
  mode: Mode;
  /** Public URL of the last service that was started; null before the first start. */
  public_url: string | null;
}

/** One delivery attempt. Contains neither the receiver's response body nor the recipient. */
export interface DeliveryAttemptTable {
  delivery_id: string;
  /** 1 for the first. */
  number: number;
  started_at: Instant;
  /** Null while the attempt is in progress, and permanently if the process crashed during it. */
  duration_ms: number | null;
  /** Status of the receiver's response; null without a response. */
  status_code: number | null;
  /** Empty after a success and while the attempt is in progress. */
  failure: string;
}

/** Secret that signs the callbacks of a merchant. A merchant has two during a rotation. */
export interface CallbackSecretTable {
  id: string;
  merchant_id: string;
  /** `whsec_` and 32 random bytes in base64; empty once it is retired. */
  sealed: string;
  created_at: Instant;
  retired_at: Instant | null;
}

/** A single row: the key of the form tokens. */
export interface FormKeyTable {
  id: 1;
  /** 32 random bytes in base64url. */
  sealed: string;
}

/** A single row: the key of `lookupHash`. It never changes. */
export interface LookupKeyTable {
  id: 1;
  /** 32 random bytes in base64url. */
  sealed: string;
}

/** A data key that rows of this database are sealed with. */
export interface DataKeyTable {
  id: string;
  /** A sealed constant, to recognize another key with the same id. */
  check_value: string;
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
  released_at: Instant;
}

/** A signing key for tokens of the platform API. The newest active key signs; other active keys only verify. */
export interface SigningKeyTable {
  kid: string;
  algorithm: 'ES256';
  public_jwk_json: string;
  /** The private key as a JWK; empty once it is retired. */
  sealed: string;
  created_at: Instant;
  retired_at: Instant | null;
  /** Authenticates the row, see `AUTHENTICATED_TABLES`. */
  mac: string;
}

/** All kinds of security events. */
export const SECURITY_EVENT_KINDS = [
  'merchant-login-failed',
  'token-request-failed',
  'bearer-token-rejected',
  'document-proof-failed',
  'merchant-created',
  'merchant-changed',
  'key-created',
  'key-retired',
  'callback-secret-created',
  'callback-secret-retired',
  'signing-key-created',
  'signing-key-retired',
  'token-minted',
  'legal-hold-set',
  'legal-hold-released',
  'document-link-revoked',
  'data-keys-rotated',
  'data-exported',
  'data-erased',
] as const;

export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

/**
 * An event that is relevant for security. Failed logins are counted by kind, network and minute. Triggers reject deletes within a year,
 * and updates of anything but a larger count.
 */
export interface SecurityEventTable {
  id: string;
  /** The start of the minute for counted events. */
  occurred_at: Instant;
  kind: SecurityEventKind;
  /** `unknown` for a caller that failed to authenticate. */
  actor: Actor | 'unknown';
  merchant_id: string | null;
  tenant_id: string | null;
  /** Network of the caller, /24 or /48, `unknown`, or `other` for many networks; null without a request. */
  network: string | null;
  count: number;
  /** `{"keyId":"aB3_x9Zq"}`. Neither secrets nor personal data. */
  details_json: string;
}

/** An application whose data must not be deleted, because a court or an authority may require it. */
export interface LegalHoldTable {
  application_id: string;
  reason: string;
  set_at: Instant;
}
