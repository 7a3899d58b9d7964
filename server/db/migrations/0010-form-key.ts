import { randomBytes } from 'node:crypto';
import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

/**
 * What the forms of the checkout are sealed with: one row, made here, since migrations run once whatever starts at the same time.
 */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const table = database.schema
    .createTable('form_keys')
    .addColumn('id', 'integer', (column) =>
      column
        .primaryKey()
        .notNull()
        .check(sql`id = 1`),
    )
    .addColumn('key', 'text', (column) => column.notNull().check(sql`length(key) = 43`));
  await (engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute();
  await sql`insert into form_keys (id, key) values (1, ${randomBytes(32).toString('base64url')})`.execute(database);
}
