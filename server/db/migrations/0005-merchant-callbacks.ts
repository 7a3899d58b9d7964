import { type Kysely, sql } from 'kysely';
import type { Connection } from '../engine.ts';

/** Registers the callback URLs that pages of a merchant may name. In live mode, carts of pages with other callback URLs are rejected. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  const table = `create table merchant_callbacks (
    merchant_id text not null references merchants (id),
    url text not null,
    constraint merchant_callbacks_pk primary key (merchant_id, url)
  )`;
  await sql.raw(engine === 'sqlite' ? `${table} strict` : table).execute(database);
}
