import { type Kysely, sql } from 'kysely';

/** Finds applications by their short references, which are the ends of their ids. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await sql.raw('create index applications_of_reference on applications (substr(id, 27))').execute(database);
}
