import type { Kysely } from 'kysely';

/** The address under which the service that uses this database is reached: commands issue tokens in its name. */
export async function up(database: Kysely<unknown>): Promise<void> {
  await database.schema.alterTable('environment').addColumn('public_url', 'text').execute();
}
