import type { Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import { prepared, preparedInsert } from '../db/prepared.ts';
import type { CartTable } from '../db/schema.ts';
import { ServiceError } from '../errors.ts';
import { isId } from '../ids.ts';

export type CartRow = Selectable<CartTable>;

export const addCart = preparedInsert('carts');

/** The merchant's cart. @throws ServiceError `cart-not-found` - also when it is another merchant's. */
export async function getCart(query: Query, merchantId: string, id: string): Promise<CartRow> {
  const [row] = isId(id) ? await cartById(query, merchantId, id) : [];
  if (!row) throw new ServiceError('cart-not-found', 'Cart ID was invalid');
  return row;
}

const cartById = prepared((query, merchantId: string, id: string) =>
  query.selectFrom('carts').selectAll().where('id', '=', id).where('merchant_id', '=', merchantId),
);

/** The cart that something else refers to. */
export function getCartOf(query: Query, id: string): Promise<CartRow> {
  return query.selectFrom('carts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The cart behind a checkout link. */
export async function findCartByCode(query: Query, code: string): Promise<CartRow | undefined> {
  if (!/^[\w-]{22}$/.test(code)) return undefined;
  return query.selectFrom('carts').selectAll().where('code', '=', code).executeTakeFirst();
}

/**
 * Closes a cart with the transaction it led to. False when it has led to one before. One that the merchant ended after the buyer
 * signed is completed all the same.
 */
export async function completeCart(tx: Tx, id: string, transactionId: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('carts')
    .set({ status: 'COMPLETED', transaction_id: transactionId })
    .where('id', '=', id)
    .where('status', '!=', 'COMPLETED')
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Expires an open cart. One that is complete, or was expired before, is left alone. */
export async function closeCart(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('carts').set({ status: 'EXPIRED' }).where('id', '=', id).where('status', '=', 'OPEN').execute();
}
