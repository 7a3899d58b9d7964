import { type Kysely, sql } from 'kysely';
import type { Engine } from '../migrate.ts';

/**
 * Transactions know what of them a card pays, and which card. What a gateway is to do is promised in the outbox, where it is
 * found by its transaction.
 */
export async function up(database: Kysely<unknown>, engine: Engine): Promise<void> {
  const amount = engine === 'sqlite' ? 'integer' : 'bigint';
  const table = () => database.schema.alterTable('transactions');

  await table()
    .addColumn('card_cents', amount, (column) =>
      column
        .notNull()
        .defaultTo(0)
        .check(sql`card_cents >= 0 and card_cents <= total_cents`),
    )
    .execute();
  await table()
    .addColumn('card_reference', 'text', (column) =>
      column
        .notNull()
        .defaultTo('')
        .check(sql`(card_cents = 0) = (card_reference = '')`),
    )
    .execute();
  await table()
    .addColumn('card_label', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
  // Only the sandbox had such cards, and what is over needs none any more.
  await sql`
    update transactions set card_cents = total_cents, card_reference = 'tok_declined', card_label = 'Visa 0002'
    where card_declines = 1 and status = 'PENDING' and total_cents > 0`.execute(database);
  await table().dropColumn('card_declines').execute();

  await sql`create index outbox_by_card on outbox (url) where channel = 'card'`.execute(database);
}
