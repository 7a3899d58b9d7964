CREATE INDEX agreement_documents_by_time on agreement_documents (created_at)
CREATE INDEX applications_by_email on applications (email_hash, created_at) where email_hash <> ''
CREATE INDEX applications_by_expires_at on applications (status, expires_at, id)
CREATE INDEX applications_by_request on applications (request_id) where request_id is not null
CREATE INDEX applications_decided on applications (updated_at, id)
     where submitted_at is not null and details_deleted_at is null and status <> 'CHECKOUT_COMPLETED'
CREATE INDEX applications_of_address on applications (tenant_id, normalized_address_hash, created_at, id)
CREATE INDEX applications_of_buyer on applications (tenant_id, buyer_id, created_at, id)
CREATE INDEX applications_of_cart on applications (cart_id, id)
CREATE INDEX applications_of_merchant_by_created on applications (tenant_id, merchant_id, created_at, id)
CREATE INDEX applications_of_merchant_by_updated on applications (tenant_id, merchant_id, updated_at, id, created_at)
CREATE INDEX applications_of_merchant_status_by_created on applications (tenant_id, merchant_id, status_code, created_at, id)
CREATE INDEX applications_of_merchant_status_by_updated on applications (tenant_id, merchant_id, status_code, updated_at, id, created_at)
CREATE INDEX applications_of_program_status_by_created on applications (tenant_id, program_id, status_code, created_at, id)
CREATE INDEX applications_of_program_status_by_updated on applications (tenant_id, program_id, status_code, updated_at, id, created_at)
CREATE INDEX applications_of_reference on applications (substr(id, 27))
CREATE INDEX applications_of_status_by_created on applications (tenant_id, status_code, created_at, id)
CREATE INDEX applications_of_status_by_updated on applications (tenant_id, status_code, updated_at, id, created_at)
CREATE INDEX applications_of_tenant_by_created on applications (tenant_id, created_at, id)
CREATE INDEX applications_of_tenant_by_updated on applications (tenant_id, updated_at, id, created_at)
CREATE INDEX applications_to_warn on applications (warn_at, id) where warn_at is not null
CREATE INDEX applications_unfinished on applications (updated_at, id) where submitted_at is null and details_deleted_at is null
CREATE INDEX applications_with_due_request on applications (request_due_at, id) where request_due_at is not null
CREATE INDEX callback_secrets_by_merchant on callback_secrets (merchant_id)
CREATE INDEX carts_by_creator_and_expiry on carts (created_by_hash, expires_on)
CREATE INDEX carts_by_email on carts (email_hash) where email_hash <> ''
CREATE INDEX carts_expiry_due on carts (expiry_due_on, id) where expiry_due_on is not null
CREATE INDEX carts_of_email_hash on carts (merchant_id, email_hash, created_at, id) where email_hash <> ''
CREATE INDEX carts_of_merchant on carts (merchant_id, created_at, id)
CREATE INDEX carts_of_order_ref on carts (merchant_id, order_ref, created_at, id) where order_ref <> ''
CREATE INDEX carts_of_status on carts (merchant_id, status, created_at, id)
CREATE INDEX carts_of_users on carts (merchant_id, created_at, id) where user_id is not null
CREATE INDEX carts_with_contacts on carts (expires_on, id) where contacts_deleted_at is null and status <> 'COMPLETED'
CREATE INDEX events_by_age on events (created_at)
CREATE INDEX events_by_clock on events (merchant_id, type, occurred_at) where occurred_at is not null
CREATE INDEX events_by_type on events (merchant_id, type, created_at, id)
CREATE INDEX events_of_merchant on events (merchant_id, created_at, id)
CREATE INDEX events_of_transaction on events (transaction_id, created_at, id) where transaction_id is not null
CREATE INDEX events_to_enqueue on events (created_at, id) where enqueued_at is null
CREATE INDEX exceptions_by_time on exceptions (raised_at, id)
CREATE INDEX exceptions_of_application on exceptions (application_id)
CREATE INDEX exceptions_of_merchant on exceptions (merchant_id, raised_at, id)
CREATE INDEX exceptions_to_resolve on exceptions (raised_at, id) where closed_at is null
CREATE INDEX idempotency_keys_by_expiry on idempotency_keys (expires_at)
CREATE INDEX lender_calls_by_subject on lender_calls (subject_id, id)
CREATE INDEX lender_calls_by_time on lender_calls (started_at, id)
CREATE INDEX limited_attempts_by_time on limited_attempts (last_attempt_at)
CREATE INDEX merchant_keys_by_creator on merchant_keys (created_by)
CREATE INDEX merchant_logos_by_name on merchant_logos (name)
CREATE INDEX merchant_origins_by_origin on merchant_origins (origin)
CREATE INDEX merchant_requests_by_merchant on merchant_requests (merchant_id, id)
CREATE INDEX merchant_requests_failed on merchant_requests (merchant_id, id) where code is not null
CREATE INDEX merchants_by_tenant on merchants (tenant_id, id)
CREATE INDEX order_words_of_transaction on order_words (transaction_id)
CREATE INDEX outbox_by_application on outbox (application_id) where application_id is not null and channel <> 'lender'
CREATE INDEX outbox_by_card on outbox (transaction_id) where channel = 'card'
CREATE INDEX outbox_by_merchant on outbox (merchant_id, id, channel, delivered_at)
CREATE INDEX outbox_by_recipient on outbox (recipient_hash) where recipient_hash <> ''
CREATE INDEX outbox_due on outbox (due_at, id) where due_at is not null
CREATE INDEX outbox_failed_cards on outbox (created_at, id)
     where channel = 'card' and due_at is null and delivered_at is null
CREATE INDEX outbox_failing on outbox (merchant_id, created_at)
     where delivered_at is null and last_failure <> '' and channel in ('callback', 'webhook')
CREATE INDEX outbox_finished on outbox (created_at, id)
     where due_at is null and channel not in ('card', 'lender') and notice is null
CREATE INDEX outbox_notices on outbox (created_at, id) where notice is not null
CREATE INDEX outbox_of_webhook on outbox (endpoint, id) where channel = 'webhook'
CREATE INDEX outbox_unopened on outbox (open_by, id) where open_by is not null
CREATE INDEX refund_requests_of_merchant on refund_requests (merchant_id, requested_at, id) where status = 'pending'
CREATE INDEX refund_requests_of_transaction on refund_requests (transaction_id, requested_at)
CREATE INDEX security_events_by_merchant on security_events (merchant_id, occurred_at, id)
CREATE INDEX security_events_by_tenant on security_events (tenant_id, occurred_at, id) where merchant_id is null
CREATE INDEX security_events_by_time on security_events (occurred_at, id)
CREATE INDEX settlement_lines_of_refunds on settlement_lines (merchant_id, at, gross_cents) where type = 'refunded'
CREATE INDEX settlement_lines_of_settlement on settlement_lines (settlement_id, transaction_id, sequence, type)
CREATE INDEX settlement_lines_unassigned on settlement_lines (merchant_id, currency, day) where settlement_id is null
CREATE INDEX settlements_by_day on settlements (day, id)
CREATE INDEX settlements_by_reference on settlements (bank_reference) where bank_reference is not null
CREATE INDEX settlements_of_merchant on settlements (merchant_id, day, id)
CREATE INDEX transactions_of_email_hash on transactions (merchant_id, email_hash, created_at, id) where email_hash <> ''
CREATE INDEX transactions_of_merchant on transactions (merchant_id, created_at, id, total_cents)
CREATE INDEX transactions_of_merchant_order_id on transactions (merchant_id, merchant_order_id, created_at, id) where merchant_order_id <> ''
CREATE INDEX transactions_of_order_ref on transactions (merchant_id, order_ref, created_at, id) where order_ref <> ''
CREATE INDEX transactions_of_status on transactions (merchant_id, status, created_at, id)
CREATE INDEX transactions_of_status_since on transactions (merchant_id, status, status_since, created_at, id)
     where status in ('PENDING', 'AUTHORIZED')
CREATE INDEX transactions_of_total on transactions (merchant_id, total_cents, created_at, id)
CREATE INDEX transactions_to_expire on transactions (status, status_since, id) where status in ('PENDING', 'AUTHORIZED')
CREATE INDEX transactions_with_contacts on transactions (status_since, id, loan_ends_on)
     where contacts_deleted_at is null and status not in ('PENDING', 'AUTHORIZED')
CREATE INDEX transactions_with_shared_order_ref on transactions (merchant_id, created_at, id)
     where order_ref_shared_at is not null and status in ('PENDING', 'AUTHORIZED', 'SETTLED')
CREATE INDEX user_links_by_expiry on user_links (expires_at)
CREATE INDEX user_links_by_user on user_links (user_id)
CREATE INDEX user_passkeys_by_user on user_passkeys (user_id, created_at)
CREATE INDEX user_sessions_by_end on user_sessions (ends_at)
CREATE INDEX user_sessions_by_user on user_sessions (user_id)
CREATE INDEX users_by_merchant on users (merchant_id)
CREATE INDEX users_by_tenant on users (tenant_id, merchant_id, id)
CREATE INDEX webhooks_failing on webhooks (failing_since, id) where failing_since is not null and disabled_at is null
CREATE INDEX webhooks_of_merchant on webhooks (merchant_id, created_at, id)
CREATE TABLE agreement_documents (
    id text primary key not null,
    application_id text not null unique references applications (id),
    merchant_id text not null references merchants (id),
    code_hash text not null unique check (length(code_hash) = 64),
    language text not null,
    created_at text not null,
    sealed text not null) strict
CREATE TABLE applications (
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
    financed_cents integer,
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
    revision integer not null) strict
CREATE TABLE callback_secrets (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    sealed text not null,
    created_at text not null,
    retired_at text) strict
CREATE TABLE carts (
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
    sealed text not null) strict
CREATE TABLE data_keys (
    id text primary key not null,
    check_value text not null) strict
CREATE TABLE delivery_attempts (
    delivery_id text not null references outbox (id) on delete cascade,
    number integer not null,
    started_at text not null,
    duration_ms integer,
    status_code integer,
    failure text not null,
    constraint delivery_attempts_pk primary key (delivery_id, number)) strict, without rowid
CREATE TABLE document_revocations (
    application_id text primary key not null references applications (id),
    revoked_at text not null) strict
CREATE TABLE email_opt_outs (
    recipient_hash text not null check (length(recipient_hash) = 64),
    merchant_id text not null references merchants (id),
    created_at text not null,
    constraint email_opt_outs_pk primary key (recipient_hash, merchant_id)) strict, without rowid
CREATE TABLE environment (
    id integer primary key not null check (id = 1),
    mode text not null check (mode in ('sandbox', 'live')),
    public_url text) strict
CREATE TABLE events (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    type text not null,
    transaction_id text,
    data_json text not null,
    created_at text not null,
    occurred_at text,
    enqueued_at text) strict
CREATE TABLE exceptions (
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
    check ((resolution is null) = (resolved_at is null) and (resolution is null) = (actor is null) and (resolution is null) = (reason is null))) strict
CREATE TABLE form_keys (
    id integer primary key not null check (id = 1),
    sealed text not null) strict
CREATE TABLE idempotency_keys (
    merchant_id text not null references merchants (id),
    key text not null,
    fingerprint text not null,
    holder text not null,
    leased_until text not null,
    expires_at text not null,
    constraint idempotency_keys_pk primary key (merchant_id, key)) strict
CREATE TABLE idempotency_responses (
    merchant_id text not null,
    key text not null,
    status integer not null,
    sealed text not null,
    constraint idempotency_responses_pk primary key (merchant_id, key)) strict
CREATE TABLE idempotency_writes (
    merchant_id text not null,
    key text not null,
    ordinal integer not null,
    sealed text not null,
    constraint idempotency_writes_pk primary key (merchant_id, key, ordinal)) strict
CREATE TABLE legal_holds (
    application_id text primary key not null references applications (id),
    reason text not null,
    set_at text not null) strict
CREATE TABLE lender_calls (
    id text primary key not null,
    direction text not null check (direction in ('sent', 'received')),
    method text not null,
    path text not null,
    subject_id text not null,
    attempt integer not null,
    started_at text not null,
    duration_ms integer not null,
    status_code integer,
    failure text not null) strict
CREATE TABLE limited_attempts (
    subject_hash text primary key not null check (length(subject_hash) = 64),
    attempts_json text not null,
    last_attempt_at text not null) strict
CREATE TABLE lookup_keys (
    id integer primary key not null check (id = 1),
    sealed text not null) strict
CREATE TABLE merchant_callbacks (
    merchant_id text not null references merchants (id),
    url text not null,
    constraint merchant_callbacks_pk primary key (merchant_id, url)) strict
CREATE TABLE merchant_keys (
    api_key text primary key not null,
    merchant_id text not null references merchants (id),
    secret_hash text not null,
    created_at text not null,
    retired_at text,
    created_by text not null,
    mac text not null default '') strict
CREATE TABLE merchant_logos (
    merchant_id text primary key not null references merchants (id),
    name text not null,
    base64 text not null) strict
CREATE TABLE merchant_origins (
    merchant_id text not null references merchants (id),
    origin text not null,
    constraint merchant_origins_pk primary key (merchant_id, origin)) strict
CREATE TABLE merchant_requests (
    id text primary key not null,
    merchant_id text not null,
    key_id text not null,
    method text not null,
    path text not null,
    status integer not null,
    code text) strict, without rowid
CREATE TABLE merchants (
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
    refund_approval_cents integer check (refund_approval_cents > 0),
    mac text not null default '') strict
CREATE TABLE message_counts (
    day text not null,
    channel text not null,
    counted text not null,
    count integer not null,
    constraint message_counts_pk primary key (day, channel, counted)) strict
CREATE TABLE order_words (
    hash text not null,
    created_at text not null,
    transaction_id text not null,
    primary key (hash, created_at, transaction_id)) strict, without rowid
CREATE TABLE outbox (
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
    created_at text not null) strict
CREATE TABLE program_versions (
    program_id text not null references programs (id),
    version integer not null,
    status text not null,
    effective_from text not null,
    effective_to text,
    document_json text not null,
    created_at text not null,
    constraint program_versions_pk primary key (program_id, version)) strict
CREATE TABLE programs (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    code text not null default 'standard',
    created_at text not null) strict
CREATE TABLE refund_requests (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    transaction_id text not null references transactions (id),
    revision integer not null,
    action_json text not null,
    amount_cents integer not null check (amount_cents > 0),
    requested_by text not null references users (id),
    requested_at text not null,
    expires_at text not null,
    status text not null check (status in ('pending', 'approved', 'rejected', 'expired')),
    decided_by text references users (id),
    decided_at text,
    mac text not null default '',
    check ((decided_by is null) = (status in ('pending', 'expired'))),
    check (status <> 'approved' or decided_by <> requested_by)) strict
CREATE TABLE security_events (
    id text primary key not null,
    occurred_at text not null,
    kind text not null,
    actor text not null,
    merchant_id text,
    tenant_id text,
    network text,
    count integer not null check (count > 0),
    details_json text not null) strict
CREATE TABLE settlement_lines (
    transaction_id text not null references transactions (id),
    sequence integer not null,
    type text not null check (type in ('settled', 'settled-by-card', 'refunded', 'refunded-to-card')),
    merchant_id text not null references merchants (id),
    currency text not null,
    gross_cents integer not null,
    fee_cents integer not null,
    day text not null,
    at text not null,
    settlement_id text references settlements (id),
    primary key (transaction_id, sequence, type),
    check (type in ('settled', 'refunded') or (gross_cents = 0 and fee_cents = 0))) strict
CREATE TABLE settlements (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    currency text not null,
    day text not null,
    line_count integer not null,
    gross_cents integer not null,
    fee_cents integer not null,
    carried_cents integer not null check (carried_cents <= 0),
    bank_reference text,
    paid_on text,
    received_cents integer,
    received_on text,
    received_difference text check (received_difference in ('amount', 'not-paid', 'several-payments', 'paid-before', 'transfer')),
    created_at text not null,
    check ((bank_reference is null) = (paid_on is null)),
    check (bank_reference is null or carried_cents + gross_cents - fee_cents > 0)) strict
CREATE TABLE signing_keys (
    kid text primary key not null,
    algorithm text not null,
    public_jwk_json text not null,
    sealed text not null,
    created_at text not null,
    retired_at text,
    mac text not null default '') strict
CREATE TABLE tenants (
    id text primary key not null,
    name text not null,
    created_at text not null) strict
CREATE TABLE transaction_entries (
    transaction_id text not null references transactions (id),
    sequence integer not null,
    type text not null,
    amount_cents integer not null,
    card_cents integer not null default 0 check (card_cents >= 0 and (card_cents = 0 or card_cents <= amount_cents)),
    requested_cents integer,
    lines_json text not null default '[]',
    actor text not null check (actor in ('console', 'buyer', 'system') or actor like 'key:%' or actor like 'user:%'),
    reason text,
    reference text,
    at text not null,
    constraint transaction_entries_pk primary key (transaction_id, sequence)) strict
CREATE TABLE transactions (
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
    total_cents integer not null,
    adjusted_total_cents integer not null,
    canceled_cents integer not null default 0 check (canceled_cents >= 0),
    refunded_cents integer not null default 0
      check (refunded_cents >= 0 and adjusted_total_cents = total_cents - canceled_cents - refunded_cents),
    adjusted_quantities_json text not null default '[]',
    tax_cents integer,
    shipping_cents integer not null,
    shipping_method_code text not null,
    shipping_method_name text not null,
    carrier_name text not null,
    card_cents integer not null default 0 check (card_cents >= 0 and card_cents <= total_cents),
    card_reference text not null default '' check ((card_cents = 0) = (card_reference = '')),
    card_reduced_cents integer not null default 0 check (card_reduced_cents >= 0 and card_reduced_cents <= card_cents),
    time_zone text not null default 'UTC',
    merchant_discount_bps integer not null default 0,
    merchant_discount_cents integer not null default 0,
    line_items_cents integer not null default 0 check (line_items_cents >= 0),
    loan_ends_on text not null default '',
    loan_fee_cents integer,
    loan_apr_bps integer,
    contacts_deleted_at text,
    created_at text not null,
    updated_at text not null,
    sealed text not null,
    revision integer not null,
    constraint adjusted_total_is_possible check (adjusted_total_cents between 0 and total_cents)) strict
CREATE TABLE user_links (
    token_hash text primary key not null check (length(token_hash) = 64),
    user_id text not null references users (id),
    purpose text not null check (purpose in ('invitation', 'sign-in')),
    browser_hash text not null,
    expires_at text not null,
    mac text not null) strict
CREATE TABLE user_passkeys (
    id text primary key not null,
    user_id text not null references users (id),
    counter integer not null,
    challenged_at text not null,
    created_at text not null,
    sealed text not null) strict
CREATE TABLE user_sessions (
    token_hash text primary key not null check (length(token_hash) = 64),
    user_id text not null references users (id),
    last_seen_at text not null,
    authenticated_at text not null,
    ends_at text not null,
    mac text not null) strict
CREATE TABLE users (
    id text primary key not null,
    tenant_id text not null references tenants (id),
    merchant_id text references merchants (id),
    role text not null check (role in ('viewer', 'support', 'finance', 'developer', 'admin')),
    refund_limit_cents integer check (refund_limit_cents >= 0),
    email_hash text not null check (length(email_hash) = 64),
    created_at text not null,
    removed_at text,
    sealed text not null) strict
CREATE TABLE webhooks (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    types_json text not null,
    created_at text not null,
    confirmed_at text,
    failing_since text,
    disabled_at text,
    sealed text not null) strict
CREATE TABLE widget_files (
    version text not null,
    name text not null,
    content text not null,
    integrity text not null check (length(integrity) = 71),
    bytes integer not null,
    released_at text not null,
    constraint widget_files_by_name primary key (version, name)) strict
CREATE TRIGGER agreement_documents_only_rotated before update on agreement_documents
       when new.sealed not like 'v2.%' or substr(new.sealed, 1, 3 + instr(substr(new.sealed, 4), '.')) is substr(old.sealed, 1, 3 + instr(substr(old.sealed, 4), '.'))
         or new.id is not old.id or new.application_id is not old.application_id or new.merchant_id is not old.merchant_id or new.code_hash is not old.code_hash or new.language is not old.language or new.created_at is not old.created_at
       begin select raise(abort, 'A signed document cannot be changed'); end
CREATE TRIGGER agreement_documents_without_delete before delete on agreement_documents
       when old.created_at > strftime('%Y-%m-%dT%H:%M:%S', 'now', '-730 days')
       begin select raise(abort, 'A signed document cannot be changed'); end
CREATE TRIGGER agreement_documents_without_replace before insert on agreement_documents
       when exists (
         select 1 from agreement_documents where id = new.id or application_id = new.application_id or code_hash = new.code_hash)
       begin select raise(abort, 'A signed document cannot be changed'); end
CREATE TRIGGER outbox_notices_only_delivered before update on outbox
       when old.notice is not null and (
         (new.sealed is not old.sealed and (new.sealed not like 'v2.%' or substr(new.sealed, 1, 3 + instr(substr(new.sealed, 4), '.')) is substr(old.sealed, 1, 3 + instr(substr(old.sealed, 4), '.'))))
         or new.id is not old.id or new.merchant_id is not old.merchant_id or new.channel is not old.channel or new.endpoint is not old.endpoint or new.recipient_hash is not old.recipient_hash or new.transaction_id is not old.transaction_id or new.cart_id is not old.cart_id or new.application_id is not old.application_id or new.notice is not old.notice or new.sequence is not old.sequence or new.created_at is not old.created_at)
       begin select raise(abort, 'A notice to a buyer cannot be changed'); end
CREATE TRIGGER outbox_notices_without_delete before delete on outbox
       when old.notice is not null and exists (select 1 from environment where mode = 'live')
         and old.created_at > strftime('%Y-%m-%dT%H:%M:%S', 'now', '-762 days')
       begin select raise(abort, 'A notice to a buyer cannot be changed'); end
CREATE TRIGGER outbox_notices_without_replace before insert on outbox
       when exists (select 1 from outbox where id = new.id and notice is not null)
       begin select raise(abort, 'A notice to a buyer cannot be changed'); end
CREATE TRIGGER program_versions_without_delete before delete on program_versions begin select raise(abort, 'A version of a program cannot be changed'); end
CREATE TRIGGER program_versions_without_replace before insert on program_versions
       when exists (select 1 from program_versions where program_id = new.program_id and version = new.version)
       begin select raise(abort, 'A version of a program cannot be changed'); end
CREATE TRIGGER program_versions_without_update before update on program_versions begin select raise(abort, 'A version of a program cannot be changed'); end
CREATE TRIGGER security_events_only_counted before update on security_events
       when new.count <= old.count or new.id is not old.id or new.occurred_at is not old.occurred_at or new.kind is not old.kind or new.actor is not old.actor or new.merchant_id is not old.merchant_id or new.tenant_id is not old.tenant_id or new.network is not old.network or new.details_json is not old.details_json
       begin select raise(abort, 'Security events cannot be changed'); end
CREATE TRIGGER security_events_without_delete before delete on security_events
       when old.occurred_at > strftime('%Y-%m-%dT%H:%M:%S', 'now', '-365 days')
       begin select raise(abort, 'Security events cannot be changed'); end
CREATE TRIGGER settlement_lines_only_assigned before update on settlement_lines
       when old.settlement_id is not null or new.settlement_id is null or new.transaction_id is not old.transaction_id or new.sequence is not old.sequence or new.type is not old.type or new.merchant_id is not old.merchant_id or new.currency is not old.currency or new.gross_cents is not old.gross_cents or new.fee_cents is not old.fee_cents or new.day is not old.day or new.at is not old.at
       begin select raise(abort, 'A settlement line cannot be changed'); end
CREATE TRIGGER settlement_lines_without_delete before delete on settlement_lines
       begin select raise(abort, 'A settlement line cannot be changed'); end
CREATE TRIGGER transaction_entries_in_sequence before insert on transaction_entries
       when new.sequence is not
         (select coalesce(max(sequence), 0) + 1 from transaction_entries where transaction_id = new.transaction_id)
       begin select raise(abort, 'Expected the next row of the journal of a transaction'); end
CREATE TRIGGER transaction_entries_without_delete before delete on transaction_entries begin select raise(abort, 'The journal of a transaction cannot be changed'); end
CREATE TRIGGER transaction_entries_without_update before update on transaction_entries begin select raise(abort, 'The journal of a transaction cannot be changed'); end
CREATE UNIQUE INDEX applications_current on applications (cart_id) where superseded_at is null
CREATE UNIQUE INDEX exceptions_open on exceptions (application_id, kind) where closed_at is null
CREATE UNIQUE INDEX outbox_of_lender on outbox (application_id, sequence) where channel = 'lender'
CREATE UNIQUE INDEX programs_by_code on programs (merchant_id, code)
CREATE UNIQUE INDEX refund_requests_pending on refund_requests (transaction_id) where status = 'pending'
CREATE UNIQUE INDEX security_events_by_network on security_events (kind, network, occurred_at)
CREATE UNIQUE INDEX settlements_once on settlements (merchant_id, currency, day)
CREATE UNIQUE INDEX users_by_email on users (email_hash, tenant_id, coalesce(merchant_id, '')) where removed_at is null
