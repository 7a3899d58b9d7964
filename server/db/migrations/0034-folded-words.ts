import { type Kysely, sql } from 'kysely';

/** Finds purchases whose words were stored by earlier rules, also those that a process of an earlier release still adds. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of [
    'drop index transactions_without_words',
    `create index transactions_without_words on transactions (id)
       where (words_version is null or words_version < 2) and contacts_deleted_at is null`,
  ]) {
    await sql.raw(statement).execute(database);
  }
}
