import { type Kysely, sql } from 'kysely';

/**
 * Indexes for queries that would read whole tables: the applications of a cart, due deliveries, and the purchases whose personal data is
 * due for deletion.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'create index applications_of_cart on applications (cart_id, id)',
  // A cart has at most a few applications, which the index above finds.
  'drop index applications_superseded',

  'alter table transactions add column contacts_deleted_at text',
  `update transactions set contacts_deleted_at =
     (select details_deleted_at from applications where applications.id = transactions.application_id)`,
  // Finished deliveries are not in the index. With them, SQLite would not use it to find the few that are due.
  'drop index outbox_by_due_at',
  'create index outbox_due on outbox (due_at, id) where due_at is not null',

  'create index transactions_with_contacts on transactions (status_since, id) where contacts_deleted_at is null',
];
