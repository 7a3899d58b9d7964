import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Connection, Engine } from '../engine.ts';
import { triggers } from './0001-triggers.ts';

/** Creates all tables. `schema.ts` documents their columns. */
export async function up(database: Kysely<unknown>, { engine, keyRing }: Connection): Promise<void> {
  const created = Object.entries(tables).map(([name, columns]) => createTable(name, columns, engine));
  for (const statement of [...created, ...indexes, ...triggers[engine]]) await sql.raw(statement).execute(database);

  // Generated here because a migration runs once, however many processes start at the same time.
  const checkValue = keyRing.seal('Fairterm data key', ['data_keys', keyRing.activeId]);
  await sql`insert into data_keys (id, check_value) values (${keyRing.activeId}, ${checkValue})`.execute(database);
  for (const table of ['form_keys', 'lookup_keys']) {
    const sealed = keyRing.seal(JSON.stringify(randomBytes(32).toString('base64url')), [table, 1]);
    await sql`insert into ${sql.table(table)} (id, sealed) values (1, ${sealed})`.execute(database);
  }
}

/** Tables of SQLite that are stored in their primary key, because their rows are little more than it. */
const WITHOUT_ROWID = ['delivery_attempts', 'email_opt_outs', 'merchant_requests', 'order_words'];

/** STRICT tables have no bigint: an integer of SQLite has 64 bits, an integer of PostgreSQL has 32. */
function createTable(name: string, columns: string, engine: Engine): string {
  if (engine === 'postgres') return `create table ${name} (${columns})`;
  const options = WITHOUT_ROWID.includes(name) ? 'strict, without rowid' : 'strict';
  return `create table ${name} (${columns.replaceAll('bigint', 'integer')}) ${options}`;
}

/**
 * Columns and constraints by the name of a table. Hashes of 64 characters are SHA-256 in hexadecimal; an `integrity` of 71 characters is
 * `sha384-` and the hash in base64.
 */
const tables = {
  tenants: `
    id text primary key not null,
    name text not null,
    created_at text not null`,
  merchants: `
    id text primary key not null,
    tenant_id text not null references tenants (id),
    name text not null,
    store_url text not null,
    default_program_id text not null,
    created_at text not null,
    logo text,
    accent text,
    support_email text,
    support_phone text,
    support_url text,
    postal_address text not null default '',
    category text not null default '',
    refund_approval_cents bigint check (refund_approval_cents > 0),
    mac text not null default ''`,
  merchant_logos: `
    merchant_id text primary key not null references merchants (id),
    name text not null,
    base64 text not null`,
  merchant_origins: `
    merchant_id text not null references merchants (id),
    origin text not null,
    constraint merchant_origins_pk primary key (merchant_id, origin)`,
  merchant_callbacks: `
    merchant_id text not null references merchants (id),
    url text not null,
    constraint merchant_callbacks_pk primary key (merchant_id, url)`,
  merchant_keys: `
    api_key text primary key not null,
    merchant_id text not null references merchants (id),
    secret_hash text not null,
    created_at text not null,
    retired_at text,
    created_by text not null,
    mac text not null default ''`,
  callback_secrets: `
    id text primary key not null,
    merchant_id text not null references merchants (id),
    sealed text not null,
    created_at text not null,
    retired_at text`,
  merchant_requests: `
    id text primary key not null,
    merchant_id text not null,
    key_id text not null,
    method text not null,
    path text not null,
    status integer not null,
    code text`,
  users: `
    id text primary key not null,
    tenant_id text not null references tenants (id),
    merchant_id text references merchants (id),
    role text not null check (role in ('viewer', 'support', 'finance', 'developer', 'admin')),
    refund_limit_cents bigint check (refund_limit_cents >= 0),
    email_hash text not null check (length(email_hash) = 64),
    created_at text not null,
    removed_at text,
    sealed text not null`,
  user_passkeys: `
    id text primary key not null,
    user_id text not null references users (id),
    counter bigint not null,
    challenged_at text not null,
    created_at text not null,
    sealed text not null`,
  user_links: `
    token_hash text primary key not null check (length(token_hash) = 64),
    user_id text not null references users (id),
    purpose text not null check (purpose in ('invitation', 'sign-in')),
    browser_hash text not null,
    expires_at text not null,
    mac text not null`,
  user_sessions: `
    token_hash text primary key not null check (length(token_hash) = 64),
    user_id text not null references users (id),
    last_seen_at text not null,
    authenticated_at text not null,
    ends_at text not null,
    mac text not null`,
  programs: `
    id text primary key not null,
    merchant_id text not null references merchants (id),
    code text not null default 'standard',
    created_at text not null`,
  program_versions: `
    program_id text not null references programs (id),
    version integer not null,
    status text not null,
    effective_from text not null,
    effective_to text,
    document_json text not null,
    created_at text not null,
    constraint program_versions_pk primary key (program_id, version)`,
  carts: `
    id text primary key not null,
    merchant_id text not null references merchants (id),
    code_hash text not null unique check (length(code_hash) = 64),
    status text not null,
    created_by_hash text not null,
    email_hash text not null default '',
    order_ref text not null,
    expires_on text not null,
    expiry_due_on text,
    program_id text not null references programs (id),
    transaction_id text,
    user_id text references users (id),
    opened_at text,
    contacts_deleted_at text,
    submissions integer not null default 0,
    created_at text not null,
    sealed text not null`,
  applications: `
    id text primary key not null,
    tenant_id text not null references tenants (id),
    merchant_id text not null references merchants (id),
    buyer_id text not null,
    program_id text not null references programs (id),
    program_version integer,
    cart_id text not null references carts (id),
    session_hash text not null default '' check (length(session_hash) in (0, 64)),
    card_return_hash text not null default '' check (length(card_return_hash) in (0, 64)),
    superseded_at text,
    details_deleted_at text,
    status text not null,
    status_code text not null,
    language text not null default 'en',
    request_id text,
    submitted_at text,
    request_leased_until text,
    request_due_at text,
    request_attempts integer not null default 0,
    invalid_outcome text check (invalid_outcome in ('approved', 'denied', 'other')),
    warn_at text,
    approved_on text,
    tier_id text,
    offer_id text,
    financed_cents bigint,
    card_reference text not null default '',
    payment_method_id text,
    shipping_type_id text,
    currency text not null,
    normalized_address_hash text not null default '',
    email_hash text not null default '',
    returned_at text,
    consent_withdrawn_at text,
    created_at text not null,
    updated_at text not null,
    expires_at text not null,
    sealed text not null,
    revision integer not null`,
  exceptions: `
    id text primary key not null,
    application_id text not null references applications (id),
    merchant_id text not null references merchants (id),
    kind text not null check (kind in ('decision', 'agreement', 'undecided', 'schedule', 'bureau')),
    fault text,
    raised_at text not null,
    resolution text,
    denial_reason text,
    actor text,
    reason text,
    resolved_at text,
    closed_at text,
    check ((resolution is null) = (resolved_at is null) and (resolution is null) = (actor is null) and (resolution is null) = (reason is null))`,
  lender_calls: `
    id text primary key not null,
    direction text not null check (direction in ('sent', 'received')),
    method text not null,
    path text not null,
    subject_id text not null,
    attempt integer not null,
    started_at text not null,
    duration_ms integer not null,
    status_code integer,
    failure text not null`,
  agreement_documents: `
    id text primary key not null,
    application_id text not null unique references applications (id),
    merchant_id text not null references merchants (id),
    code_hash text not null unique check (length(code_hash) = 64),
    language text not null,
    created_at text not null,
    sealed text not null`,
  document_revocations: `
    application_id text primary key not null references applications (id),
    revoked_at text not null`,
  legal_holds: `
    application_id text primary key not null references applications (id),
    reason text not null,
    set_at text not null`,
  transactions: `
    id text primary key not null,
    merchant_id text not null references merchants (id),
    cart_id text not null unique references carts (id),
    application_id text not null unique references applications (id),
    request_id text,
    status text not null,
    status_since text not null default '',
    order_ref text not null,
    order_ref_shared_at text check (order_ref_shared_at is null or order_ref <> ''),
    merchant_order_id text not null,
    email_hash text not null default '',
    total_cents bigint not null,
    adjusted_total_cents bigint not null,
    canceled_cents bigint not null default 0 check (canceled_cents >= 0),
    refunded_cents bigint not null default 0
      check (refunded_cents >= 0 and adjusted_total_cents = total_cents - canceled_cents - refunded_cents),
    adjusted_quantities_json text not null default '[]',
    tax_cents bigint,
    shipping_cents bigint not null,
    shipping_method_code text not null,
    shipping_method_name text not null,
    carrier_name text not null,
    card_cents bigint not null default 0 check (card_cents >= 0 and card_cents <= total_cents),
    card_reference text not null default '' check ((card_cents = 0) = (card_reference = '')),
    card_reduced_cents bigint not null default 0 check (card_reduced_cents >= 0 and card_reduced_cents <= card_cents),
    time_zone text not null default 'UTC',
    merchant_discount_bps integer not null default 0,
    merchant_discount_cents bigint not null default 0,
    line_items_cents bigint not null default 0 check (line_items_cents >= 0),
    loan_ends_on text not null default '',
    loan_fee_cents bigint,
    loan_apr_bps integer,
    contacts_deleted_at text,
    created_at text not null,
    updated_at text not null,
    sealed text not null,
    revision integer not null,
    constraint adjusted_total_is_possible check (adjusted_total_cents between 0 and total_cents)`,
  transaction_entries: `
    transaction_id text not null references transactions (id),
    sequence integer not null,
    type text not null,
    amount_cents bigint not null,
    card_cents bigint not null default 0 check (card_cents >= 0 and (card_cents = 0 or card_cents <= amount_cents)),
    requested_cents bigint,
    lines_json text not null default '[]',
    actor text not null check (actor in ('console', 'buyer', 'system') or actor like 'key:%' or actor like 'user:%'),
    reason text,
    reference text,
    at text not null,
    constraint transaction_entries_pk primary key (transaction_id, sequence)`,
  order_words: `
    hash text not null,
    created_at text not null,
    transaction_id text not null,
    primary key (hash, created_at, transaction_id)`,
  refund_requests: `
    id text primary key not null,
    merchant_id text not null references merchants (id),
    transaction_id text not null references transactions (id),
    revision integer not null,
    action_json text not null,
    amount_cents bigint not null check (amount_cents > 0),
    requested_by text not null references users (id),
    requested_at text not null,
    expires_at text not null,
    status text not null check (status in ('pending', 'approved', 'rejected', 'expired')),
    decided_by text references users (id),
    decided_at text,
    mac text not null default '',
    check ((decided_by is null) = (status in ('pending', 'expired'))),
    check (status <> 'approved' or decided_by <> requested_by)`,
  settlements: `
    id text primary key not null,
    merchant_id text not null references merchants (id),
    currency text not null,
    day text not null,
    line_count integer not null,
    gross_cents bigint not null,
    fee_cents bigint not null,
    carried_cents bigint not null check (carried_cents <= 0),
    bank_reference text,
    paid_on text,
    received_cents bigint,
    received_on text,
    received_difference text check (received_difference in ('amount', 'not-paid', 'several-payments', 'paid-before', 'transfer')),
    created_at text not null,
    check ((bank_reference is null) = (paid_on is null)),
    check (bank_reference is null or carried_cents + gross_cents - fee_cents > 0)`,
  settlement_lines: `
    transaction_id text not null references transactions (id),
    sequence integer not null,
    type text not null check (type in ('settled', 'settled-by-card', 'refunded', 'refunded-to-card')),
    merchant_id text not null references merchants (id),
    currency text not null,
    gross_cents bigint not null,
    fee_cents bigint not null,
    day text not null,
    at text not null,
    settlement_id text references settlements (id),
    primary key (transaction_id, sequence, type),
    check (type in ('settled', 'refunded') or (gross_cents = 0 and fee_cents = 0))`,
  events: `
    id text primary key not null,
    merchant_id text not null references merchants (id),
    type text not null,
    transaction_id text,
    data_json text not null,
    created_at text not null,
    occurred_at text,
    enqueued_at text`,
  webhooks: `
    id text primary key not null,
    merchant_id text not null references merchants (id),
    types_json text not null,
    created_at text not null,
    confirmed_at text,
    failing_since text,
    disabled_at text,
    sealed text not null`,
  outbox: `
    id text primary key not null,
    merchant_id text not null references merchants (id),
    channel text not null default 'callback',
    endpoint text not null,
    recipient_hash text not null default '',
    transaction_id text,
    cart_id text,
    application_id text,
    notice text,
    open_by text,
    opened_at text,
    sequence integer,
    sealed text not null,
    attempts integer not null,
    replayed_after integer not null default 0,
    began_at text,
    due_at text,
    delivered_at text,
    last_failure text not null,
    created_at text not null`,
  delivery_attempts: `
    delivery_id text not null references outbox (id) on delete cascade,
    number integer not null,
    started_at text not null,
    duration_ms integer,
    status_code integer,
    failure text not null,
    constraint delivery_attempts_pk primary key (delivery_id, number)`,
  message_counts: `
    day text not null,
    channel text not null,
    counted text not null,
    count integer not null,
    constraint message_counts_pk primary key (day, channel, counted)`,
  email_opt_outs: `
    recipient_hash text not null check (length(recipient_hash) = 64),
    merchant_id text not null references merchants (id),
    created_at text not null,
    constraint email_opt_outs_pk primary key (recipient_hash, merchant_id)`,
  limited_attempts: `
    subject_hash text primary key not null check (length(subject_hash) = 64),
    attempts_json text not null,
    last_attempt_at text not null`,
  idempotency_keys: `
    merchant_id text not null references merchants (id),
    key text not null,
    fingerprint text not null,
    holder text not null,
    leased_until text not null,
    expires_at text not null,
    constraint idempotency_keys_pk primary key (merchant_id, key)`,
  idempotency_responses: `
    merchant_id text not null,
    key text not null,
    status integer not null,
    sealed text not null,
    constraint idempotency_responses_pk primary key (merchant_id, key)`,
  idempotency_writes: `
    merchant_id text not null,
    key text not null,
    ordinal integer not null,
    sealed text not null,
    constraint idempotency_writes_pk primary key (merchant_id, key, ordinal)`,
  security_events: `
    id text primary key not null,
    occurred_at text not null,
    kind text not null,
    actor text not null,
    merchant_id text,
    tenant_id text,
    network text,
    count bigint not null check (count > 0),
    details_json text not null`,
  signing_keys: `
    kid text primary key not null,
    algorithm text not null,
    public_jwk_json text not null,
    sealed text not null,
    created_at text not null,
    retired_at text,
    mac text not null default ''`,
  environment: `
    id integer primary key not null check (id = 1),
    mode text not null check (mode in ('sandbox', 'live')),
    public_url text`,
  form_keys: `
    id integer primary key not null check (id = 1),
    sealed text not null`,
  lookup_keys: `
    id integer primary key not null check (id = 1),
    sealed text not null`,
  data_keys: `
    id text primary key not null,
    check_value text not null`,
  widget_files: `
    version text not null,
    name text not null,
    content text not null,
    integrity text not null check (length(integrity) = 71),
    bytes integer not null,
    released_at text not null,
    constraint widget_files_by_name primary key (version, name)`,
};

const indexes = [
  'create index merchants_by_tenant on merchants (tenant_id, id)',
  'create index merchant_logos_by_name on merchant_logos (name)',
  'create index merchant_origins_by_origin on merchant_origins (origin)',
  'create index merchant_keys_by_creator on merchant_keys (created_by)',
  'create index callback_secrets_by_merchant on callback_secrets (merchant_id)',
  'create index merchant_requests_by_merchant on merchant_requests (merchant_id, id)',
  'create index merchant_requests_failed on merchant_requests (merchant_id, id) where code is not null',

  "create unique index users_by_email on users (email_hash, tenant_id, coalesce(merchant_id, '')) where removed_at is null",
  'create index users_by_tenant on users (tenant_id, merchant_id, id)',
  'create index users_by_merchant on users (merchant_id)',
  'create index user_passkeys_by_user on user_passkeys (user_id, created_at)',
  'create index user_links_by_user on user_links (user_id)',
  'create index user_links_by_expiry on user_links (expires_at)',
  'create index user_sessions_by_user on user_sessions (user_id)',
  'create index user_sessions_by_end on user_sessions (ends_at)',

  'create unique index programs_by_code on programs (merchant_id, code)',

  'create index carts_by_creator_and_expiry on carts (created_by_hash, expires_on)',
  "create index carts_by_email on carts (email_hash) where email_hash <> ''",
  "create index carts_with_contacts on carts (expires_on, id) where contacts_deleted_at is null and status <> 'COMPLETED'",
  'create index carts_expiry_due on carts (expiry_due_on, id) where expiry_due_on is not null',
  'create index carts_of_merchant on carts (merchant_id, created_at, id)',
  'create index carts_of_status on carts (merchant_id, status, created_at, id)',
  'create index carts_of_users on carts (merchant_id, created_at, id) where user_id is not null',
  indexOf('carts', 'order_ref'),
  indexOf('carts', 'email_hash'),

  'create index applications_of_cart on applications (cart_id, id)',
  // A cart has at most one current application.
  'create unique index applications_current on applications (cart_id) where superseded_at is null',
  "create index applications_by_email on applications (email_hash, created_at) where email_hash <> ''",
  // The short reference of an application is the end of its id.
  'create index applications_of_reference on applications (substr(id, 27))',
  'create index applications_by_request on applications (request_id) where request_id is not null',
  'create index applications_with_due_request on applications (request_due_at, id) where request_due_at is not null',
  'create index applications_to_warn on applications (warn_at, id) where warn_at is not null',
  'create index applications_by_expires_at on applications (status, expires_at, id)',
  'create index applications_unfinished on applications (updated_at, id) where submitted_at is null and details_deleted_at is null',
  `create index applications_decided on applications (updated_at, id)
     where submitted_at is not null and details_deleted_at is null and status <> 'CHECKOUT_COMPLETED'`,
  // Each index of the platform API's listing begins with the columns it filters by and ends with the columns it sorts by. Those by
  // time of change also contain the time of creation, to filter by one and sort by the other (decisions/0031).
  ...listingIndexes({
    tenant: 'tenant_id',
    merchant: 'tenant_id, merchant_id',
    status: 'tenant_id, status_code',
    merchant_status: 'tenant_id, merchant_id, status_code',
    program_status: 'tenant_id, program_id, status_code',
  }),
  // A buyer or an address has few applications: other filters are applied to their rows.
  'create index applications_of_buyer on applications (tenant_id, buyer_id, created_at, id)',
  'create index applications_of_address on applications (tenant_id, normalized_address_hash, created_at, id)',

  'create unique index exceptions_open on exceptions (application_id, kind) where closed_at is null',
  'create index exceptions_of_application on exceptions (application_id)',
  'create index exceptions_of_merchant on exceptions (merchant_id, raised_at, id)',
  'create index exceptions_by_time on exceptions (raised_at, id)',
  'create index exceptions_to_resolve on exceptions (raised_at, id) where closed_at is null',
  'create index lender_calls_by_time on lender_calls (started_at, id)',
  'create index lender_calls_by_subject on lender_calls (subject_id, id)',
  'create index agreement_documents_by_time on agreement_documents (created_at)',

  `create index transactions_to_expire on transactions (status, status_since, id) where status in ('PENDING', 'AUTHORIZED')`,
  `create index transactions_with_contacts on transactions (status_since, id, loan_ends_on)
     where contacts_deleted_at is null and status not in ('PENDING', 'AUTHORIZED')`,
  // With the total, to sum it from the index alone.
  'create index transactions_of_merchant on transactions (merchant_id, created_at, id, total_cents)',
  'create index transactions_of_status on transactions (merchant_id, status, created_at, id)',
  `create index transactions_of_status_since on transactions (merchant_id, status, status_since, created_at, id)
     where status in ('PENDING', 'AUTHORIZED')`,
  'create index transactions_of_total on transactions (merchant_id, total_cents, created_at, id)',
  indexOf('transactions', 'order_ref'),
  // Normally empty: one order has one purchase.
  `create index transactions_with_shared_order_ref on transactions (merchant_id, created_at, id)
     where order_ref_shared_at is not null and status in ('PENDING', 'AUTHORIZED', 'SETTLED')`,
  indexOf('transactions', 'email_hash'),
  indexOf('transactions', 'merchant_order_id'),
  'create index order_words_of_transaction on order_words (transaction_id)',
  `create unique index refund_requests_pending on refund_requests (transaction_id) where status = 'pending'`,
  `create index refund_requests_of_merchant on refund_requests (merchant_id, requested_at, id) where status = 'pending'`,
  'create index refund_requests_of_transaction on refund_requests (transaction_id, requested_at)',

  'create unique index settlements_once on settlements (merchant_id, currency, day)',
  'create index settlements_of_merchant on settlements (merchant_id, day, id)',
  'create index settlements_by_day on settlements (day, id)',
  'create index settlements_by_reference on settlements (bank_reference) where bank_reference is not null',
  'create index settlement_lines_of_settlement on settlement_lines (settlement_id, transaction_id, sequence, type)',
  'create index settlement_lines_unassigned on settlement_lines (merchant_id, currency, day) where settlement_id is null',
  "create index settlement_lines_of_refunds on settlement_lines (merchant_id, at, gross_cents) where type = 'refunded'",

  'create index events_of_merchant on events (merchant_id, created_at, id)',
  'create index events_by_type on events (merchant_id, type, created_at, id)',
  'create index events_of_transaction on events (transaction_id, created_at, id) where transaction_id is not null',
  // Empty in live mode.
  'create index events_by_clock on events (merchant_id, type, occurred_at) where occurred_at is not null',
  'create index events_by_age on events (created_at)',
  'create index events_to_enqueue on events (created_at, id) where enqueued_at is null',
  'create index webhooks_of_merchant on webhooks (merchant_id, created_at, id)',

  // The last two columns, so that deliveries by result are counted without reading them.
  'create index outbox_by_merchant on outbox (merchant_id, id, channel, delivered_at)',
  // Finished deliveries are not in the index. With them, SQLite would not use it to find the few that are due.
  'create index outbox_due on outbox (due_at, id) where due_at is not null',
  "create index outbox_by_card on outbox (transaction_id) where channel = 'card'",
  "create unique index outbox_of_lender on outbox (application_id, sequence) where channel = 'lender'",
  "create index outbox_of_webhook on outbox (endpoint, id) where channel = 'webhook'",
  "create index outbox_by_application on outbox (application_id) where application_id is not null and channel <> 'lender'",
  "create index outbox_by_recipient on outbox (recipient_hash) where recipient_hash <> ''",
  `create index outbox_failing on outbox (merchant_id, created_at)
     where delivered_at is null and last_failure <> '' and channel in ('callback', 'webhook')`,
  // What has failed, of all merchants. Empty as long as nothing fails, so that a purchase writes none of them.
  'create index webhooks_failing on webhooks (failing_since, id) where failing_since is not null and disabled_at is null',
  `create index outbox_failed_cards on outbox (created_at, id)
     where channel = 'card' and due_at is null and delivered_at is null`,
  'create index outbox_notices on outbox (created_at, id) where notice is not null',
  'create index outbox_unopened on outbox (open_by, id) where open_by is not null',
  // Events for the lender are retained like the journal, and notices like their application.
  `create index outbox_finished on outbox (created_at, id)
     where due_at is null and channel not in ('card', 'lender') and notice is null`,

  'create index limited_attempts_by_time on limited_attempts (last_attempt_at)',
  'create index idempotency_keys_by_expiry on idempotency_keys (expires_at)',
  // Events without a network are never equal.
  'create unique index security_events_by_network on security_events (kind, network, occurred_at)',
  'create index security_events_by_time on security_events (occurred_at, id)',
  'create index security_events_by_merchant on security_events (merchant_id, occurred_at, id)',
  // Events such as those of users with access to all merchants of a tenant.
  'create index security_events_by_tenant on security_events (tenant_id, occurred_at, id) where merchant_id is null',
];

/** Many rows have no value. */
function indexOf(table: string, column: string): string {
  return `create index ${table}_of_${column} on ${table} (merchant_id, ${column}, created_at, id) where ${column} <> ''`;
}

function listingIndexes(filters: Record<string, string>): string[] {
  return Object.entries(filters).flatMap(([name, columns]) => [
    `create index applications_of_${name}_by_created on applications (${columns}, created_at, id)`,
    `create index applications_of_${name}_by_updated on applications (${columns}, updated_at, id, created_at)`,
  ]);
}
