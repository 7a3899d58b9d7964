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

/** The same, locked until the database transaction ends. @throws ServiceError `cart-not-found` */
export async function lockCart(tx: Tx, merchantId: string, id: string): Promise<CartRow> {
  const [row] = isId(id) ? await cartByIdForUpdate(tx, merchantId, id) : [];
  if (!row) throw new ServiceError('cart-not-found', 'Cart ID was invalid');
  return row;
}

const cartByIdForUpdate = prepared((query, merchantId: string, id: string) =>
  query.selectFrom('carts').selectAll().where('id', '=', id).where('merchant_id', '=', merchantId).forUpdate(),
);

/** The cart that something else refers to, locked likewise. It is the lock of its whole checkout (decisions/0033). */
export async function lockCartOf(tx: Tx, id: string): Promise<CartRow> {
  const [row] = await cartByIdAloneForUpdate(tx, id);
  if (!row) throw new Error(`There is no cart ${id}`);
  return row;
}

const cartByIdAloneForUpdate = prepared((query, id: string) =>
  query.selectFrom('carts').selectAll().where('id', '=', id).forUpdate(),
);

/** The cart that something else refers to. */
export function getCartOf(query: Query, id: string): Promise<CartRow> {
  return query.selectFrom('carts').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** The cart behind a checkout link. */
export async function findCartByCode(query: Query, code: string): Promise<CartRow | undefined> {
  const [row] = isCode(code) ? await cartByCode(query, code) : [];
  return row;
}

const cartByCode = prepared((query, code: string) => query.selectFrom('carts').selectAll().where('code', '=', code));

/** The same, locked until the database transaction ends. */
export async function lockCartByCode(tx: Tx, code: string): Promise<CartRow | undefined> {
  const [row] = isCode(code) ? await cartByCodeForUpdate(tx, code) : [];
  return row;
}

const cartByCodeForUpdate = prepared((query, code: string) =>
  query.selectFrom('carts').selectAll().where('code', '=', code).forUpdate(),
);

function isCode(text: string): boolean {
  return /^[\w-]{22}$/.test(text);
}

/**
 * Closes a cart with the transaction it led to, also one that the merchant expired after the buyer signed.
 *
 * @throws ServiceError `changed-meanwhile` - it has led to a transaction before. Callers have locked the cart, and know.
 */
export async function completeCart(tx: Tx, id: string, transactionId: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('carts')
    .set({ status: 'COMPLETED', transaction_id: transactionId })
    .where('id', '=', id)
    .where('status', '!=', 'COMPLETED')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new ServiceError('changed-meanwhile', 'The checkout was closed by another request.');
}

/** Expires an open cart. One that is complete, or was expired before, is left alone. */
export async function closeCart(tx: Tx, id: string): Promise<void> {
  await tx.updateTable('carts').set({ status: 'EXPIRED' }).where('id', '=', id).where('status', '=', 'OPEN').execute();
}
