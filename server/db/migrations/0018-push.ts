import { type Kysely, sql } from 'kysely';

/** Adds the search for an application by its request, of which a lender sends a decision. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql
    .raw('create index applications_by_request on applications (request_id) where request_id is not null')
    .execute(database);
}
