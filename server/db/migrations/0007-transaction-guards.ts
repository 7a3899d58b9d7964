import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

/**
 * Transactions know what their lines are worth together. Their journal takes no row but the next one, and is not emptied. The
 * sweep finds its way through rows of the same moment.
 */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const amount = engine === 'sqlite' ? 'integer' : 'bigint';
  await database.schema
    .alterTable('transactions')
    .addColumn('lines_worth_cents', amount, (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`lines_worth_cents >= 0`),
    )
    .execute();
  await sql`
    update transactions set lines_worth_cents = total_cents - shipping_cents where total_cents > shipping_cents`.execute(
    database,
  );

  await database.schema.dropIndex('transactions_by_status_since').execute();
  await database.schema
    .createIndex('transactions_by_status_since')
    .on('transactions')
    .columns(['status', 'status_since', 'id'] as never)
    .execute();

  for (const statement of engine === 'sqlite' ? sqliteTriggers : postgresTriggers) await sql.raw(statement).execute(database);
}

/** "insert or replace" removes what is in its way without asking the trigger on delete; the row in its way is not the next. */
const sqliteTriggers = [
  `create trigger transaction_events_in_sequence before insert on transaction_events
     when new.sequence is not
       (select coalesce(max(sequence), 0) + 1 from transaction_events where transaction_id = new.transaction_id)
     begin select raise(abort, 'The journal of a transaction takes its next row only'); end`,
];

const postgresTriggers = [
  `create function require_next_journal_row() returns trigger language plpgsql as $$
     begin
       if new.sequence is distinct from
         (select coalesce(max(sequence), 0) + 1 from transaction_events where transaction_id = new.transaction_id)
       then raise exception 'The journal of a transaction takes its next row only';
       end if;
       return new;
     end $$`,
  `create trigger transaction_events_in_sequence before insert on transaction_events
     for each row execute function require_next_journal_row()`,
  `create trigger transaction_events_stay before truncate on transaction_events
     for each statement execute function refuse_changed_journal()`,
];
