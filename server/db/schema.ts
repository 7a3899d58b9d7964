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
  idempotency_responses: IdempotencyResponseTable;
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
  /** The language that the buyer last chose. */
  language: Language;
  /** Id of the request to the lender; null before it is sent. */
  request_id: string | null;
  /**
   * When the lease of a pending request to the lender expires. After that, its outcome must be looked up. Null if no request is
   * pending.
   */
  request_leased_until: Instant | null;
  /** The version of the program the lender is asked about, or has decided about; null before. */
  program_version: number | null;
  /** The day, in UTC, whose offers the lender is asked about, or has approved; null when none were. */
  approved_on: CivilDate | null;
  /** The financed part of the total, once approved. */
  financed_cents: number | null;
  /** The card that pays the rest: the gateway's token, and the label shown to the buyer. Empty without a card. */
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
  /** The purchase, as the platform API presents it. */
  order_json: string;
  /** The plans the buyer was approved for, as the platform API answers them. */
  offers_json: string;
  /** What the buyer signed, for the checkout alone. */
  payment_agreements_json: string;
  /** The same as the platform API presents it. */
  shown_agreements_json: string;
  /** The merchant's metadata of the cart, such as `{"channel":"web"}`. */
  metadata_json: string;
  /** Hash of the billing address, see shared/normalized-address.ts; empty while the address is unknown. */
  normalized_address_hash: string;
  /** Identifies the card in the platform API; null without a card. */
  payment_method_id: string | null;
  /** SHA-256 of the secret in the address of the buyer's checkout, hexadecimal; empty when no browser has it. */
  session_hash: string;
  /** When another application replaced it for the same cart; null for the cart's current one. */
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
  /** The unguessable part of its link. Only for the buyer: never returned to a merchant or a platform. */
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
  adjusted_quantities_json: string;
  tax_cents: number | null;
  shipping_cents: number;
  shipping_method_code: string;
  shipping_method_name: string;
  tracking_number: string;
  carrier_name: string;
  /** What of the total a card pays; 0 when all of it is financed. */
  card_cents: number;
  /** The card gateway's token of the card; empty without a card. */
  card_reference: string;
  /** Label of the card shown to the buyer, such as `Visa 4242`; empty without a card. */
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

/** How an outbox entry is delivered. `card` is a call of the card gateway. */
export type Channel = 'callback' | 'email' | 'text' | 'card';

/** A notification to deliver, written in the same database transaction as its cause and retained after delivery. */
export interface OutboxTable {
  /** Also the `webhook-id` of a callback, and part of the Message-ID of an e-mail. */
  id: string;
  merchant_id: string;
  channel: Channel;
  /** Where it goes: a web address, `mailto:` with an e-mail address, `tel:` with a phone number, or `card:` with a transaction's id. */
  url: string;
  /** Who is asked to take it, the origin of `url` for a callback: notifications to one endpoint wait for each other. */
  endpoint: string;
  /** Body of a callback, JSON content of an e-mail or text message, or the call of the card gateway. */
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
  /** Id of the attempt that processes the request, so that it notices if another attempt took over. */
  holder: string;
  /** When the lease expires, by the machine's clock, and another attempt may take over; empty if no attempt is in progress. */
  leased_until: Instant;
  /** When it is deleted, with its response. */
  expires_at: Instant;
}

/** What was answered to a request with a key. */
export interface IdempotencyResponseTable {
  merchant_id: string;
  key: string;
  status: number;
  /** `{"content-type":"application/json; charset=utf-8"}` */
  headers_json: string;
  body: string;
}

/** Result of a committed write of a request with an idempotency key; deleted once the response is stored. */
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

/** One delivery attempt. Contains neither the receiver's response body nor the recipient. */
export interface DeliveryAttemptTable {
  delivery_id: string;
  /** 1 for the first. */
  number: number;
  started_at: Instant;
  /** Null while the attempt is in progress, and permanently if the process crashed during it. */
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

/** A file of a widget release, stored for pages that pinned that version. */
export interface WidgetFileTable {
  /** The package's, and a hash of all files of the release: `0.1.0-6f1d0c2b9a3e`. */
  version: string;
  /** As in its address: `texts/fr.json`. */
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
  /** Empty once it is retired. */
  private_jwk_json: string;
  created_at: Instant;
  retired_at: Instant | null;
}
