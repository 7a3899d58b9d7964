import { type Kysely, sql } from 'kysely';

/** Finds the exceptions that a person has to resolve, and those of a merchant, without reading all that were closed. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql`create index exceptions_to_resolve on exceptions (raised_at, id) where closed_at is null`.execute(database);
  await sql`create index exceptions_of_merchant on exceptions (merchant_id, raised_at, id)`.execute(database);
}
