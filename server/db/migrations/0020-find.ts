import { type Kysely, sql } from 'kysely';

/**
 * Finds the transactions and carts of a merchant, the newest first, and adds the merchant's reference of a cancel or refund to the
 * journal. `order-refs.ts` copies the references of earlier carts, which are sealed, into their column.
 */
export async function up(database: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(database);
}

const statements = [
  'alter table transaction_events add column reference text',
  "alter table transactions add column email_hash text not null default ''",
  `update transactions set email_hash = coalesce(
     (select email_hash from applications where applications.id = transactions.application_id), '')
   where contacts_deleted_at is null`,
  // Null until it was copied.
  'alter table carts add column order_ref text',
  'create index carts_without_order_ref on carts (id) where order_ref is null',
  ...['transactions', 'carts'].flatMap((table) => [
    `create index ${table}_of_merchant on ${table} (merchant_id, created_at, id)`,
    `create index ${table}_of_status on ${table} (merchant_id, status, created_at, id)`,
    ...['order_ref', 'email_hash'].map((column) => indexOf(table, column)),
  ]),
  indexOf('transactions', 'merchant_order_id'),
];

/** Many rows have no value. */
function indexOf(table: string, column: string): string {
  return `create index ${table}_of_${column} on ${table} (merchant_id, ${column}, created_at, id) where ${column} <> ''`;
}
