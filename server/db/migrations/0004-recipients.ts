import { type Kysely, sql } from 'kysely';

/** Counts attempts by recipient, too: the table of attempts about persons becomes one of all limited attempts. */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table application_attempts rename to limited_attempts',
  'alter table limited_attempts rename column identity_hash to subject_hash',
  'drop index application_attempts_by_time',
  'create index limited_attempts_by_time on limited_attempts (last_attempt_at)',
];
