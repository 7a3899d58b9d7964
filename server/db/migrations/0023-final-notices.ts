import { type Kysely, sql } from 'kysely';
import type { Connection, Engine } from '../engine.ts';

/** Protects the notices that were sent in the lender's name: their content never changes, and a live service deletes none of them early. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  for (const trigger of triggers[engine]) await sql.raw(trigger).execute(database);
}

const NOTICE_IS_FINAL = 'A notice to a buyer cannot be changed';

/** Twenty-five months are at most 762 days: Regulation B, 12 CFR 1002.12(b)(1). */
const RETAINED_DAYS = 762;

/** All columns but the sealed content and those of the delivery. */
const FINAL_COLUMNS = [
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

/** A sandbox deletes its data earlier. */
const IS_LIVE = "exists (select 1 from environment where mode = 'live')";

/** `v2.KEYID.`, as an expression of SQLite. */
const prefixOf = (column: string) => `substr(${column}, 1, 3 + instr(substr(${column}, 4), '.'))`;

/** A notice may be delivered, and sealed again with another key. */
const triggers: Record<Engine, string[]> = {
  sqlite: [
    `create trigger outbox_notices_without_delete before delete on outbox
       when old.notice is not null and ${IS_LIVE}
         and old.created_at > strftime('%Y-%m-%dT%H:%M:%S', 'now', '-${RETAINED_DAYS} days')
       begin select raise(abort, '${NOTICE_IS_FINAL}'); end`,
    `create trigger outbox_notices_only_delivered before update on outbox
       when old.notice is not null and (
         (new.sealed is not old.sealed and (new.sealed not like 'v2.%' or ${prefixOf('new.sealed')} is ${prefixOf('old.sealed')}))
         or ${FINAL_COLUMNS.map((column) => `new.${column} is not old.${column}`).join(' or ')})
       begin select raise(abort, '${NOTICE_IS_FINAL}'); end`,
    // "insert or replace" removes the row with the same id without firing the trigger on delete.
    `create trigger outbox_notices_without_replace before insert on outbox
       when exists (select 1 from outbox where id = new.id and notice is not null)
       begin select raise(abort, '${NOTICE_IS_FINAL}'); end`,
  ],
  postgres: [
    `create function refuse_changed_notice() returns trigger language plpgsql as $$
       begin
         if tg_op = 'UPDATE' then
           if ${FINAL_COLUMNS.map((column) => `new.${column} is not distinct from old.${column}`).join(' and ')}
             and (new.sealed = old.sealed
               or (split_part(new.sealed, '.', 1) = 'v2' and split_part(new.sealed, '.', 2) <> split_part(old.sealed, '.', 2)))
           then return new;
           end if;
         elsif not ${IS_LIVE}
           or old.created_at < to_char(now() at time zone 'utc' - interval '${RETAINED_DAYS} days', 'YYYY-MM-DD"T"HH24:MI:SS')
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
  ],
};
