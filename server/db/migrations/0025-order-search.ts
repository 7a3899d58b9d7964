import { type Kysely, sql } from 'kysely';
import type { Connection, Engine } from '../engine.ts';

/**
 * Finds orders by words of names and phone numbers, by amount and by the end of their lifetime, and accepts users as actors in the journal.
 * `order-words.ts` adds the words of earlier purchases, which are sealed.
 */
export async function up(database: Kysely<unknown>, { engine }: Connection): Promise<void> {
  for (const statement of statementsOf(engine)) await sql.raw(statement).execute(database);
  if (engine === 'sqlite') await replaceJournal(database);
}

const ACTORS = "actor in ('console', 'buyer', 'system') or actor like 'key:%'";
const ACTORS_WITH_USERS = `${ACTORS} or actor like 'user:%'`;

const statementsOf = (engine: Engine): string[] => [
  `create table order_words (
    hash text not null,
    created_at text not null,
    transaction_id text not null,
    primary key (hash, created_at, transaction_id)
  )${engine === 'sqlite' ? ' strict, without rowid' : ''}`,
  'create index order_words_of_transaction on order_words (transaction_id)',
  'alter table transactions add column words_version integer',
  'create index transactions_without_words on transactions (id) where words_version is null and contacts_deleted_at is null',
  'create index transactions_of_total on transactions (merchant_id, total_cents, created_at, id)',
  `create index transactions_of_status_since on transactions (merchant_id, status, status_since, created_at, id)
     where status in ('PENDING', 'AUTHORIZED')`,
  ...(engine === 'sqlite'
    ? []
    : [
        'alter table transaction_events drop constraint transaction_events_actor_check',
        `alter table transaction_events add constraint transaction_events_actor_check check (${ACTORS_WITH_USERS})`,
      ]),
];

/** SQLite cannot change the check of a table. */
async function replaceJournal(database: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ type: string; sql: string }>`
    select type, sql from sqlite_schema where tbl_name = 'transaction_events' and sql is not null`.execute(database);
  const table = rows.find(({ type }) => type === 'table')!.sql;
  const replacement = table.replace('transaction_events', 'new_transaction_events').replace(ACTORS, ACTORS_WITH_USERS);
  const others = rows.filter(({ type }) => type !== 'table');
  for (const statement of [
    replacement,
    'insert into new_transaction_events select * from transaction_events',
    'drop table transaction_events',
    'alter table new_transaction_events rename to transaction_events',
    ...others.map((one) => one.sql),
  ]) {
    await sql.raw(statement).execute(database);
  }
}
