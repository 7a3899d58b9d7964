import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

/**
 * Transactions know how much was canceled and refunded, of which articles, and since when they are in their status. Their
 * journal says which pieces moved, and is only ever added to.
 */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const amount = engine === 'sqlite' ? 'integer' : 'bigint';
  const table = () => database.schema.alterTable('transactions');

  await table()
    .addColumn('canceled_cents', amount, (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`canceled_cents >= 0`),
    )
    .execute();
  // SQLite takes a rule for a table that is there only together with a column; it may speak of the others, too.
  const sumsUp = sql`refunded_cents >= 0 and adjusted_total_cents = total_cents - canceled_cents - refunded_cents`;
  await table()
    .addColumn('refunded_cents', amount, (column) => column.notNull().defaultTo(0).check(sumsUp))
    .execute();
  await table()
    .addColumn('gone_lines_json', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
  await table()
    .addColumn('card_declines', 'integer', (column) => column.notNull().defaultTo(0))
    .execute();

  await table()
    .addColumn('status_since', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  // So far every row of the journal came with a change of status.
  await sql`
    update transactions set status_since =
      coalesce((select max(at) from transaction_events where transaction_id = transactions.id), created_at)`.execute(database);
  await database.schema
    .createIndex('transactions_by_status_since')
    .on('transactions')
    .columns(['status', 'status_since'] as never)
    .execute();

  await database.schema
    .alterTable('transaction_events')
    .addColumn('lines_json', 'text', (column) => column.notNull().defaultTo('[]'))
    .execute();
  await makeFinal(database, engine);
}

/** Lets no row of the journal be changed or removed, except by an owner of the table who drops the triggers first. */
async function makeFinal(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const statements =
    engine === 'sqlite'
      ? ['update', 'delete'].map(
          (change) =>
            `create trigger transaction_events_without_${change} before ${change} on transaction_events
               begin select raise(abort, 'The journal of a transaction is never changed'); end`,
        )
      : [
          `create function refuse_changed_journal() returns trigger language plpgsql as
             $$ begin raise exception 'The journal of a transaction is never changed'; end $$`,
          `create trigger transaction_events_are_final before update or delete on transaction_events
             for each row execute function refuse_changed_journal()`,
        ];
  for (const statement of statements) await sql.raw(statement).execute(database);
}
