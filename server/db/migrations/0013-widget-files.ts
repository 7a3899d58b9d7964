import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

/** Every file of every release of the widget, for the pages that pinned one. */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const table = database.schema
    .createTable('widget_files')
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('content', 'text', (column) => column.notNull())
    .addColumn('integrity', 'text', (column) => column.notNull().check(sql`length(integrity) = 71`))
    .addColumn('bytes', 'integer', (column) => column.notNull())
    .addColumn('released_at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('widget_files_by_name', ['version', 'name']);
  await (engine === 'sqlite' ? table.modifyEnd(sql`strict`) : table).execute();
}
