import { type Kysely, sql } from 'kysely';
import type { Connection, Engine } from '../engine.ts';

/** Adds the texts that signed documents share. Earlier documents contain all of theirs. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  const table = `create table document_texts (
    hash text primary key not null check (length(hash) = 64),
    texts_json text not null,
    created_at text not null
  )`;
  await sql.raw(engine === 'sqlite' ? `${table} strict` : table).execute(database);
  for (const trigger of triggers[engine]) await sql.raw(trigger).execute(database);
}

const TEXTS_ARE_FINAL = 'Texts of signed documents cannot be changed';

const triggers: Record<Engine, string[]> = {
  sqlite: ['update', 'delete'].map(
    (change) => `create trigger document_texts_without_${change} before ${change} on document_texts
      begin select raise(abort, '${TEXTS_ARE_FINAL}'); end`,
  ),
  postgres: [
    `create function refuse_changed_texts() returns trigger language plpgsql as $$
       begin
         raise exception '${TEXTS_ARE_FINAL}';
       end $$`,
    `create trigger document_texts_are_final before update or delete or truncate on document_texts
       for each statement execute function refuse_changed_texts()`,
  ],
};
