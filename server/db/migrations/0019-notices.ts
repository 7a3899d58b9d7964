import { type Kysely, sql } from 'kysely';

/**
 * Adds notices, whose e-mails are retained like their application, and the time at which a lender first received an application, by which
 * its data is retained. Of applications from before this migration, it is the time of their last change.
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
  'alter table outbox add column notice text',
  'create index outbox_notices on outbox (created_at, id) where notice is not null',
  'drop index outbox_finished',
  `create index outbox_finished on outbox (created_at, id)
     where due_at is null and channel not in ('card', 'lender') and notice is null`,
];
