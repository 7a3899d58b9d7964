import { type Kysely, sql } from 'kysely';

/** Lets events wait until a new webhook has accepted a test. Those from before it receive events as before. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`alter table webhooks add column confirmed_at text`.execute(database);
  await sql`update webhooks set confirmed_at = created_at`.execute(database);
}
