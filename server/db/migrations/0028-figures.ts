import { type Kysely, sql } from 'kysely';

/**
 * Lets the console count and sum rows of a merchant from indexes alone, and records who created a cart on its pages, and when its link was
 * first opened.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'drop index transactions_of_merchant',
  'create index transactions_of_merchant on transactions (merchant_id, created_at, id, total_cents)',
  `create index outbox_failing on outbox (merchant_id, created_at)
   where delivered_at is null and last_failure <> '' and channel in ('callback', 'webhook')`,
  'alter table carts add column user_id text references users (id)',
  'alter table carts add column opened_at text',
  'create index carts_of_users on carts (merchant_id, created_at, id) where user_id is not null',
];
