CREATE INDEX agreement_documents_by_time ON public.agreement_documents USING btree (created_at)
CREATE INDEX applications_by_email ON public.applications USING btree (email_hash, created_at) WHERE (email_hash <> ''::text)
CREATE INDEX applications_by_expires_at ON public.applications USING btree (status, expires_at, id)
CREATE INDEX applications_by_request ON public.applications USING btree (request_id) WHERE (request_id IS NOT NULL)
CREATE INDEX applications_decided ON public.applications USING btree (updated_at, id) WHERE ((submitted_at IS NOT NULL) AND (details_deleted_at IS NULL) AND (status <> 'CHECKOUT_COMPLETED'::text))
CREATE INDEX applications_of_address ON public.applications USING btree (tenant_id, normalized_address_hash, created_at, id)
CREATE INDEX applications_of_buyer ON public.applications USING btree (tenant_id, buyer_id, created_at, id)
CREATE INDEX applications_of_cart ON public.applications USING btree (cart_id, id)
CREATE INDEX applications_of_merchant_by_created ON public.applications USING btree (tenant_id, merchant_id, created_at, id)
CREATE INDEX applications_of_merchant_by_updated ON public.applications USING btree (tenant_id, merchant_id, updated_at, id, created_at)
CREATE INDEX applications_of_merchant_status_by_created ON public.applications USING btree (tenant_id, merchant_id, status_code, created_at, id)
CREATE INDEX applications_of_merchant_status_by_updated ON public.applications USING btree (tenant_id, merchant_id, status_code, updated_at, id, created_at)
CREATE INDEX applications_of_program_status_by_created ON public.applications USING btree (tenant_id, program_id, status_code, created_at, id)
CREATE INDEX applications_of_program_status_by_updated ON public.applications USING btree (tenant_id, program_id, status_code, updated_at, id, created_at)
CREATE INDEX applications_of_reference ON public.applications USING btree (substr(id, 27))
CREATE INDEX applications_of_status_by_created ON public.applications USING btree (tenant_id, status_code, created_at, id)
CREATE INDEX applications_of_status_by_updated ON public.applications USING btree (tenant_id, status_code, updated_at, id, created_at)
CREATE INDEX applications_of_tenant_by_created ON public.applications USING btree (tenant_id, created_at, id)
CREATE INDEX applications_of_tenant_by_updated ON public.applications USING btree (tenant_id, updated_at, id, created_at)
CREATE INDEX applications_to_warn ON public.applications USING btree (warn_at, id) WHERE (warn_at IS NOT NULL)
CREATE INDEX applications_unfinished ON public.applications USING btree (updated_at, id) WHERE ((submitted_at IS NULL) AND (details_deleted_at IS NULL))
CREATE INDEX applications_with_due_request ON public.applications USING btree (request_due_at, id) WHERE (request_due_at IS NOT NULL)
CREATE INDEX callback_secrets_by_merchant ON public.callback_secrets USING btree (merchant_id)
CREATE INDEX carts_by_creator_and_expiry ON public.carts USING btree (created_by_hash, expires_on)
CREATE INDEX carts_by_email ON public.carts USING btree (email_hash) WHERE (email_hash <> ''::text)
CREATE INDEX carts_expiry_due ON public.carts USING btree (expiry_due_on, id) WHERE (expiry_due_on IS NOT NULL)
CREATE INDEX carts_of_email_hash ON public.carts USING btree (merchant_id, email_hash, created_at, id) WHERE (email_hash <> ''::text)
CREATE INDEX carts_of_merchant ON public.carts USING btree (merchant_id, created_at, id)
CREATE INDEX carts_of_order_ref ON public.carts USING btree (merchant_id, order_ref, created_at, id) WHERE (order_ref <> ''::text)
CREATE INDEX carts_of_status ON public.carts USING btree (merchant_id, status, created_at, id)
CREATE INDEX carts_of_users ON public.carts USING btree (merchant_id, created_at, id) WHERE (user_id IS NOT NULL)
CREATE INDEX carts_with_contacts ON public.carts USING btree (expires_on, id) WHERE ((contacts_deleted_at IS NULL) AND (status <> 'COMPLETED'::text))
CREATE INDEX events_by_age ON public.events USING btree (created_at)
CREATE INDEX events_by_clock ON public.events USING btree (merchant_id, type, occurred_at) WHERE (occurred_at IS NOT NULL)
CREATE INDEX events_by_type ON public.events USING btree (merchant_id, type, created_at, id)
CREATE INDEX events_of_merchant ON public.events USING btree (merchant_id, created_at, id)
CREATE INDEX events_of_transaction ON public.events USING btree (transaction_id, created_at, id) WHERE (transaction_id IS NOT NULL)
CREATE INDEX events_to_enqueue ON public.events USING btree (created_at, id) WHERE (enqueued_at IS NULL)
CREATE INDEX exceptions_by_time ON public.exceptions USING btree (raised_at, id)
CREATE INDEX exceptions_of_application ON public.exceptions USING btree (application_id)
CREATE INDEX exceptions_of_merchant ON public.exceptions USING btree (merchant_id, raised_at, id)
CREATE INDEX exceptions_to_resolve ON public.exceptions USING btree (raised_at, id) WHERE (closed_at IS NULL)
CREATE INDEX idempotency_keys_by_expiry ON public.idempotency_keys USING btree (expires_at)
CREATE INDEX lender_calls_by_subject ON public.lender_calls USING btree (subject_id, id)
CREATE INDEX lender_calls_by_time ON public.lender_calls USING btree (started_at, id)
CREATE INDEX limited_attempts_by_time ON public.limited_attempts USING btree (last_attempt_at)
CREATE INDEX merchant_keys_by_creator ON public.merchant_keys USING btree (created_by)
CREATE INDEX merchant_logos_by_name ON public.merchant_logos USING btree (name)
CREATE INDEX merchant_origins_by_origin ON public.merchant_origins USING btree (origin)
CREATE INDEX merchant_requests_by_merchant ON public.merchant_requests USING btree (merchant_id, id)
CREATE INDEX merchant_requests_failed ON public.merchant_requests USING btree (merchant_id, id) WHERE (code IS NOT NULL)
CREATE INDEX merchants_by_tenant ON public.merchants USING btree (tenant_id, id)
CREATE INDEX order_words_of_transaction ON public.order_words USING btree (transaction_id)
CREATE INDEX outbox_by_application ON public.outbox USING btree (application_id) WHERE ((application_id IS NOT NULL) AND (channel <> 'lender'::text))
CREATE INDEX outbox_by_card ON public.outbox USING btree (transaction_id) WHERE (channel = 'card'::text)
CREATE INDEX outbox_by_merchant ON public.outbox USING btree (merchant_id, id, channel, delivered_at)
CREATE INDEX outbox_by_recipient ON public.outbox USING btree (recipient_hash) WHERE (recipient_hash <> ''::text)
CREATE INDEX outbox_due ON public.outbox USING btree (due_at, id) WHERE (due_at IS NOT NULL)
CREATE INDEX outbox_failed_cards ON public.outbox USING btree (created_at, id) WHERE ((channel = 'card'::text) AND (due_at IS NULL) AND (delivered_at IS NULL))
CREATE INDEX outbox_failing ON public.outbox USING btree (merchant_id, created_at) WHERE ((delivered_at IS NULL) AND (last_failure <> ''::text) AND (channel = ANY (ARRAY['callback'::text, 'webhook'::text])))
CREATE INDEX outbox_finished ON public.outbox USING btree (created_at, id) WHERE ((due_at IS NULL) AND (channel <> ALL (ARRAY['card'::text, 'lender'::text])) AND (notice IS NULL))
CREATE INDEX outbox_notices ON public.outbox USING btree (created_at, id) WHERE (notice IS NOT NULL)
CREATE INDEX outbox_of_webhook ON public.outbox USING btree (endpoint, id) WHERE (channel = 'webhook'::text)
CREATE INDEX outbox_unopened ON public.outbox USING btree (open_by, id) WHERE (open_by IS NOT NULL)
CREATE INDEX refund_requests_of_merchant ON public.refund_requests USING btree (merchant_id, requested_at, id) WHERE (status = 'pending'::text)
CREATE INDEX refund_requests_of_transaction ON public.refund_requests USING btree (transaction_id, requested_at)
CREATE INDEX security_events_by_merchant ON public.security_events USING btree (merchant_id, occurred_at, id)
CREATE INDEX security_events_by_tenant ON public.security_events USING btree (tenant_id, occurred_at, id) WHERE (merchant_id IS NULL)
CREATE INDEX security_events_by_time ON public.security_events USING btree (occurred_at, id)
CREATE INDEX settlement_lines_of_refunds ON public.settlement_lines USING btree (merchant_id, at, gross_cents) WHERE (type = 'refunded'::text)
CREATE INDEX settlement_lines_of_settlement ON public.settlement_lines USING btree (settlement_id, transaction_id, sequence, type)
CREATE INDEX settlement_lines_unassigned ON public.settlement_lines USING btree (merchant_id, currency, day) WHERE (settlement_id IS NULL)
CREATE INDEX settlements_by_day ON public.settlements USING btree (day, id)
CREATE INDEX settlements_by_reference ON public.settlements USING btree (bank_reference) WHERE (bank_reference IS NOT NULL)
CREATE INDEX settlements_of_merchant ON public.settlements USING btree (merchant_id, day, id)
CREATE INDEX transactions_of_email_hash ON public.transactions USING btree (merchant_id, email_hash, created_at, id) WHERE (email_hash <> ''::text)
CREATE INDEX transactions_of_merchant ON public.transactions USING btree (merchant_id, created_at, id, total_cents)
CREATE INDEX transactions_of_merchant_order_id ON public.transactions USING btree (merchant_id, merchant_order_id, created_at, id) WHERE (merchant_order_id <> ''::text)
CREATE INDEX transactions_of_order_ref ON public.transactions USING btree (merchant_id, order_ref, created_at, id) WHERE (order_ref <> ''::text)
CREATE INDEX transactions_of_status ON public.transactions USING btree (merchant_id, status, created_at, id)
CREATE INDEX transactions_of_status_since ON public.transactions USING btree (merchant_id, status, status_since, created_at, id) WHERE (status = ANY (ARRAY['PENDING'::text, 'AUTHORIZED'::text]))
CREATE INDEX transactions_of_total ON public.transactions USING btree (merchant_id, total_cents, created_at, id)
CREATE INDEX transactions_to_expire ON public.transactions USING btree (status, status_since, id) WHERE (status = ANY (ARRAY['PENDING'::text, 'AUTHORIZED'::text]))
CREATE INDEX transactions_with_contacts ON public.transactions USING btree (status_since, id, loan_ends_on) WHERE ((contacts_deleted_at IS NULL) AND (status <> ALL (ARRAY['PENDING'::text, 'AUTHORIZED'::text])))
CREATE INDEX transactions_with_shared_order_ref ON public.transactions USING btree (merchant_id, created_at, id) WHERE ((order_ref_shared_at IS NOT NULL) AND (status = ANY (ARRAY['PENDING'::text, 'AUTHORIZED'::text, 'SETTLED'::text])))
CREATE INDEX user_links_by_expiry ON public.user_links USING btree (expires_at)
CREATE INDEX user_links_by_user ON public.user_links USING btree (user_id)
CREATE INDEX user_passkeys_by_user ON public.user_passkeys USING btree (user_id, created_at)
CREATE INDEX user_sessions_by_end ON public.user_sessions USING btree (ends_at)
CREATE INDEX user_sessions_by_user ON public.user_sessions USING btree (user_id)
CREATE INDEX users_by_merchant ON public.users USING btree (merchant_id)
CREATE INDEX users_by_tenant ON public.users USING btree (tenant_id, merchant_id, id)
CREATE INDEX webhooks_failing ON public.webhooks USING btree (failing_since, id) WHERE ((failing_since IS NOT NULL) AND (disabled_at IS NULL))
CREATE INDEX webhooks_of_merchant ON public.webhooks USING btree (merchant_id, created_at, id)
CREATE OR REPLACE FUNCTION public.refuse_changed_document()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
       begin
         if tg_op = 'UPDATE' then
           if split_part(new.sealed, '.', 1) = 'v2' and split_part(new.sealed, '.', 2) <> split_part(old.sealed, '.', 2)
             and to_jsonb(new) - 'sealed' = to_jsonb(old) - 'sealed' then return new;
           end if;
         elsif tg_op = 'DELETE' then
           if old.created_at < to_char(now() at time zone 'utc' - interval '730 days', 'YYYY-MM-DD"T"HH24:MI:SS') then return old;
           end if;
         end if;
         raise exception 'A signed document cannot be changed';
       end $function$

CREATE OR REPLACE FUNCTION public.refuse_changed_journal()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin raise exception 'The journal of a transaction cannot be changed'; end $function$

CREATE OR REPLACE FUNCTION public.refuse_changed_notice()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
       begin
         if tg_op = 'UPDATE' then
           if new.id is not distinct from old.id and new.merchant_id is not distinct from old.merchant_id and new.channel is not distinct from old.channel and new.endpoint is not distinct from old.endpoint and new.recipient_hash is not distinct from old.recipient_hash and new.transaction_id is not distinct from old.transaction_id and new.cart_id is not distinct from old.cart_id and new.application_id is not distinct from old.application_id and new.notice is not distinct from old.notice and new.sequence is not distinct from old.sequence and new.created_at is not distinct from old.created_at
             and (new.sealed = old.sealed
               or (split_part(new.sealed, '.', 1) = 'v2' and split_part(new.sealed, '.', 2) <> split_part(old.sealed, '.', 2)))
           then return new;
           end if;
         elsif not exists (select 1 from environment where mode = 'live')
           or old.created_at < to_char(now() at time zone 'utc' - interval '762 days', 'YYYY-MM-DD"T"HH24:MI:SS')
         then return old;
         end if;
         raise exception 'A notice to a buyer cannot be changed';
       end $function$

CREATE OR REPLACE FUNCTION public.refuse_changed_program_version()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$ begin raise exception 'A version of a program cannot be changed'; end $function$

CREATE OR REPLACE FUNCTION public.refuse_changed_security_event()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
       begin
         if tg_op = 'UPDATE' then
           if new.count > old.count and to_jsonb(new) - 'count' = to_jsonb(old) - 'count' then return new;
           end if;
         elsif tg_op = 'DELETE' then
           if old.occurred_at < to_char(now() at time zone 'utc' - interval '365 days', 'YYYY-MM-DD"T"HH24:MI:SS') then return old;
           end if;
         end if;
         raise exception 'Security events cannot be changed';
       end $function$

CREATE OR REPLACE FUNCTION public.refuse_changed_settlement_line()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
       begin
         if tg_op = 'UPDATE' then
           if old.settlement_id is null and new.settlement_id is not null
             and to_jsonb(new) - 'settlement_id' = to_jsonb(old) - 'settlement_id' then return new;
           end if;
         end if;
         raise exception 'A settlement line cannot be changed';
       end $function$

CREATE OR REPLACE FUNCTION public.refuse_truncated_notices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
       begin
         if exists (select 1 from environment where mode = 'live') and exists (select 1 from outbox where notice is not null) then raise exception 'A notice to a buyer cannot be changed';
         end if;
         return null;
       end $function$

CREATE OR REPLACE FUNCTION public.require_next_journal_row()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
       begin
         if new.sequence is distinct from
           (select coalesce(max(sequence), 0) + 1 from transaction_entries where transaction_id = new.transaction_id)
         then raise exception 'Expected the next row of the journal of a transaction';
         end if;
         return new;
       end $function$

CREATE TRIGGER agreement_documents_are_final BEFORE DELETE OR UPDATE ON public.agreement_documents FOR EACH ROW EXECUTE FUNCTION refuse_changed_document()
CREATE TRIGGER agreement_documents_stay BEFORE TRUNCATE ON public.agreement_documents FOR EACH STATEMENT EXECUTE FUNCTION refuse_changed_document()
CREATE TRIGGER outbox_notices_are_final BEFORE DELETE OR UPDATE ON public.outbox FOR EACH ROW WHEN ((old.notice IS NOT NULL)) EXECUTE FUNCTION refuse_changed_notice()
CREATE TRIGGER outbox_notices_stay BEFORE TRUNCATE ON public.outbox FOR EACH STATEMENT EXECUTE FUNCTION refuse_truncated_notices()
CREATE TRIGGER program_versions_are_final BEFORE DELETE OR UPDATE ON public.program_versions FOR EACH ROW EXECUTE FUNCTION refuse_changed_program_version()
CREATE TRIGGER program_versions_stay BEFORE TRUNCATE ON public.program_versions FOR EACH STATEMENT EXECUTE FUNCTION refuse_changed_program_version()
CREATE TRIGGER security_events_are_final BEFORE DELETE OR UPDATE ON public.security_events FOR EACH ROW EXECUTE FUNCTION refuse_changed_security_event()
CREATE TRIGGER security_events_stay BEFORE TRUNCATE ON public.security_events FOR EACH STATEMENT EXECUTE FUNCTION refuse_changed_security_event()
CREATE TRIGGER settlement_lines_are_final BEFORE DELETE OR UPDATE ON public.settlement_lines FOR EACH ROW EXECUTE FUNCTION refuse_changed_settlement_line()
CREATE TRIGGER settlement_lines_stay BEFORE TRUNCATE ON public.settlement_lines FOR EACH STATEMENT EXECUTE FUNCTION refuse_changed_settlement_line()
CREATE TRIGGER transaction_entries_are_final BEFORE DELETE OR UPDATE ON public.transaction_entries FOR EACH ROW EXECUTE FUNCTION refuse_changed_journal()
CREATE TRIGGER transaction_entries_in_sequence BEFORE INSERT ON public.transaction_entries FOR EACH ROW EXECUTE FUNCTION require_next_journal_row()
CREATE TRIGGER transaction_entries_stay BEFORE TRUNCATE ON public.transaction_entries FOR EACH STATEMENT EXECUTE FUNCTION refuse_changed_journal()
CREATE UNIQUE INDEX agreement_documents_application_id_key ON public.agreement_documents USING btree (application_id)
CREATE UNIQUE INDEX agreement_documents_code_hash_key ON public.agreement_documents USING btree (code_hash)
CREATE UNIQUE INDEX agreement_documents_pkey ON public.agreement_documents USING btree (id)
CREATE UNIQUE INDEX applications_current ON public.applications USING btree (cart_id) WHERE (superseded_at IS NULL)
CREATE UNIQUE INDEX applications_pkey ON public.applications USING btree (id)
CREATE UNIQUE INDEX callback_secrets_pkey ON public.callback_secrets USING btree (id)
CREATE UNIQUE INDEX carts_code_hash_key ON public.carts USING btree (code_hash)
CREATE UNIQUE INDEX carts_pkey ON public.carts USING btree (id)
CREATE UNIQUE INDEX data_keys_pkey ON public.data_keys USING btree (id)
CREATE UNIQUE INDEX delivery_attempts_pk ON public.delivery_attempts USING btree (delivery_id, number)
CREATE UNIQUE INDEX document_revocations_pkey ON public.document_revocations USING btree (application_id)
CREATE UNIQUE INDEX email_opt_outs_pk ON public.email_opt_outs USING btree (recipient_hash, merchant_id)
CREATE UNIQUE INDEX environment_pkey ON public.environment USING btree (id)
CREATE UNIQUE INDEX events_pkey ON public.events USING btree (id)
CREATE UNIQUE INDEX exceptions_open ON public.exceptions USING btree (application_id, kind) WHERE (closed_at IS NULL)
CREATE UNIQUE INDEX exceptions_pkey ON public.exceptions USING btree (id)
CREATE UNIQUE INDEX form_keys_pkey ON public.form_keys USING btree (id)
CREATE UNIQUE INDEX idempotency_keys_pk ON public.idempotency_keys USING btree (merchant_id, key)
CREATE UNIQUE INDEX idempotency_responses_pk ON public.idempotency_responses USING btree (merchant_id, key)
CREATE UNIQUE INDEX idempotency_writes_pk ON public.idempotency_writes USING btree (merchant_id, key, ordinal)
CREATE UNIQUE INDEX legal_holds_pkey ON public.legal_holds USING btree (application_id)
CREATE UNIQUE INDEX lender_calls_pkey ON public.lender_calls USING btree (id)
CREATE UNIQUE INDEX limited_attempts_pkey ON public.limited_attempts USING btree (subject_hash)
CREATE UNIQUE INDEX lookup_keys_pkey ON public.lookup_keys USING btree (id)
CREATE UNIQUE INDEX merchant_callbacks_pk ON public.merchant_callbacks USING btree (merchant_id, url)
CREATE UNIQUE INDEX merchant_keys_pkey ON public.merchant_keys USING btree (api_key)
CREATE UNIQUE INDEX merchant_logos_pkey ON public.merchant_logos USING btree (merchant_id)
CREATE UNIQUE INDEX merchant_origins_pk ON public.merchant_origins USING btree (merchant_id, origin)
CREATE UNIQUE INDEX merchant_requests_pkey ON public.merchant_requests USING btree (id)
CREATE UNIQUE INDEX merchants_pkey ON public.merchants USING btree (id)
CREATE UNIQUE INDEX message_counts_pk ON public.message_counts USING btree (day, channel, counted)
CREATE UNIQUE INDEX order_words_pkey ON public.order_words USING btree (hash, created_at, transaction_id)
CREATE UNIQUE INDEX outbox_of_lender ON public.outbox USING btree (application_id, sequence) WHERE (channel = 'lender'::text)
CREATE UNIQUE INDEX outbox_pkey ON public.outbox USING btree (id)
CREATE UNIQUE INDEX program_versions_pk ON public.program_versions USING btree (program_id, version)
CREATE UNIQUE INDEX programs_by_code ON public.programs USING btree (merchant_id, code)
CREATE UNIQUE INDEX programs_pkey ON public.programs USING btree (id)
CREATE UNIQUE INDEX refund_requests_pending ON public.refund_requests USING btree (transaction_id) WHERE (status = 'pending'::text)
CREATE UNIQUE INDEX refund_requests_pkey ON public.refund_requests USING btree (id)
CREATE UNIQUE INDEX security_events_by_network ON public.security_events USING btree (kind, network, occurred_at)
CREATE UNIQUE INDEX security_events_pkey ON public.security_events USING btree (id)
CREATE UNIQUE INDEX settlement_lines_pkey ON public.settlement_lines USING btree (transaction_id, sequence, type)
CREATE UNIQUE INDEX settlements_once ON public.settlements USING btree (merchant_id, currency, day)
CREATE UNIQUE INDEX settlements_pkey ON public.settlements USING btree (id)
CREATE UNIQUE INDEX signing_keys_pkey ON public.signing_keys USING btree (kid)
CREATE UNIQUE INDEX tenants_pkey ON public.tenants USING btree (id)
CREATE UNIQUE INDEX transaction_entries_pk ON public.transaction_entries USING btree (transaction_id, sequence)
CREATE UNIQUE INDEX transactions_application_id_key ON public.transactions USING btree (application_id)
CREATE UNIQUE INDEX transactions_cart_id_key ON public.transactions USING btree (cart_id)
CREATE UNIQUE INDEX transactions_pkey ON public.transactions USING btree (id)
CREATE UNIQUE INDEX user_links_pkey ON public.user_links USING btree (token_hash)
CREATE UNIQUE INDEX user_passkeys_pkey ON public.user_passkeys USING btree (id)
CREATE UNIQUE INDEX user_sessions_pkey ON public.user_sessions USING btree (token_hash)
CREATE UNIQUE INDEX users_by_email ON public.users USING btree (email_hash, tenant_id, COALESCE(merchant_id, ''::text)) WHERE (removed_at IS NULL)
CREATE UNIQUE INDEX users_pkey ON public.users USING btree (id)
CREATE UNIQUE INDEX webhooks_pkey ON public.webhooks USING btree (id)
CREATE UNIQUE INDEX widget_files_by_name ON public.widget_files USING btree (version, name)
agreement_documents CHECK ((length(code_hash) = 64))
agreement_documents FOREIGN KEY (application_id) REFERENCES applications(id)
agreement_documents FOREIGN KEY (merchant_id) REFERENCES merchants(id)
agreement_documents PRIMARY KEY (id)
agreement_documents UNIQUE (application_id)
agreement_documents UNIQUE (code_hash)
agreement_documents application_id text nullable NO
agreement_documents code_hash text nullable NO
agreement_documents created_at text nullable NO
agreement_documents id text nullable NO
agreement_documents language text nullable NO
agreement_documents merchant_id text nullable NO
agreement_documents sealed text nullable NO
applications CHECK ((invalid_outcome = ANY (ARRAY['approved'::text, 'denied'::text, 'other'::text])))
applications CHECK ((length(card_return_hash) = ANY (ARRAY[0, 64])))
applications CHECK ((length(session_hash) = ANY (ARRAY[0, 64])))
applications FOREIGN KEY (cart_id) REFERENCES carts(id)
applications FOREIGN KEY (merchant_id) REFERENCES merchants(id)
applications FOREIGN KEY (program_id) REFERENCES programs(id)
applications FOREIGN KEY (tenant_id) REFERENCES tenants(id)
applications PRIMARY KEY (id)
applications approved_on text nullable YES
applications buyer_id text nullable NO
applications card_reference text nullable NO ''::text
applications card_return_hash text nullable NO ''::text
applications cart_id text nullable NO
applications consent_withdrawn_at text nullable YES
applications created_at text nullable NO
applications currency text nullable NO
applications details_deleted_at text nullable YES
applications email_hash text nullable NO ''::text
applications expires_at text nullable NO
applications financed_cents bigint nullable YES
applications id text nullable NO
applications invalid_outcome text nullable YES
applications language text nullable NO 'en'::text
applications merchant_id text nullable NO
applications normalized_address_hash text nullable NO ''::text
applications offer_id text nullable YES
applications payment_method_id text nullable YES
applications program_id text nullable NO
applications program_version integer nullable YES
applications request_attempts integer nullable NO 0
applications request_due_at text nullable YES
applications request_id text nullable YES
applications request_leased_until text nullable YES
applications returned_at text nullable YES
applications revision integer nullable NO
applications sealed text nullable NO
applications session_hash text nullable NO ''::text
applications shipping_type_id text nullable YES
applications status text nullable NO
applications status_code text nullable NO
applications submitted_at text nullable YES
applications superseded_at text nullable YES
applications tenant_id text nullable NO
applications tier_id text nullable YES
applications updated_at text nullable NO
applications warn_at text nullable YES
callback_secrets FOREIGN KEY (merchant_id) REFERENCES merchants(id)
callback_secrets PRIMARY KEY (id)
callback_secrets created_at text nullable NO
callback_secrets id text nullable NO
callback_secrets merchant_id text nullable NO
callback_secrets retired_at text nullable YES
callback_secrets sealed text nullable NO
carts CHECK ((length(code_hash) = 64))
carts FOREIGN KEY (merchant_id) REFERENCES merchants(id)
carts FOREIGN KEY (program_id) REFERENCES programs(id)
carts FOREIGN KEY (user_id) REFERENCES users(id)
carts PRIMARY KEY (id)
carts UNIQUE (code_hash)
carts code_hash text nullable NO
carts contacts_deleted_at text nullable YES
carts created_at text nullable NO
carts created_by_hash text nullable NO
carts email_hash text nullable NO ''::text
carts expires_on text nullable NO
carts expiry_due_on text nullable YES
carts id text nullable NO
carts merchant_id text nullable NO
carts opened_at text nullable YES
carts order_ref text nullable NO
carts program_id text nullable NO
carts sealed text nullable NO
carts status text nullable NO
carts submissions integer nullable NO 0
carts transaction_id text nullable YES
carts user_id text nullable YES
data_keys PRIMARY KEY (id)
data_keys check_value text nullable NO
data_keys id text nullable NO
delivery_attempts FOREIGN KEY (delivery_id) REFERENCES outbox(id) ON DELETE CASCADE
delivery_attempts PRIMARY KEY (delivery_id, number)
delivery_attempts delivery_id text nullable NO
delivery_attempts duration_ms integer nullable YES
delivery_attempts failure text nullable NO
delivery_attempts number integer nullable NO
delivery_attempts started_at text nullable NO
delivery_attempts status_code integer nullable YES
document_revocations FOREIGN KEY (application_id) REFERENCES applications(id)
document_revocations PRIMARY KEY (application_id)
document_revocations application_id text nullable NO
document_revocations revoked_at text nullable NO
email_opt_outs CHECK ((length(recipient_hash) = 64))
email_opt_outs FOREIGN KEY (merchant_id) REFERENCES merchants(id)
email_opt_outs PRIMARY KEY (recipient_hash, merchant_id)
email_opt_outs created_at text nullable NO
email_opt_outs merchant_id text nullable NO
email_opt_outs recipient_hash text nullable NO
environment CHECK ((id = 1))
environment CHECK ((mode = ANY (ARRAY['sandbox'::text, 'live'::text])))
environment PRIMARY KEY (id)
environment id integer nullable NO
environment mode text nullable NO
environment public_url text nullable YES
events FOREIGN KEY (merchant_id) REFERENCES merchants(id)
events PRIMARY KEY (id)
events created_at text nullable NO
events data_json text nullable NO
events enqueued_at text nullable YES
events id text nullable NO
events merchant_id text nullable NO
events occurred_at text nullable YES
events transaction_id text nullable YES
events type text nullable NO
exceptions CHECK ((((resolution IS NULL) = (resolved_at IS NULL)) AND ((resolution IS NULL) = (actor IS NULL)) AND ((resolution IS NULL) = (reason IS NULL))))
exceptions CHECK ((kind = ANY (ARRAY['decision'::text, 'agreement'::text, 'undecided'::text, 'schedule'::text, 'bureau'::text])))
exceptions FOREIGN KEY (application_id) REFERENCES applications(id)
exceptions FOREIGN KEY (merchant_id) REFERENCES merchants(id)
exceptions PRIMARY KEY (id)
exceptions actor text nullable YES
exceptions application_id text nullable NO
exceptions closed_at text nullable YES
exceptions denial_reason text nullable YES
exceptions fault text nullable YES
exceptions id text nullable NO
exceptions kind text nullable NO
exceptions merchant_id text nullable NO
exceptions raised_at text nullable NO
exceptions reason text nullable YES
exceptions resolution text nullable YES
exceptions resolved_at text nullable YES
form_keys CHECK ((id = 1))
form_keys PRIMARY KEY (id)
form_keys id integer nullable NO
form_keys sealed text nullable NO
idempotency_keys FOREIGN KEY (merchant_id) REFERENCES merchants(id)
idempotency_keys PRIMARY KEY (merchant_id, key)
idempotency_keys expires_at text nullable NO
idempotency_keys fingerprint text nullable NO
idempotency_keys holder text nullable NO
idempotency_keys key text nullable NO
idempotency_keys leased_until text nullable NO
idempotency_keys merchant_id text nullable NO
idempotency_responses PRIMARY KEY (merchant_id, key)
idempotency_responses key text nullable NO
idempotency_responses merchant_id text nullable NO
idempotency_responses sealed text nullable NO
idempotency_responses status integer nullable NO
idempotency_writes PRIMARY KEY (merchant_id, key, ordinal)
idempotency_writes key text nullable NO
idempotency_writes merchant_id text nullable NO
idempotency_writes ordinal integer nullable NO
idempotency_writes sealed text nullable NO
legal_holds FOREIGN KEY (application_id) REFERENCES applications(id)
legal_holds PRIMARY KEY (application_id)
legal_holds application_id text nullable NO
legal_holds reason text nullable NO
legal_holds set_at text nullable NO
lender_calls CHECK ((direction = ANY (ARRAY['sent'::text, 'received'::text])))
lender_calls PRIMARY KEY (id)
lender_calls attempt integer nullable NO
lender_calls direction text nullable NO
lender_calls duration_ms integer nullable NO
lender_calls failure text nullable NO
lender_calls id text nullable NO
lender_calls method text nullable NO
lender_calls path text nullable NO
lender_calls started_at text nullable NO
lender_calls status_code integer nullable YES
lender_calls subject_id text nullable NO
limited_attempts CHECK ((length(subject_hash) = 64))
limited_attempts PRIMARY KEY (subject_hash)
limited_attempts attempts_json text nullable NO
limited_attempts last_attempt_at text nullable NO
limited_attempts subject_hash text nullable NO
lookup_keys CHECK ((id = 1))
lookup_keys PRIMARY KEY (id)
lookup_keys id integer nullable NO
lookup_keys sealed text nullable NO
merchant_callbacks FOREIGN KEY (merchant_id) REFERENCES merchants(id)
merchant_callbacks PRIMARY KEY (merchant_id, url)
merchant_callbacks merchant_id text nullable NO
merchant_callbacks url text nullable NO
merchant_keys FOREIGN KEY (merchant_id) REFERENCES merchants(id)
merchant_keys PRIMARY KEY (api_key)
merchant_keys api_key text nullable NO
merchant_keys created_at text nullable NO
merchant_keys created_by text nullable NO
merchant_keys mac text nullable NO ''::text
merchant_keys merchant_id text nullable NO
merchant_keys retired_at text nullable YES
merchant_keys secret_hash text nullable NO
merchant_logos FOREIGN KEY (merchant_id) REFERENCES merchants(id)
merchant_logos PRIMARY KEY (merchant_id)
merchant_logos base64 text nullable NO
merchant_logos merchant_id text nullable NO
merchant_logos name text nullable NO
merchant_origins FOREIGN KEY (merchant_id) REFERENCES merchants(id)
merchant_origins PRIMARY KEY (merchant_id, origin)
merchant_origins merchant_id text nullable NO
merchant_origins origin text nullable NO
merchant_requests PRIMARY KEY (id)
merchant_requests code text nullable YES
merchant_requests id text nullable NO
merchant_requests key_id text nullable NO
merchant_requests merchant_id text nullable NO
merchant_requests method text nullable NO
merchant_requests path text nullable NO
merchant_requests status integer nullable NO
merchants CHECK ((refund_approval_cents > 0))
merchants FOREIGN KEY (tenant_id) REFERENCES tenants(id)
merchants PRIMARY KEY (id)
merchants accent text nullable YES
merchants category text nullable NO ''::text
merchants created_at text nullable NO
merchants default_program_id text nullable NO
merchants id text nullable NO
merchants logo text nullable YES
merchants mac text nullable NO ''::text
merchants name text nullable NO
merchants postal_address text nullable NO ''::text
merchants refund_approval_cents bigint nullable YES
merchants store_url text nullable NO
merchants support_email text nullable YES
merchants support_phone text nullable YES
merchants support_url text nullable YES
merchants tenant_id text nullable NO
message_counts PRIMARY KEY (day, channel, counted)
message_counts channel text nullable NO
message_counts count integer nullable NO
message_counts counted text nullable NO
message_counts day text nullable NO
order_words PRIMARY KEY (hash, created_at, transaction_id)
order_words created_at text nullable NO
order_words hash text nullable NO
order_words transaction_id text nullable NO
outbox FOREIGN KEY (merchant_id) REFERENCES merchants(id)
outbox PRIMARY KEY (id)
outbox application_id text nullable YES
outbox attempts integer nullable NO
outbox began_at text nullable YES
outbox cart_id text nullable YES
outbox channel text nullable NO 'callback'::text
outbox created_at text nullable NO
outbox delivered_at text nullable YES
outbox due_at text nullable YES
outbox endpoint text nullable NO
outbox id text nullable NO
outbox last_failure text nullable NO
outbox merchant_id text nullable NO
outbox notice text nullable YES
outbox open_by text nullable YES
outbox opened_at text nullable YES
outbox recipient_hash text nullable NO ''::text
outbox replayed_after integer nullable NO 0
outbox sealed text nullable NO
outbox sequence integer nullable YES
outbox transaction_id text nullable YES
program_versions FOREIGN KEY (program_id) REFERENCES programs(id)
program_versions PRIMARY KEY (program_id, version)
program_versions created_at text nullable NO
program_versions document_json text nullable NO
program_versions effective_from text nullable NO
program_versions effective_to text nullable YES
program_versions program_id text nullable NO
program_versions status text nullable NO
program_versions version integer nullable NO
programs FOREIGN KEY (merchant_id) REFERENCES merchants(id)
programs PRIMARY KEY (id)
programs code text nullable NO 'standard'::text
programs created_at text nullable NO
programs id text nullable NO
programs merchant_id text nullable NO
refund_requests CHECK (((decided_by IS NULL) = (status = ANY (ARRAY['pending'::text, 'expired'::text]))))
refund_requests CHECK (((status <> 'approved'::text) OR (decided_by <> requested_by)))
refund_requests CHECK ((amount_cents > 0))
refund_requests CHECK ((status = ANY (ARRAY['pending'::text, 'approved'::text, 'rejected'::text, 'expired'::text])))
refund_requests FOREIGN KEY (decided_by) REFERENCES users(id)
refund_requests FOREIGN KEY (merchant_id) REFERENCES merchants(id)
refund_requests FOREIGN KEY (requested_by) REFERENCES users(id)
refund_requests FOREIGN KEY (transaction_id) REFERENCES transactions(id)
refund_requests PRIMARY KEY (id)
refund_requests action_json text nullable NO
refund_requests amount_cents bigint nullable NO
refund_requests decided_at text nullable YES
refund_requests decided_by text nullable YES
refund_requests expires_at text nullable NO
refund_requests id text nullable NO
refund_requests mac text nullable NO ''::text
refund_requests merchant_id text nullable NO
refund_requests requested_at text nullable NO
refund_requests requested_by text nullable NO
refund_requests revision integer nullable NO
refund_requests status text nullable NO
refund_requests transaction_id text nullable NO
security_events CHECK ((count > 0))
security_events PRIMARY KEY (id)
security_events actor text nullable NO
security_events count bigint nullable NO
security_events details_json text nullable NO
security_events id text nullable NO
security_events kind text nullable NO
security_events merchant_id text nullable YES
security_events network text nullable YES
security_events occurred_at text nullable NO
security_events tenant_id text nullable YES
settlement_lines CHECK (((type = ANY (ARRAY['settled'::text, 'refunded'::text])) OR ((gross_cents = 0) AND (fee_cents = 0))))
settlement_lines CHECK ((type = ANY (ARRAY['settled'::text, 'settled-by-card'::text, 'refunded'::text, 'refunded-to-card'::text])))
settlement_lines FOREIGN KEY (merchant_id) REFERENCES merchants(id)
settlement_lines FOREIGN KEY (settlement_id) REFERENCES settlements(id)
settlement_lines FOREIGN KEY (transaction_id) REFERENCES transactions(id)
settlement_lines PRIMARY KEY (transaction_id, sequence, type)
settlement_lines at text nullable NO
settlement_lines currency text nullable NO
settlement_lines day text nullable NO
settlement_lines fee_cents bigint nullable NO
settlement_lines gross_cents bigint nullable NO
settlement_lines merchant_id text nullable NO
settlement_lines sequence integer nullable NO
settlement_lines settlement_id text nullable YES
settlement_lines transaction_id text nullable NO
settlement_lines type text nullable NO
settlements CHECK (((bank_reference IS NULL) = (paid_on IS NULL)))
settlements CHECK (((bank_reference IS NULL) OR (((carried_cents + gross_cents) - fee_cents) > 0)))
settlements CHECK ((carried_cents <= 0))
settlements CHECK ((received_difference = ANY (ARRAY['amount'::text, 'not-paid'::text, 'several-payments'::text, 'paid-before'::text, 'transfer'::text])))
settlements FOREIGN KEY (merchant_id) REFERENCES merchants(id)
settlements PRIMARY KEY (id)
settlements bank_reference text nullable YES
settlements carried_cents bigint nullable NO
settlements created_at text nullable NO
settlements currency text nullable NO
settlements day text nullable NO
settlements fee_cents bigint nullable NO
settlements gross_cents bigint nullable NO
settlements id text nullable NO
settlements line_count integer nullable NO
settlements merchant_id text nullable NO
settlements paid_on text nullable YES
settlements received_cents bigint nullable YES
settlements received_difference text nullable YES
settlements received_on text nullable YES
signing_keys PRIMARY KEY (kid)
signing_keys algorithm text nullable NO
signing_keys created_at text nullable NO
signing_keys kid text nullable NO
signing_keys mac text nullable NO ''::text
signing_keys public_jwk_json text nullable NO
signing_keys retired_at text nullable YES
signing_keys sealed text nullable NO
tenants PRIMARY KEY (id)
tenants created_at text nullable NO
tenants id text nullable NO
tenants name text nullable NO
transaction_entries CHECK (((actor = ANY (ARRAY['console'::text, 'buyer'::text, 'system'::text])) OR (actor ~~ 'key:%'::text) OR (actor ~~ 'user:%'::text)))
transaction_entries CHECK (((card_cents >= 0) AND ((card_cents = 0) OR (card_cents <= amount_cents))))
transaction_entries FOREIGN KEY (transaction_id) REFERENCES transactions(id)
transaction_entries PRIMARY KEY (transaction_id, sequence)
transaction_entries actor text nullable NO
transaction_entries amount_cents bigint nullable NO
transaction_entries at text nullable NO
transaction_entries card_cents bigint nullable NO 0
transaction_entries lines_json text nullable NO '[]'::text
transaction_entries reason text nullable YES
transaction_entries reference text nullable YES
transaction_entries requested_cents bigint nullable YES
transaction_entries sequence integer nullable NO
transaction_entries transaction_id text nullable NO
transaction_entries type text nullable NO
transactions CHECK (((adjusted_total_cents >= 0) AND (adjusted_total_cents <= total_cents)))
transactions CHECK (((card_cents = 0) = (card_reference = ''::text)))
transactions CHECK (((card_cents >= 0) AND (card_cents <= total_cents)))
transactions CHECK (((card_reduced_cents >= 0) AND (card_reduced_cents <= card_cents)))
transactions CHECK (((order_ref_shared_at IS NULL) OR (order_ref <> ''::text)))
transactions CHECK (((refunded_cents >= 0) AND (adjusted_total_cents = ((total_cents - canceled_cents) - refunded_cents))))
transactions CHECK ((canceled_cents >= 0))
transactions CHECK ((line_items_cents >= 0))
transactions FOREIGN KEY (application_id) REFERENCES applications(id)
transactions FOREIGN KEY (cart_id) REFERENCES carts(id)
transactions FOREIGN KEY (merchant_id) REFERENCES merchants(id)
transactions PRIMARY KEY (id)
transactions UNIQUE (application_id)
transactions UNIQUE (cart_id)
transactions adjusted_quantities_json text nullable NO '[]'::text
transactions adjusted_total_cents bigint nullable NO
transactions application_id text nullable NO
transactions canceled_cents bigint nullable NO 0
transactions card_cents bigint nullable NO 0
transactions card_reduced_cents bigint nullable NO 0
transactions card_reference text nullable NO ''::text
transactions carrier_name text nullable NO
transactions cart_id text nullable NO
transactions contacts_deleted_at text nullable YES
transactions created_at text nullable NO
transactions email_hash text nullable NO ''::text
transactions id text nullable NO
transactions line_items_cents bigint nullable NO 0
transactions loan_apr_bps integer nullable YES
transactions loan_ends_on text nullable NO ''::text
transactions loan_fee_cents bigint nullable YES
transactions merchant_discount_bps integer nullable NO 0
transactions merchant_discount_cents bigint nullable NO 0
transactions merchant_id text nullable NO
transactions merchant_order_id text nullable NO
transactions order_ref text nullable NO
transactions order_ref_shared_at text nullable YES
transactions refunded_cents bigint nullable NO 0
transactions request_id text nullable YES
transactions revision integer nullable NO
transactions sealed text nullable NO
transactions shipping_cents bigint nullable NO
transactions shipping_method_code text nullable NO
transactions shipping_method_name text nullable NO
transactions status text nullable NO
transactions status_since text nullable NO ''::text
transactions tax_cents bigint nullable YES
transactions time_zone text nullable NO 'UTC'::text
transactions total_cents bigint nullable NO
transactions updated_at text nullable NO
user_links CHECK ((length(token_hash) = 64))
user_links CHECK ((purpose = ANY (ARRAY['invitation'::text, 'sign-in'::text])))
user_links FOREIGN KEY (user_id) REFERENCES users(id)
user_links PRIMARY KEY (token_hash)
user_links browser_hash text nullable NO
user_links expires_at text nullable NO
user_links mac text nullable NO
user_links purpose text nullable NO
user_links token_hash text nullable NO
user_links user_id text nullable NO
user_passkeys FOREIGN KEY (user_id) REFERENCES users(id)
user_passkeys PRIMARY KEY (id)
user_passkeys challenged_at text nullable NO
user_passkeys counter bigint nullable NO
user_passkeys created_at text nullable NO
user_passkeys id text nullable NO
user_passkeys sealed text nullable NO
user_passkeys user_id text nullable NO
user_sessions CHECK ((length(token_hash) = 64))
user_sessions FOREIGN KEY (user_id) REFERENCES users(id)
user_sessions PRIMARY KEY (token_hash)
user_sessions authenticated_at text nullable NO
user_sessions ends_at text nullable NO
user_sessions last_seen_at text nullable NO
user_sessions mac text nullable NO
user_sessions token_hash text nullable NO
user_sessions user_id text nullable NO
users CHECK ((length(email_hash) = 64))
users CHECK ((refund_limit_cents >= 0))
users CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'finance'::text, 'developer'::text, 'admin'::text])))
users FOREIGN KEY (merchant_id) REFERENCES merchants(id)
users FOREIGN KEY (tenant_id) REFERENCES tenants(id)
users PRIMARY KEY (id)
users created_at text nullable NO
users email_hash text nullable NO
users id text nullable NO
users merchant_id text nullable YES
users refund_limit_cents bigint nullable YES
users removed_at text nullable YES
users role text nullable NO
users sealed text nullable NO
users tenant_id text nullable NO
webhooks FOREIGN KEY (merchant_id) REFERENCES merchants(id)
webhooks PRIMARY KEY (id)
webhooks confirmed_at text nullable YES
webhooks created_at text nullable NO
webhooks disabled_at text nullable YES
webhooks failing_since text nullable YES
webhooks id text nullable NO
webhooks merchant_id text nullable NO
webhooks sealed text nullable NO
webhooks types_json text nullable NO
widget_files CHECK ((length(integrity) = 71))
widget_files PRIMARY KEY (version, name)
widget_files bytes integer nullable NO
widget_files content text nullable NO
widget_files integrity text nullable NO
widget_files name text nullable NO
widget_files released_at text nullable NO
widget_files version text nullable NO
