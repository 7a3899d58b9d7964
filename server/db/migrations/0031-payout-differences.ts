import { type Kysely, sql } from 'kysely';
import type { Connection } from '../engine.ts';

/** Stores what the latest payout file states about a settlement. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  const columns = [
    `received_cents ${engine === 'sqlite' ? 'integer' : 'bigint'}`,
    'received_on text',
    `received_difference text check (received_difference in ('amount', 'not-paid', 'several-payments', 'paid-before'))`,
  ];
  for (const column of columns) await sql.raw(`alter table settlements add column ${column}`).execute(database);
}
