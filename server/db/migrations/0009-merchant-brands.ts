import { type Kysely, sql } from 'kysely';
import type { Connection } from '../engine.ts';

/** Adds the logo, accent color and support contacts that a merchant's checkout pages and e-mails show. Earlier merchants have none. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  for (const column of ['logo', 'accent', 'support_email', 'support_phone', 'support_url']) {
    await sql.raw(`alter table merchants add column ${column} text`).execute(database);
  }
  const table = `create table merchant_logos (
    merchant_id text primary key not null references merchants (id),
    name text not null,
    base64 text not null
  )`;
  await sql.raw(engine === 'sqlite' ? `${table} strict` : table).execute(database);
  await sql`create index merchant_logos_by_name on merchant_logos (name)`.execute(database);
}
