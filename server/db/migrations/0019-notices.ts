import { type Kysely, sql } from 'kysely';

/**
 * Adds the time at which a lender first received an application, by which its data is retained. Of an application from before this migration
 * that a lender needed an action for, it is the time of its last change.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

/** Incomplete ones, and those that expired as such. An earlier release has deleted the details of those that were canceled. */
const INCOMPLETE_CODES = "'100200', '400100', '400200', '400300', '800300'";

const statements = [
  'alter table applications add column submitted_at text',
  `update applications set submitted_at = updated_at where request_id is not null or status_code in (${INCOMPLETE_CODES})`,
  'drop index applications_decided',
  `create index applications_decided on applications (updated_at, id)
     where submitted_at is not null and details_deleted_at is null and status <> 'CHECKOUT_COMPLETED'`,
  'drop index applications_unfinished',
  'create index applications_unfinished on applications (updated_at, id) where submitted_at is null and details_deleted_at is null',
];
