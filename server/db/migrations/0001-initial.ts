import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Connection, Engine } from '../engine.ts';

/** Creates all tables. `schema.ts` documents their columns. */
export async function up(database: Kysely<unknown>, { engine, keyRing }: Connection): Promise<void> {
  const statements = [...tables.map((table) => createTable(table, engine)), ...indexes, ...triggers[engine]];
  for (const statement of statements) await sql.raw(statement).execute(database);

  // Generated here because a migration runs once, however many processes start at the same time.
  const checkValue = keyRing.seal('Fairterm data key', ['data_keys', keyRing.activeId]);
  await sql`insert into data_keys (id, check_value) values (${keyRing.activeId}, ${checkValue})`.execute(database);
  for (const table of ['form_keys', 'lookup_keys']) {
    const sealed = keyRing.seal(JSON.stringify(randomBytes(32).toString('base64url')), [table, 1]);
    await sql`insert into ${sql.table(table)} (id, sealed) values (1, ${sealed})`.execute(database);
  }
}

/** STRICT tables have no bigint: an integer of SQLite has 64 bits, an integer of PostgreSQL has 32. */
function createTable(table: string, engine: Engine): string {
  return engine === 'sqlite' ? `create table ${table.replaceAll('bigint', 'integer')} strict` : `create table ${table}`;
}

const tables = [
  `tenants (
    id text primary key not null,
    name text not null,
    created_at text not null
  )`,
  `merchants (
    id text primary key not null,
    tenant_id text not null references tenants (id),
    name text not null,
    store_url text not null,
    default_program_id text not null,
    created_at text not null
  )`,
  `merchant_origins (
    merchant_id text not null references merchants (id),
    origin text not null,
    constraint merchant_origins_pk primary key (merchant_id, origin)
  )`,
  `merchant_keys (
    api_key text primary key not null,
    merchant_id text not null references merchants (id),
    secret_hash text not null,
    created_at text not null,
    retired_at text
  )`,
  `callback_secrets (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    sealed text not null,
    created_at text not null,
    retired_at text
  )`,
  `programs (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    code text not null default 'standard',
    created_at text not null
  )`,
  `program_versions (
    program_id text not null references programs (id),
    version integer not null,
    status text not null,
    effective_from text not null,
    effective_to text,
    document_json text not null,
    created_at text not null,
    constraint program_versions_pk primary key (program_id, version)
  )`,
  `carts (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    code_hash text not null unique check (length(code_hash) = 64),
    status text not null,
    created_by_hash text not null,
    email_hash text not null default '',
    expires_on text not null,
    program_id text not null references programs (id),
    transaction_id text,
    contacts_deleted_at text,
    created_at text not null,
    sealed text not null
  )`,
  `applications (
    id text primary key not null,
    tenant_id text not null references tenants (id),
    merchant_id text not null references merchants (id),
    buyer_id text not null,
    program_id text not null references programs (id),
    program_version integer,
    cart_id text not null references carts (id),
    session_hash text not null default '' check (length(session_hash) in (0, 64)),
    superseded_at text,
    details_deleted_at text,
    status text not null,
    status_code text not null,
    language text not null default 'en',
    request_id text,
    request_leased_until text,
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
    offers_json text not null,
    created_at text not null,
    updated_at text not null,
    expires_at text not null,
    sealed text not null,
    revision integer not null
  )`,
  `agreement_documents (
    id text primary key not null,
    application_id text not null unique references applications (id),
    merchant_id text not null references merchants (id),
    code_hash text not null unique check (length(code_hash) = 64),
    language text not null,
    created_at text not null,
    sealed text not null
  )`,
  `document_revocations (
    application_id text primary key not null references applications (id),
    revoked_at text not null
  )`,
  `transactions (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    cart_id text not null unique references carts (id),
    application_id text not null unique references applications (id),
    status text not null,
    status_since text not null default '',
    order_ref text not null,
    merchant_order_id text not null,
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
    line_items_cents bigint not null default 0 check (line_items_cents >= 0),
    created_at text not null,
    updated_at text not null,
    sealed text not null,
    revision integer not null,
    constraint adjusted_total_is_possible check (adjusted_total_cents between 0 and total_cents)
  )`,
  `transaction_events (
    transaction_id text not null references transactions (id),
    sequence integer not null,
    type text not null,
    amount_cents bigint not null,
    lines_json text not null default '[]',
    actor text not null check (actor in ('console', 'buyer', 'system') or actor like 'key:%'),
    reason text,
    at text not null,
    constraint transaction_events_pk primary key (transaction_id, sequence)
  )`,
  `outbox (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    channel text not null default 'callback',
    endpoint text not null,
    recipient_hash text not null default '',
    transaction_id text,
    sealed text not null,
    attempts integer not null,
    replayed_after integer not null default 0,
    began_at text,
    due_at text,
    delivered_at text,
    last_failure text not null,
    created_at text not null
  )`,
  `delivery_attempts (
    delivery_id text not null references outbox (id) on delete cascade,
    number integer not null,
    started_at text not null,
    duration_ms integer,
    status_code integer,
    failure text not null,
    constraint delivery_attempts_pk primary key (delivery_id, number)
  )`,
  `message_counts (
    day text not null,
    channel text not null,
    counted text not null,
    count integer not null,
    constraint message_counts_pk primary key (day, channel, counted)
  )`,
  `application_attempts (
    identity_hash text primary key not null check (length(identity_hash) = 64),
    attempts_json text not null,
    last_attempt_at text not null
  )`,
  `idempotency_keys (
    merchant_id text not null references merchants (id),
    key text not null,
    fingerprint text not null,
    holder text not null,
    leased_until text not null,
    expires_at text not null,
    constraint idempotency_keys_pk primary key (merchant_id, key)
  )`,
  `idempotency_responses (
    merchant_id text not null,
    key text not null,
    status integer not null,
    sealed text not null,
    constraint idempotency_responses_pk primary key (merchant_id, key)
  )`,
  `idempotency_writes (
    merchant_id text not null,
    key text not null,
    ordinal integer not null,
    sealed text not null,
    constraint idempotency_writes_pk primary key (merchant_id, key, ordinal)
  )`,
  `signing_keys (
    kid text primary key not null,
    algorithm text not null,
    public_jwk_json text not null,
    sealed text not null,
    created_at text not null,
    retired_at text
  )`,
  `security_events (
    id text primary key not null,
    occurred_at text not null,
    kind text not null,
    actor text not null,
    merchant_id text,
    tenant_id text,
    network text,
    count bigint not null check (count > 0),
    details_json text not null
  )`,
  `legal_holds (
    application_id text primary key not null references applications (id),
    reason text not null,
    set_at text not null
  )`,
  `environment (
    id integer primary key not null check (id = 1),
    mode text not null check (mode in ('sandbox', 'live')),
    public_url text
  )`,
  `form_keys (
    id integer primary key not null check (id = 1),
    sealed text not null
  )`,
  `lookup_keys (
    id integer primary key not null check (id = 1),
    sealed text not null
  )`,
  `data_keys (
    id text primary key not null,
    check_value text not null
  )`,
  `widget_files (
    version text not null,
    name text not null,
    content text not null,
    integrity text not null check (length(integrity) = 71),
    bytes integer not null,
    released_at text not null,
    constraint widget_files_by_name primary key (version, name)
  )`,
];

const indexes = [
  'create index merchant_origins_by_origin on merchant_origins (origin)',
  'create index callback_secrets_by_merchant on callback_secrets (merchant_id)',
  'create unique index programs_by_code on programs (merchant_id, code)',
  'create index transactions_by_status_since on transactions (status, status_since, id)',
  'create index outbox_by_due_at on outbox (due_at)',
  'create index outbox_by_merchant on outbox (merchant_id, id)',
  "create index outbox_by_card on outbox (transaction_id) where channel = 'card'",
  // Events without a network are never equal.
  'create unique index security_events_by_network on security_events (kind, network, occurred_at)',
  'create index security_events_by_time on security_events (occurred_at, id)',
  "create index carts_with_contacts on carts (expires_on, id) where contacts_deleted_at is null and status <> 'COMPLETED'",
  "create index outbox_finished on outbox (created_at, id) where due_at is null and channel <> 'card'",
  'create index agreement_documents_by_time on agreement_documents (created_at)',
  `create index applications_decided on applications (updated_at, id)
     where request_id is not null and details_deleted_at is null and status <> 'CHECKOUT_COMPLETED'`,
  'create index application_attempts_by_time on application_attempts (last_attempt_at)',
  'create index carts_by_creator_and_expiry on carts (created_by_hash, expires_on)',
  "create index carts_by_email on carts (email_hash) where email_hash <> ''",
  "create index applications_by_email on applications (email_hash) where email_hash <> ''",
  "create index outbox_by_recipient on outbox (recipient_hash) where recipient_hash <> ''",
  'create index idempotency_keys_by_expiry on idempotency_keys (expires_at)',

  // A cart has at most one current application.
  'create unique index applications_current on applications (cart_id) where superseded_at is null',
  'create index applications_superseded on applications (cart_id, session_hash) where superseded_at is not null',
  'create index applications_unfinished on applications (updated_at, id) where request_id is null and details_deleted_at is null',
  'create index applications_by_expires_at on applications (status, expires_at, id)',
  'create index applications_with_pending_request on applications (request_leased_until) where request_leased_until is not null',

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
];

function listingIndexes(filters: Record<string, string>): string[] {
  return Object.entries(filters).flatMap(([name, columns]) => [
    `create index applications_of_${name}_by_created on applications (${columns}, created_at, id)`,
    `create index applications_of_${name}_by_updated on applications (${columns}, updated_at, id, created_at)`,
  ]);
}

const VERSION_IS_FINAL = 'A version of a program cannot be changed';
const JOURNAL_IS_FINAL = 'The journal of a transaction cannot be changed';
const JOURNAL_IN_SEQUENCE = 'Expected the next row of the journal of a transaction';
const DOCUMENT_IS_FINAL = 'A signed document cannot be changed';
const EVENTS_ARE_FINAL = 'Security events cannot be changed';

/** All columns but the count. */
const FINAL_EVENT_COLUMNS = ['id', 'occurred_at', 'kind', 'actor', 'merchant_id', 'tenant_id', 'network', 'details_json'];

/** All columns but the sealed content, which may only be sealed again with another key. */
const FINAL_DOCUMENT_COLUMNS = ['id', 'application_id', 'merchant_id', 'code_hash', 'language', 'created_at'];

/** The id of the key in `v1.KEYID.…`, as an expression of SQLite. */
const keyIdOf = (column: string) => `substr(${column}, 4, instr(substr(${column}, 4), '.') - 1)`;

/** An instant of PostgreSQL's clock. */
function daysAgo(days: number): string {
  return `to_char(now() at time zone 'utc' - interval '${days} days', 'YYYY-MM-DD"T"HH24:MI:SS')`;
}

/**
 * Program versions, the journal of transactions, signed documents and security events are append-only. Documents can be deleted after
 * two years (Regulation Z, 12 CFR 1026.25), and security events after one.
 */
const triggers: Record<Engine, string[]> = {
  sqlite: [
    ...withoutChanges('program_versions', VERSION_IS_FINAL),
    ...withoutChanges('transaction_events', JOURNAL_IS_FINAL),
    `create trigger agreement_documents_without_delete before delete on agreement_documents
       when old.created_at > strftime('%Y-%m-%dT%H:%M:%S', 'now', '-730 days')
       begin select raise(abort, '${DOCUMENT_IS_FINAL}'); end`,
    `create trigger agreement_documents_only_rotated before update on agreement_documents
       when ${keyIdOf('new.sealed')} is ${keyIdOf('old.sealed')}
         or ${FINAL_DOCUMENT_COLUMNS.map((column) => `new.${column} is not old.${column}`).join(' or ')}
       begin select raise(abort, '${DOCUMENT_IS_FINAL}'); end`,
    `create trigger security_events_without_delete before delete on security_events
       when old.occurred_at > strftime('%Y-%m-%dT%H:%M:%S', 'now', '-365 days')
       begin select raise(abort, '${EVENTS_ARE_FINAL}'); end`,
    `create trigger security_events_only_counted before update on security_events
       when new.count <= old.count or ${FINAL_EVENT_COLUMNS.map((column) => `new.${column} is not old.${column}`).join(' or ')}
       begin select raise(abort, '${EVENTS_ARE_FINAL}'); end`,
    // "insert or replace" removes conflicting rows without firing the trigger on delete. Those of the journal are not the next row.
    `create trigger program_versions_without_replace before insert on program_versions
       when exists (select 1 from program_versions where program_id = new.program_id and version = new.version)
       begin select raise(abort, '${VERSION_IS_FINAL}'); end`,
    `create trigger agreement_documents_without_replace before insert on agreement_documents
       when exists (
         select 1 from agreement_documents where id = new.id or application_id = new.application_id or code_hash = new.code_hash)
       begin select raise(abort, '${DOCUMENT_IS_FINAL}'); end`,
    `create trigger transaction_events_in_sequence before insert on transaction_events
       when new.sequence is not
         (select coalesce(max(sequence), 0) + 1 from transaction_events where transaction_id = new.transaction_id)
       begin select raise(abort, '${JOURNAL_IN_SEQUENCE}'); end`,
  ],
  postgres: [
    ...rejectChanges('program_versions', 'refuse_changed_program_version', VERSION_IS_FINAL),
    ...rejectChanges('transaction_events', 'refuse_changed_journal', JOURNAL_IS_FINAL),
    `create function refuse_changed_document() returns trigger language plpgsql as $$
       begin
         if tg_op = 'UPDATE' then
           if split_part(new.sealed, '.', 2) <> split_part(old.sealed, '.', 2)
             and to_jsonb(new) - 'sealed' = to_jsonb(old) - 'sealed' then return new;
           end if;
         elsif tg_op = 'DELETE' then
           if old.created_at < ${daysAgo(730)} then return old;
           end if;
         end if;
         raise exception '${DOCUMENT_IS_FINAL}';
       end $$`,
    `create trigger agreement_documents_are_final before update or delete on agreement_documents
       for each row execute function refuse_changed_document()`,
    `create trigger agreement_documents_stay before truncate on agreement_documents
       for each statement execute function refuse_changed_document()`,
    `create function refuse_changed_security_event() returns trigger language plpgsql as $$
       begin
         if tg_op = 'UPDATE' then
           if new.count > old.count and to_jsonb(new) - 'count' = to_jsonb(old) - 'count' then return new;
           end if;
         elsif tg_op = 'DELETE' then
           if old.occurred_at < ${daysAgo(365)} then return old;
           end if;
         end if;
         raise exception '${EVENTS_ARE_FINAL}';
       end $$`,
    `create trigger security_events_are_final before update or delete on security_events
       for each row execute function refuse_changed_security_event()`,
    `create trigger security_events_stay before truncate on security_events
       for each statement execute function refuse_changed_security_event()`,
    `create function require_next_journal_row() returns trigger language plpgsql as $$
       begin
         if new.sequence is distinct from
           (select coalesce(max(sequence), 0) + 1 from transaction_events where transaction_id = new.transaction_id)
         then raise exception '${JOURNAL_IN_SEQUENCE}';
         end if;
         return new;
       end $$`,
    `create trigger transaction_events_in_sequence before insert on transaction_events
       for each row execute function require_next_journal_row()`,
  ],
};

function withoutChanges(table: string, message: string): string[] {
  return ['update', 'delete'].map(
    (change) =>
      `create trigger ${table}_without_${change} before ${change} on ${table} begin select raise(abort, '${message}'); end`,
  );
}

function rejectChanges(table: string, name: string, message: string): string[] {
  return [
    `create function ${name}() returns trigger language plpgsql as $$ begin raise exception '${message}'; end $$`,
    `create trigger ${table}_are_final before update or delete on ${table} for each row execute function ${name}()`,
    `create trigger ${table}_stay before truncate on ${table} for each statement execute function ${name}()`,
  ];
}
