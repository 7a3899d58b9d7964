import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

/**
 * A checkout continues under a secret of one browser, and can be started again with another application: a cart has at most one
 * current application instead of one in all. The secret link to the reasons of a denial is no longer needed.
 */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  if (engine === 'sqlite') await rebuildWithoutUniqueCart(database);
  else await sql`alter table applications drop constraint applications_cart_id_key`.execute(database);
  await database.schema.alterTable('applications').dropColumn('notice_code').execute();

  await database.schema
    .alterTable('applications')
    .addColumn('session_hash', 'text', (column) =>
      column
        .notNull()
        .defaultTo('')
        .check(sql`length(session_hash) in (0, 64)`),
    )
    .execute();
  await database.schema.alterTable('applications').addColumn('superseded_at', 'text').execute();
  await sql`create unique index applications_current on applications (cart_id) where superseded_at is null`.execute(database);
  await sql`create index applications_superseded on applications (cart_id, session_hash) where superseded_at is not null`.execute(
    database,
  );
}

/**
 * SQLite cannot drop the constraint of a column: the table is written anew. While it is away, references to its rows are checked
 * at the end of the database transaction, when all rows are back.
 */
async function rebuildWithoutUniqueCart(database: Kysely<unknown>): Promise<void> {
  const { rows: objects } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_master where tbl_name = 'applications' and sql is not null order by rowid`.execute(database);
  const table = objects.find(({ type }) => type === 'table')!.sql;
  const withoutUnique = table.replace('"cart_id" text not null unique', '"cart_id" text not null');
  if (withoutUnique === table) throw new Error(`applications: expected a unique cart_id, but received ${table}`);

  await sql`pragma defer_foreign_keys = on`.execute(database);
  await sql`create table applications_kept as select * from applications`.execute(database);
  await sql`drop table applications`.execute(database);
  await sql.raw(withoutUnique).execute(database);
  await sql`insert into applications select * from applications_kept`.execute(database);
  await sql`drop table applications_kept`.execute(database);
  for (const { type, sql: statement } of objects) if (type !== 'table') await sql.raw(statement).execute(database);
}
