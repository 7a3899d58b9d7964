import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

/** A database knows whether it is a sandbox's or a live one: one row, written once. */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const table = database.schema
    .createTable('environment')
    .addColumn('id', 'integer', (column) =>
      column
        .primaryKey()
        .notNull()
        .check(sql`id = 1`),
    )
    .addColumn('mode', 'text', (column) => column.notNull().check(sql`mode in ('sandbox', 'live')`));
  await (engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute();
  // Whatever had merchants before could only be a sandbox.
  await sql`insert into environment (id, mode) select 1, 'sandbox' where exists (select 1 from merchants)`.execute(database);
}
