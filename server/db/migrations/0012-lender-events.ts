import { type Kysely, sql } from 'kysely';

/** Adds the order of events for the lender, which are retained like the journal. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table outbox add column sequence integer',
  "create unique index outbox_of_lender on outbox (application_id, sequence) where channel = 'lender'",
  'drop index outbox_finished',
  "create index outbox_finished on outbox (created_at, id) where due_at is null and channel not in ('card', 'lender')",
];
