import { type Kysely, sql } from 'kysely';

/**
 * Counts attempts by recipient, too: the table of attempts about persons becomes one of all limited attempts. Messages name their cart
 * and the application that they are about.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

/** The applications that an earlier e-mail may be about. */
const candidates = `from applications where applications.email_hash <> '' and applications.email_hash = outbox.recipient_hash
  and applications.merchant_id = outbox.merchant_id`;

const statements = [
  'alter table application_attempts rename to limited_attempts',
  'alter table limited_attempts rename column identity_hash to subject_hash',
  'drop index application_attempts_by_time',
  'create index limited_attempts_by_time on limited_attempts (last_attempt_at)',

  'alter table outbox add column cart_id text',
  'alter table outbox add column application_id text',
  'create index outbox_by_application on outbox (application_id) where application_id is not null',
  // Most buyers have one application at a merchant. Other messages cannot be attributed without their contents, and are deleted after
  // their retention period.
  `update outbox set application_id = (select min(id) ${candidates}), cart_id = (select min(cart_id) ${candidates})
     where channel = 'email' and recipient_hash <> '' and (select count(*) ${candidates}) = 1`,
];
