import { type Kysely, sql } from 'kysely';
import type { Connection } from '../engine.ts';

/** Adds the events of merchants, their webhooks, and the day after which the expiry of a cart is an event. */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  for (const table of tables) await sql.raw(engine === 'sqlite' ? `${table} strict` : table).execute(database);
  for (const statement of statements) await sql.raw(statement).execute(database);
  // Only carts that are still open: their expiry is news. Two days, because a cart expires when its last day has ended everywhere.
  const openSince = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  await sql`update carts set expiry_due_on = expires_on where status = 'OPEN' and expires_on >= ${openSince}`.execute(database);
}

const tables = [
  `create table events (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    type text not null,
    transaction_id text,
    data_json text not null,
    created_at text not null,
    enqueued_at text
  )`,
  `create table webhooks (
    id text primary key not null,
    merchant_id text not null references merchants (id),
    types_json text not null,
    created_at text not null,
    failing_since text,
    disabled_at text,
    sealed text not null
  )`,
];

const statements = [
  'create index events_of_merchant on events (merchant_id, created_at, id)',
  'create index events_by_type on events (merchant_id, type, created_at, id)',
  'create index events_of_transaction on events (transaction_id, created_at, id) where transaction_id is not null',
  'create index events_by_age on events (created_at)',
  'create index events_to_enqueue on events (created_at, id) where enqueued_at is null',
  'create index webhooks_of_merchant on webhooks (merchant_id, created_at, id)',
  "create index outbox_of_webhook on outbox (endpoint, id) where channel = 'webhook'",
  'alter table carts add column expiry_due_on text',
  'create index carts_expiry_due on carts (expiry_due_on, id) where expiry_due_on is not null',
];
