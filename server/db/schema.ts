import type { CivilDate } from '../../shared/dates.ts';
import type { Language } from '../../shared/languages.ts';
import type { ApplicationStatus } from '../../shared/wire/application.ts';
import type { TransactionStatus } from '../../shared/wire/transaction.ts';
import type { Instant } from '../time.ts';
import type {
  OutboxTable,
  IdempotencyAnswerTable,
  IdempotencyKeyTable,
  IdempotencyWriteTable,
  EnvironmentTable,
  DeliveryAttemptTable,
  CallbackSecretTable,
  FormKeyTable,
  WidgetFileTable,
  SigningKeyTable,
} from './service-tables.ts';

export type * from './service-tables.ts';

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
