import type { Engine } from '../engine.ts';

const VERSION_IS_FINAL = 'A version of a program cannot be changed';
const JOURNAL_IS_FINAL = 'The journal of a transaction cannot be changed';
const JOURNAL_IN_SEQUENCE = 'Expected the next row of the journal of a transaction';
const DOCUMENT_IS_FINAL = 'A signed document cannot be changed';
const NOTICE_IS_FINAL = 'A notice to a buyer cannot be changed';
const LINE_IS_FINAL = 'A settlement line cannot be changed';
const EVENTS_ARE_FINAL = 'Security events cannot be changed';

/** All columns but the sealed content, which may only be sealed again with another key. */
const FINAL_DOCUMENT_COLUMNS = ['id', 'application_id', 'merchant_id', 'code_hash', 'language', 'created_at'];

/** All columns but the sealed content and those of the delivery and the opening. */
const FINAL_NOTICE_COLUMNS = [
  'id',
  'merchant_id',
  'channel',
  'endpoint',
  'recipient_hash',
  'transaction_id',
  'cart_id',
  'application_id',
  'notice',
  'sequence',
  'created_at',
];

/** All columns but the settlement. */
const FINAL_LINE_COLUMNS = [
  'transaction_id',
  'sequence',
  'type',
  'merchant_id',
  'currency',
  'gross_cents',
  'fee_cents',
  'day',
  'at',
];

/** All columns but the count. */
const FINAL_EVENT_COLUMNS = ['id', 'occurred_at', 'kind', 'actor', 'merchant_id', 'tenant_id', 'network', 'details_json'];

/** Two years: Regulation Z, 12 CFR 1026.25. */
const DOCUMENT_DAYS = 730;

/** Twenty-five months are at most 762 days: Regulation B, 12 CFR 1002.12(b)(1). */
const NOTICE_DAYS = 762;

const SECURITY_EVENT_DAYS = 365;

/** A sandbox deletes its data earlier. */
const IS_LIVE = "exists (select 1 from environment where mode = 'live')";

/**
 * Program versions, the journal of transactions, signed documents, notices, settlement lines and security events are append-only. Documents
 * and notices may be sealed again with another data key, notices are delivered, lines are assigned to a settlement once, and security events
 * are counted. Documents, notices and security events can be deleted after some time.
 */
export const triggers: Record<Engine, string[]> = {
  sqlite: [
    ...withoutChanges('program_versions', VERSION_IS_FINAL),
    ...withoutChanges('transaction_entries', JOURNAL_IS_FINAL),
    `create trigger agreement_documents_without_delete before delete on agreement_documents
       when old.created_at > ${sqliteDaysAgo(DOCUMENT_DAYS)}
       begin select raise(abort, '${DOCUMENT_IS_FINAL}'); end`,
    `create trigger agreement_documents_only_rotated before update on agreement_documents
       when new.sealed not like 'v2.%' or ${sqliteKeyOf('new.sealed')} is ${sqliteKeyOf('old.sealed')}
         or ${isAnyChanged(FINAL_DOCUMENT_COLUMNS)}
       begin select raise(abort, '${DOCUMENT_IS_FINAL}'); end`,
    `create trigger outbox_notices_without_delete before delete on outbox
       when old.notice is not null and ${IS_LIVE}
         and old.created_at > ${sqliteDaysAgo(NOTICE_DAYS)}
       begin select raise(abort, '${NOTICE_IS_FINAL}'); end`,
    `create trigger outbox_notices_only_delivered before update on outbox
       when old.notice is not null and (
         (new.sealed is not old.sealed and (new.sealed not like 'v2.%' or ${sqliteKeyOf('new.sealed')} is ${sqliteKeyOf('old.sealed')}))
         or ${isAnyChanged(FINAL_NOTICE_COLUMNS)})
       begin select raise(abort, '${NOTICE_IS_FINAL}'); end`,
    `create trigger settlement_lines_without_delete before delete on settlement_lines
       begin select raise(abort, '${LINE_IS_FINAL}'); end`,
    `create trigger settlement_lines_only_assigned before update on settlement_lines
       when old.settlement_id is not null or new.settlement_id is null or ${isAnyChanged(FINAL_LINE_COLUMNS)}
       begin select raise(abort, '${LINE_IS_FINAL}'); end`,
    `create trigger security_events_without_delete before delete on security_events
       when old.occurred_at > ${sqliteDaysAgo(SECURITY_EVENT_DAYS)}
       begin select raise(abort, '${EVENTS_ARE_FINAL}'); end`,
    `create trigger security_events_only_counted before update on security_events
       when new.count <= old.count or ${isAnyChanged(FINAL_EVENT_COLUMNS)}
       begin select raise(abort, '${EVENTS_ARE_FINAL}'); end`,
    // "insert or replace" removes conflicting rows without firing the trigger on delete. Those of the journal are not the next row.
    `create trigger program_versions_without_replace before insert on program_versions
       when exists (select 1 from program_versions where program_id = new.program_id and version = new.version)
       begin select raise(abort, '${VERSION_IS_FINAL}'); end`,
    `create trigger agreement_documents_without_replace before insert on agreement_documents
       when exists (
         select 1 from agreement_documents where id = new.id or application_id = new.application_id or code_hash = new.code_hash)
       begin select raise(abort, '${DOCUMENT_IS_FINAL}'); end`,
    `create trigger outbox_notices_without_replace before insert on outbox
       when exists (select 1 from outbox where id = new.id and notice is not null)
       begin select raise(abort, '${NOTICE_IS_FINAL}'); end`,
    `create trigger transaction_entries_in_sequence before insert on transaction_entries
       when new.sequence is not
         (select coalesce(max(sequence), 0) + 1 from transaction_entries where transaction_id = new.transaction_id)
       begin select raise(abort, '${JOURNAL_IN_SEQUENCE}'); end`,
  ],
  postgres: [
    ...rejectChanges('program_versions', 'refuse_changed_program_version', VERSION_IS_FINAL),
    ...rejectChanges('transaction_entries', 'refuse_changed_journal', JOURNAL_IS_FINAL),
    `create function refuse_changed_document() returns trigger language plpgsql as $$
       begin
         if tg_op = 'UPDATE' then
           if split_part(new.sealed, '.', 1) = 'v2' and split_part(new.sealed, '.', 2) <> split_part(old.sealed, '.', 2)
             and to_jsonb(new) - 'sealed' = to_jsonb(old) - 'sealed' then return new;
           end if;
         elsif tg_op = 'DELETE' then
           if old.created_at < ${postgresDaysAgo(DOCUMENT_DAYS)} then return old;
           end if;
         end if;
         raise exception '${DOCUMENT_IS_FINAL}';
       end $$`,
    `create trigger agreement_documents_are_final before update or delete on agreement_documents
       for each row execute function refuse_changed_document()`,
    `create trigger agreement_documents_stay before truncate on agreement_documents
       for each statement execute function refuse_changed_document()`,
    `create function refuse_changed_notice() returns trigger language plpgsql as $$
       begin
         if tg_op = 'UPDATE' then
           if ${FINAL_NOTICE_COLUMNS.map((column) => `new.${column} is not distinct from old.${column}`).join(' and ')}
             and (new.sealed = old.sealed
               or (split_part(new.sealed, '.', 1) = 'v2' and split_part(new.sealed, '.', 2) <> split_part(old.sealed, '.', 2)))
           then return new;
           end if;
         elsif not ${IS_LIVE}
           or old.created_at < ${postgresDaysAgo(NOTICE_DAYS)}
         then return old;
         end if;
         raise exception '${NOTICE_IS_FINAL}';
       end $$`,
    `create trigger outbox_notices_are_final before update or delete on outbox
       for each row when (old.notice is not null) execute function refuse_changed_notice()`,
    `create function refuse_truncated_notices() returns trigger language plpgsql as $$
       begin
         if ${IS_LIVE} and exists (select 1 from outbox where notice is not null) then raise exception '${NOTICE_IS_FINAL}';
         end if;
         return null;
       end $$`,
    `create trigger outbox_notices_stay before truncate on outbox
       for each statement execute function refuse_truncated_notices()`,
    `create function refuse_changed_settlement_line() returns trigger language plpgsql as $$
       begin
         if tg_op = 'UPDATE' then
           if old.settlement_id is null and new.settlement_id is not null
             and to_jsonb(new) - 'settlement_id' = to_jsonb(old) - 'settlement_id' then return new;
           end if;
         end if;
         raise exception '${LINE_IS_FINAL}';
       end $$`,
    `create trigger settlement_lines_are_final before update or delete on settlement_lines
       for each row execute function refuse_changed_settlement_line()`,
    `create trigger settlement_lines_stay before truncate on settlement_lines
       for each statement execute function refuse_changed_settlement_line()`,
    `create function refuse_changed_security_event() returns trigger language plpgsql as $$
       begin
         if tg_op = 'UPDATE' then
           if new.count > old.count and to_jsonb(new) - 'count' = to_jsonb(old) - 'count' then return new;
           end if;
         elsif tg_op = 'DELETE' then
           if old.occurred_at < ${postgresDaysAgo(SECURITY_EVENT_DAYS)} then return old;
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
           (select coalesce(max(sequence), 0) + 1 from transaction_entries where transaction_id = new.transaction_id)
         then raise exception '${JOURNAL_IN_SEQUENCE}';
         end if;
         return new;
       end $$`,
    `create trigger transaction_entries_in_sequence before insert on transaction_entries
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

function isAnyChanged(columns: readonly string[]): string {
  return columns.map((column) => `new.${column} is not old.${column}`).join(' or ');
}

/** `v2.KEYID.`, as an expression of SQLite. */
function sqliteKeyOf(column: string): string {
  return `substr(${column}, 1, 3 + instr(substr(${column}, 4), '.'))`;
}

/** An instant, as an expression of SQLite. */
function sqliteDaysAgo(days: number): string {
  return `strftime('%Y-%m-%dT%H:%M:%S', 'now', '-${days} days')`;
}

/** An instant, as an expression of PostgreSQL. */
function postgresDaysAgo(days: number): string {
  return `to_char(now() at time zone 'utc' - interval '${days} days', 'YYYY-MM-DD"T"HH24:MI:SS')`;
}
