import type { Mode } from '../mode.ts';
import type { Instant } from '../time.ts';
import type { CivilDate } from '../../shared/dates.ts';
import type { Language } from '../../shared/languages.ts';
import type { ApplicationStatus } from '../../shared/wire/application.ts';
import type { TransactionStatus } from '../../shared/wire/transaction.ts';

/**
 * Every table as the code sees it. Ids are text, moments are `Instant`s, amounts are cents, and a column that ends in
 * `_json` holds JSON that is read and written whole.
 */
export interface Schema {
  tenants: TenantTable;
  merchants: MerchantTable;
  merchant_origins: MerchantOriginTable;
  merchant_keys: MerchantKeyTable;
  programs: ProgramTable;
  program_versions: ProgramVersionTable;
  carts: CartTable;
  applications: ApplicationTable;
  agreement_documents: AgreementDocumentTable;
  transactions: TransactionTable;
  transaction_events: TransactionEventTable;
  outbox: OutboxTable;
  idempotency_keys: IdempotencyKeyTable;
  idempotency_answers: IdempotencyAnswerTable;
  idempotency_writes: IdempotencyWriteTable;
  environment: EnvironmentTable;
  delivery_attempts: DeliveryAttemptTable;
  callback_secrets: CallbackSecretTable;
  form_keys: FormKeyTable;
  widget_files: WidgetFileTable;
  signing_keys: SigningKeyTable;
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

export interface MerchantKeyTable {
  api_key: string;
  merchant_id: string;
  /** SHA-256 of the secret, hexadecimal. The secret itself is stored nowhere. */
  secret_hash: string;
  created_at: Instant;
  retired_at: Instant | null;
}

/** A financing program, whatever its version. `id` is the platform API's `programID`. */
export interface ProgramTable {
  id: string;
  merchant_id: string;
  /** What the merchant calls it, unique among its programs: the `id` within every version, and its `financingProgramId`. */
  code: string;
  created_at: Instant;
}

/** Only ever added: the database refuses to change or remove a version. */
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
  /** The unguessable part of the checkout link. */
  code: string;
  status: 'OPEN' | 'EXPIRED' | 'COMPLETED';
  created_by: string;
  /** Last day on which the link works, in every US time zone: `2026-11-28`. */
  expires_on: string;
  program_id: string;
  options_json: string;
  transaction_id: string | null;
  created_at: Instant;
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
  /** What the buyer reads: the language they last chose. */
  language: Language;
  /** What the lender was asked under; null before. */
  request_id: string | null;
  /**
   * While a lender's answer is awaited: until when whoever asked may be at it. Afterwards it must be found out what became of
   * it. Null when nothing is awaited.
   */
  asked_until: Instant | null;
  /** The version of the program the lender is asked about, or has decided about; null before. */
  program_version: number | null;
  /** The day, in UTC, whose offers the lender is asked about, or has approved; null when none were. */
  approved_on: CivilDate | null;
  /** What the lender lends of the total, once approved. */
  financed_cents: number | null;
  /** The card that pays the rest, as the gateway knows it and as the buyer does; empty while there is none. */
  card_reference: string;
  card_label: string;
  /** Why it was denied, `["income"]`. For the buyer alone. */
  denial_reasons_json: string;
  /** The tier the lender put the buyer in, once approved. */
  tier_id: string | null;
  /** The offer the buyer chose, until and after signing. */
  offer_id: string | null;
  billing_contact_json: string;
  shipping_contact_json: string;
  shipping_type_id: string | null;
  totals_json: string;
  /** What the buyer wants to purchase, as the platform API answers it. */
  order_json: string;
  /** The plans the buyer was approved for, as the platform API answers them. */
  offers_json: string;
  /** What the buyer signed, for the checkout alone. */
  payment_agreements_json: string;
  /** The same as the platform API answers it. */
  shown_agreements_json: string;
  /** What the merchant said of the cart, `{"channel":"web"}`. */
  metadata_json: string;
  /** Of the billing address, see shared/normalized-address.ts; empty while none is known. */
  normalized_address_hash: string;
  /** Stands for the card on the platform API; null while there is none. */
  payment_method_id: string | null;
  /** SHA-256 of the secret in the address of the buyer's checkout, hexadecimal; empty when no browser has it. */
  session_hash: string;
  /** When another application took its place for the same cart; null for the cart's current one. */
  superseded_at: Instant | null;
  created_at: Instant;
  updated_at: Instant;
  expires_at: Instant;
  revision: number;
}

/** What a buyer signed, as a page. Only ever added: the database refuses to change or remove one. */
export interface AgreementDocumentTable {
  id: string;
  application_id: string;
  merchant_id: string;
  /** The unguessable part of its link. For the buyer alone: neither a merchant nor a platform is told it. */
  code: string;
  language: Language;
  html: string;
  /** Of `html` in UTF-8, hexadecimal; also in the payment agreement. */
  sha256: string;
  created_at: Instant;
}

export interface TransactionTable {
  id: string;
  merchant_id: string;
  cart_id: string;
  application_id: string;
  status: TransactionStatus;
  /** When it came into its status. */
  status_since: Instant;
  order_ref: string;
  merchant_order_id: string;
  total_cents: number;
  /** Always `total_cents - canceled_cents - refunded_cents`; the database refuses anything else. */
  adjusted_total_cents: number;
  canceled_cents: number;
  refunded_cents: number;
  /** Pieces that were canceled or refunded, `[{"sku":"CHAIR-1","quantity":2}]`, each sku once. */
  gone_lines_json: string;
  tax_cents: number | null;
  shipping_cents: number;
  shipping_method_code: string;
  shipping_method_name: string;
  tracking_number: string;
  carrier_name: string;
  /** What of the total a card pays; 0 when all of it is financed. */
  card_cents: number;
  /** What the card gateway knows the card by, a token; empty without one. */
  card_reference: string;
  /** What the buyer knows the card by, such as `Visa 4242`; empty without one. */
  card_label: string;
  line_items_json: string;
  /** What the lines are worth together, discounts and tax in it and shipping not (see decisions/0010). */
  lines_worth_cents: number;
  discounts_json: string;
  billing_contact_json: string;
  shipping_contact_json: string;
  created_at: Instant;
  updated_at: Instant;
  revision: number;
}

/**
 * The journal: one appended row for each change of a transaction. The database refuses to change or remove one, and any but the
 * next, until an owner of the table drops its triggers.
 */
export interface TransactionEventTable {
  transaction_id: string;
  /** 1 for the first event of a transaction; that of the latest is the transaction's revision. */
  sequence: number;
  type: 'created' | 'authorized' | 'settled' | 'canceled' | 'refunded' | 'expired' | 'order-id-set' | 'shipped';
  /** Cents that were canceled or refunded; otherwise those the change was about, 0 when it was about none. */
  amount_cents: number;
  /** Pieces that were canceled or refunded with it, `[{"sku":"CHAIR-1","quantity":2}]`. */
  lines_json: string;
  at: Instant;
}

/** How somebody is told something: `card` is what a card gateway is told to do. */
export type Channel = 'callback' | 'email' | 'text' | 'card';

/** A promise to tell somebody something, written with its cause and kept afterwards. */
export interface OutboxTable {
  /** Also the `webhook-id` of a callback, and part of the Message-ID of an e-mail. */
  id: string;
  merchant_id: string;
  channel: Channel;
  /** Where it goes: a web address, `mailto:` with an e-mail address, `tel:` with a phone number, or `card:` with a transaction's id. */
  url: string;
  /** Who is asked to take it, the origin of `url` for a callback: notifications to one endpoint wait for each other. */
  endpoint: string;
  /** What a callback posts; for an e-mail or a text, what it says as JSON; for a card, what is to be done. */
  body: string;
  /** All attempts so far, and how many of them were made before it was last replayed. */
  attempts: number;
  replayed_after: number;
  /** When the first attempt was made since it was promised, or last replayed. */
  began_at: Instant | null;
  /**
   * When it is due, or, while an attempt is under way, when another process may take it over. Null once it is over, and for what
   * the sandbox only records.
   */
  due_at: Instant | null;
  delivered_at: Instant | null;
  /** How the last attempt failed, in our words; empty before and after success. */
  last_failure: string;
  created_at: Instant;
}

/** A request that came with an idempotency key. */
export interface IdempotencyKeyTable {
  merchant_id: string;
  key: string;
  /** SHA-256 of method, path and body, hexadecimal: the same key is for the same request only. */
  fingerprint: string;
  /** Who answers it: an id of that one run, so that another that took over is noticed. */
  holder: string;
  /** Until when, by the machine's clock, nobody else may take over; empty once nobody is at it. */
  leased_until: Instant;
  /** When it is forgotten, with what was answered. */
  expires_at: Instant;
}

/** What was answered to a request with a key. */
export interface IdempotencyAnswerTable {
  merchant_id: string;
  key: string;
  status: number;
  /** `{"content-type":"application/json; charset=utf-8"}` */
  headers_json: string;
  body: string;
}

/** What a write came to that was committed for a request with a key; kept while there is no answer. */
export interface IdempotencyWriteTable {
  merchant_id: string;
  key: string;
  /** 0 for the first write of the request. */
  ordinal: number;
  /** Null when it came to nothing. */
  result_json: string | null;
}

/** One row: what the database is for. */
export interface EnvironmentTable {
  id: 1;
  mode: Mode;
  /** Where the service that was started last is reached; null before the first start. */
  public_url: string | null;
}

/** One attempt to deliver something. What a receiver said, and whom it was for, is never in it. */
export interface DeliveryAttemptTable {
  delivery_id: string;
  /** 1 for the first. */
  number: number;
  started_at: Instant;
  /** Null while it is under way, and for good when the process ended before it did. */
  duration_ms: number | null;
  /** What the receiver answered; null when nothing came. */
  status_code: number | null;
  /** In our words; empty when it was taken, or has not ended. */
  failure: string;
}

/** What the callbacks of a merchant are signed with. A merchant has one, and two while the first is being replaced. */
export interface CallbackSecretTable {
  id: string;
  merchant_id: string;
  /** `whsec_` and 32 random bytes in base64; empty once it is retired. */
  secret: string;
  created_at: Instant;
  retired_at: Instant | null;
}

/** One row: what the forms of the checkout are sealed with. */
export interface FormKeyTable {
  id: 1;
  /** 32 random bytes in base64url. */
  key: string;
}

/** A file of a release of the widget, kept for the pages that pinned it. */
export interface WidgetFileTable {
  /** The package's, and a hash of all files of the release: `0.1.0-6f1d0c2b9a3e`. */
  version: string;
  /** As in its address: `texts/fr.json`. */
  name: string;
  content: string;
  /** As browsers want it: `sha384-` and the hash in base64. */
  integrity: string;
  bytes: number;
  released_at: Instant;
}

/** A key that tokens of the platform API are signed with. The newest that is not retired signs; the others are still believed. */
export interface SigningKeyTable {
  kid: string;
  algorithm: 'ES256';
  public_jwk_json: string;
  /** Empty once it is retired. */
  private_jwk_json: string;
  created_at: Instant;
  retired_at: Instant | null;
}
