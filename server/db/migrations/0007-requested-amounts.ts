import { type Kysely, sql } from 'kysely';
import type { Connection } from '../engine.ts';

/** Adds the value of the line items of a cancel or refund to the journal. It is unknown for earlier ones. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  const type = sql.raw(engine === 'sqlite' ? 'integer' : 'bigint');
  await sql`alter table transaction_events add column requested_cents ${type}`.execute(database);
}
