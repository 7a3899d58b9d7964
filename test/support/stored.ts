/** Reads rows with their sealed values, to check what a store has written. */
import { type Application, applicationsOfCart } from '../../server/lending/applications/store.ts';
import { type Cart, getCartById } from '../../server/purchases/carts/store.ts';
import type { Database } from '../../server/db/database.ts';
import { omit, seal, unseal } from '../../server/db/sealed.ts';
import type { Schema } from '../../server/db/schema.ts';
import { openDelivery, type OutboxEntry } from '../../server/messages/store.ts';
import { getTransaction, type Transaction } from '../../server/purchases/transactions/store.ts';

/** Returns the applications of a cart, the oldest first. */
export function storedApplications({ query }: Database, cartId: string): Promise<Application[]> {
  return applicationsOfCart(query, cartId);
}

/** Returns the only application of a cart. */
export async function storedApplication(database: Database, cartId: string): Promise<Application> {
  const [row, ...others] = await storedApplications(database, cartId);
  if (!row || others.length > 0) throw new Error(`Expected one application of ${cartId}, but found ${row ? 'more' : 'none'}`);
  return row;
}

/** Returns an application without the columns that the job changes when it asks the lender again. */
export const withoutRetries = <Row extends Pick<Application, (typeof RETRIES)[number]>>(row: Row) => omit(row, RETRIES);

const RETRIES = ['requestLeasedUntil', 'requestDueAt', 'requestAttempts', 'revision'] as const;

export async function storedTransactions(database: Database, cartId: string): Promise<Transaction[]> {
  const rows = await database.query.selectFrom('transactions').select('id').where('cartId', '=', cartId).execute();
  return Promise.all(rows.map(({ id }) => storedTransaction(database, id)));
}

export async function storedTransaction(database: Database, id: string): Promise<Transaction> {
  const row = database.query.selectFrom('transactions').select('merchantId').where('id', '=', id);
  return getTransaction(database.query, (await row.executeTakeFirstOrThrow()).merchantId, id);
}

/** Returns all deliveries with all their columns, the oldest first. */
export async function storedDeliveries({ query }: Database): Promise<OutboxEntry[]> {
  const rows = await query.selectFrom('outbox').selectAll().orderBy('id').execute();
  return rows.map((row) => ({ ...omit(row, ['sealed']), ...openDelivery(query, row) }));
}

export async function storedDelivery(database: Database, id: string): Promise<OutboxEntry> {
  const row = await database.query.selectFrom('outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
  return openDelivery(database.query, row);
}

export function storedCart({ query }: Database, id: string): Promise<Cart> {
  return getCartById(query, id);
}

/** Changes sealed values of a row with the column `id`. Only a holder of the data keys can do this. */
export async function changeSealed(
  database: Database,
  table: 'applications' | 'carts' | 'agreement_documents',
  id: string,
  changes: object,
): Promise<void> {
  const row = await database.query
    .selectFrom(table as 'carts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const value = { ...unseal(database.query, table as 'carts', row), ...changes };
  await database.write((tx) =>
    tx
      .updateTable(table as 'carts' satisfies keyof Schema)
      .set({ sealed: seal(tx, table as 'carts', row, value) })
      .where('id', '=', id)
      .execute(),
  );
}
