import { type Kysely, sql } from 'kysely';
import type { Connection, Engine } from '../engine.ts';

/**
 * Adds the authentication codes of key rows, and allows the second version of sealed values for signed documents. `upgradeRows` computes
 * both after the migrations, in batches, because a migration is one database transaction.
 */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  const columns = ['merchant_keys', 'signing_keys'].map(
    (table) => `alter table ${table} add column mac text not null default ''`,
  );
  for (const statement of [...columns, ...documentTriggers[engine]]) await sql.raw(statement).execute(database);
}

const DOCUMENT_IS_FINAL = 'A signed document cannot be changed';

/** All columns but the sealed content. */
const FINAL_COLUMNS = ['id', 'application_id', 'merchant_id', 'code_hash', 'language', 'created_at'];

/** `v2.KEYID.`, as an expression of SQLite. */
const prefixOf = (column: string) => `substr(${column}, 1, 3 + instr(substr(${column}, 4), '.'))`;

/** A document may only be sealed again in the second version, with another key or from the first version. */
const documentTriggers: Record<Engine, string[]> = {
  sqlite: [
    'drop trigger agreement_documents_only_rotated',
    `create trigger agreement_documents_only_rotated before update on agreement_documents
       when new.sealed not like 'v2.%' or ${prefixOf('new.sealed')} is ${prefixOf('old.sealed')}
         or ${FINAL_COLUMNS.map((column) => `new.${column} is not old.${column}`).join(' or ')}
       begin select raise(abort, '${DOCUMENT_IS_FINAL}'); end`,
  ],
  postgres: [
    `create or replace function refuse_changed_document() returns trigger language plpgsql as $$
       begin
         if tg_op = 'UPDATE' then
           if split_part(new.sealed, '.', 1) = 'v2'
             and (split_part(old.sealed, '.', 1) <> 'v2' or split_part(new.sealed, '.', 2) <> split_part(old.sealed, '.', 2))
             and to_jsonb(new) - 'sealed' = to_jsonb(old) - 'sealed' then return new;
           end if;
         elsif tg_op = 'DELETE' then
           if old.created_at < to_char(now() at time zone 'utc' - interval '730 days', 'YYYY-MM-DD"T"HH24:MI:SS') then return old;
           end if;
         end if;
         raise exception '${DOCUMENT_IS_FINAL}';
       end $$`,
  ],
};
