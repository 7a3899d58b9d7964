import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

/**
 * What a buyer signed is kept as the page it was, and as nothing else afterwards. A denied application knows the secret under
 * which its buyer alone reads why.
 */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const table = database.schema
    .createTable('agreement_documents')
    .addColumn('id', 'text', (column) => column.primaryKey().notNull())
    .addColumn('application_id', 'text', (column) => column.notNull().unique().references('applications.id'))
    .addColumn('merchant_id', 'text', (column) => column.notNull().references('merchants.id'))
    .addColumn('code', 'text', (column) =>
      column
        .notNull()
        .unique()
        .check(sql`length(code) = 22`),
    )
    .addColumn('language', 'text', (column) => column.notNull())
    .addColumn('html', 'text', (column) => column.notNull())
    .addColumn('sha256', 'text', (column) => column.notNull().check(sql`length(sha256) = 64`))
    .addColumn('created_at', 'text', (column) => column.notNull());
  await (engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute();

  await database.schema
    .alterTable('applications')
    .addColumn('notice_code', 'text', (column) => column.notNull().defaultTo(''))
    .execute();

  for (const statement of engine === 'sqlite' ? sqliteTriggers : postgresTriggers) await sql.raw(statement).execute(database);
}

const REFUSAL = 'What was signed is never changed';

/** "insert or replace" removes what is in its way without asking the trigger on delete. */
const sqliteTriggers = [
  ...['update', 'delete'].map(
    (change) =>
      `create trigger agreement_documents_without_${change} before ${change} on agreement_documents
         begin select raise(abort, '${REFUSAL}'); end`,
  ),
  `create trigger agreement_documents_without_replace before insert on agreement_documents
     when exists (
       select 1 from agreement_documents where id = new.id or application_id = new.application_id or code = new.code)
     begin select raise(abort, '${REFUSAL}'); end`,
];

const postgresTriggers = [
  `create function refuse_changed_document() returns trigger language plpgsql as
     $$ begin raise exception '${REFUSAL}'; end $$`,
  `create trigger agreement_documents_are_final before update or delete on agreement_documents
     for each row execute function refuse_changed_document()`,
  `create trigger agreement_documents_stay before truncate on agreement_documents
     for each statement execute function refuse_changed_document()`,
];
