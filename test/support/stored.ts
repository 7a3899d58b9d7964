import { sql } from 'kysely';
import type { Database } from '../../server/db/database.ts';

/** Every row of every table, as text: what whoever reads the whole database would see. */
export async function everythingStored({ query, engine }: Database): Promise<string> {
  const names =
    engine === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_master where type = 'table'`
      : sql<{ name: string }>`select table_name as name from information_schema.tables where table_schema = 'public'`;
  const { rows: tables } = await names.execute(query);
  const contents = await Promise.all(
    tables.map(async ({ name }) => [name, (await sql`select * from ${sql.table(name)}`.execute(query)).rows] as const),
  );
  return JSON.stringify(Object.fromEntries(contents));
}
