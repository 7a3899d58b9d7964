import type { ExpressionBuilder, Selectable } from 'kysely';
import type { CivilDate } from '../../shared/dates.ts';
import type { CartOptions } from '../../shared/wire/cart.ts';
import { deleteApplicationsOfCart } from '../applications/store.ts';
import type { Query, Tx } from '../db/database.ts';
import { prepared, preparedInsert } from '../db/prepared.ts';
import type { CartTable, Schema } from '../db/schema.ts';
import { emailHash, lookupHash, omit, openRow, pick, seal, type SealedPlace, unseal } from '../db/sealed.ts';
import { ServiceError } from '../errors.ts';
import { hashOfCode, isCode, isId } from '../ids.ts';
import type { Instant } from '../time.ts';

/** The values of a cart that identify the buyer, or may do so, and the code of its link. They are stored sealed. */
export interface SealedCart {
  /** Random part of the checkout link. */
  code: string;
  createdBy: string;
  options: CartOptions;
}

declare module '../db/sealed.ts' {
  interface SealedValues {
    carts: SealedCart;
  }
}

const SEALED = ['code', 'createdBy', 'options'] as const satisfies readonly (keyof SealedCart)[];

type StoredRow = Selectable<CartTable>;

/** A cart with its sealed values. */
export type Cart = Omit<StoredRow, 'sealed' | 'codeHash' | 'createdByHash' | 'emailHash' | 'expiryDueOn'> & SealedCart;

/** Opens the sealed values of a cart. */
export function openSealedCart(query: Query, row: SealedPlace<'carts'> & { sealed: string }): SealedCart {
  return unseal(query, 'carts', row);
}

/** Returns a cart with its sealed values. */
export function openCart(query: Query, row: StoredRow): Cart {
  return openRow(query, 'carts', row);
}

/** @param email - E-mail address of the buyer, if the merchant provided it. */
export async function addCart(tx: Tx, row: Cart, email?: string): Promise<void> {
  const codeHash = hashOfCode(row.code);
  await insertCart(tx, {
    ...omit(row, SEALED),
    codeHash,
    createdByHash: await lookupHash(tx, 'creator', row.createdBy),
    emailHash: await emailHash(tx, email),
    expiryDueOn: row.expiresOn,
    sealed: seal(tx, 'carts', { ...row, codeHash }, pick(row, SEALED)),
  });
}

const insertCart = preparedInsert('carts');

/** Returns a cart of the merchant. @throws ServiceError `cart-not-found` */
export async function getCart(query: Query, merchantId: string, id: string): Promise<Cart> {
  const [row] = isId(id) ? await cartById(query, merchantId, id) : [];
  if (!row) throw new ServiceError('cart-not-found', 'Cart ID was invalid');
  return openCart(query, row);
}

const cartById = prepared((query, merchantId: string, id: string) =>
  query.selectFrom('carts').selectAll().where('id', '=', id).where('merchantId', '=', merchantId),
);

/** Returns a cart of the merchant and locks its row. @throws ServiceError `cart-not-found` */
export async function lockCart(tx: Tx, merchantId: string, id: string): Promise<Cart> {
  const [row] = isId(id) ? await cartByIdForUpdate(tx, merchantId, id) : [];
  if (!row) throw new ServiceError('cart-not-found', 'Cart ID was invalid');
  return openCart(tx, row);
}

const cartByIdForUpdate = prepared((query, merchantId: string, id: string) =>
  query.selectFrom('carts').selectAll().where('id', '=', id).where('merchantId', '=', merchantId).forUpdate(),
);

/** Returns a cart of any merchant and locks its row. This locks the whole checkout (decisions/0033). */
export async function lockCartById(tx: Tx, id: string): Promise<Cart> {
  const cart = await lockCartIfStored(tx, id);
  if (!cart) throw new Error(`There is no cart ${id}`);
  return cart;
}

/** Does the same for a cart that may have been deleted. */
export async function lockCartIfStored(tx: Tx, id: string): Promise<Cart | undefined> {
  const [row] = await cartOfAnyMerchantForUpdate(tx, id);
  return row && openCart(tx, row);
}

const cartOfAnyMerchantForUpdate = prepared((query, id: string) =>
  query.selectFrom('carts').selectAll().where('id', '=', id).forUpdate(),
);

/** Returns a cart of any merchant. */
export async function getCartById(query: Query, id: string): Promise<Cart> {
  return openCart(query, await query.selectFrom('carts').selectAll().where('id', '=', id).executeTakeFirstOrThrow());
}

/** Returns the cart of a checkout link. */
export async function findCartByCode(query: Query, code: string): Promise<Cart | undefined> {
  const [row] = isCode(code) ? await cartByCode(query, hashOfCode(code)) : [];
  return row && openCart(query, row);
}

const cartByCode = prepared((query, hash: string) => query.selectFrom('carts').selectAll().where('codeHash', '=', hash));

/**
 * Completes a cart with its transaction, even if the merchant expired the cart after the buyer signed.
 *
 * @throws ServiceError `changed-meanwhile` - the cart already has a transaction, which cannot happen if the caller has locked it.
 */
export async function completeCart(tx: Tx, id: string, transactionId: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('carts')
    .set({ status: 'COMPLETED', transactionId, expiryDueOn: null })
    .where('id', '=', id)
    .where('status', '!=', 'COMPLETED')
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw new ServiceError('changed-meanwhile', 'The checkout was closed by another request.');
}

/** Returns the ids of unused carts that expired before a day, the oldest first. */
export async function unusedCarts(query: Query, createdBy: string, expiredBefore: CivilDate, limit: number): Promise<string[]> {
  const rows = await query
    .selectFrom('carts')
    .select('id')
    .where('createdByHash', '=', await lookupHash(query, 'creator', createdBy))
    .where('expiresOn', '<', expiredBefore)
    .where(isUnused)
    .orderBy('expiresOn')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Deletes a cart with its applications if it is unused. Returns whether it was deleted. Locks it first, as every step of a checkout does,
 * and then checks that no application was sent to a lender (decisions/0033).
 */
export async function deleteUnusedCart(tx: Tx, id: string): Promise<boolean> {
  await cartOfAnyMerchantForUpdate(tx, id);
  const [unused] = await tx.selectFrom('carts').select('id').where('id', '=', id).where(isUnused).execute();
  if (!unused) return false;
  await deleteApplicationsOfCart(tx, id);
  await tx.deleteFrom('carts').where('id', '=', id).execute();
  return true;
}

/** No lender has received an application of the cart, and none is under a legal hold. */
function isUnused({ and, eb, not, exists, selectFrom }: ExpressionBuilder<Schema, 'carts'>) {
  const holds = selectFrom('legal_holds')
    .innerJoin('applications', 'applications.id', 'legal_holds.applicationId')
    .select('legal_holds.applicationId')
    .whereRef('applications.cartId', '=', 'carts.id');
  return and([eb('carts.submissions', '=', 0), not(exists(holds))]);
}

/** Saves the options of a locked cart after its contacts were deleted from them. */
export async function saveWithoutContacts(tx: Tx, row: Cart, options: CartOptions, now: Instant): Promise<void> {
  const place = { ...row, codeHash: hashOfCode(row.code) };
  const sealed = seal(tx, 'carts', place, { ...pick(row, SEALED), options });
  await tx.updateTable('carts').set({ sealed, emailHash: '', contactsDeletedAt: now }).where('id', '=', row.id).execute();
}

/** Returns the ids of carts for which the merchant provided this e-mail address of the buyer. */
export async function cartIdsOfEmail(query: Query, email: string): Promise<string[]> {
  const hash = await emailHash(query, email);
  const rows = await query.selectFrom('carts').select('id').where('emailHash', '=', hash).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Changes the number of requests for a decision of a locked cart. */
export async function addSubmissions(tx: Tx, id: string, change: 1 | -1): Promise<void> {
  await tx
    .updateTable('carts')
    .set(({ eb }) => ({ submissions: eb('submissions', '+', change) }))
    .where('id', '=', id)
    .execute();
}

/** Expires an open cart. Does nothing if it is completed or expired. @param isRecorded - Whether the expiry is recorded as an event. */
export async function saveCartExpired(tx: Tx, id: string, isRecorded: boolean): Promise<void> {
  await tx
    .updateTable('carts')
    .set({ status: 'EXPIRED', ...(isRecorded && { expiryDueOn: null }) })
    .where('id', '=', id)
    .where('status', '=', 'OPEN')
    .execute();
}

/** Returns carts whose expiry is to be recorded because their last day has passed, the earliest first. */
export async function dueExpiries(query: Query, today: CivilDate, limit: number): Promise<Pick<Cart, 'id' | 'merchantId'>[]> {
  return query
    .selectFrom('carts')
    .select(['id', 'merchantId'])
    .where('expiryDueOn', '<', today)
    .orderBy('expiryDueOn')
    .orderBy('id')
    .limit(limit)
    .execute();
}

/** Postpones the event of a cart's expiry, or ends it. Returns false if it was not due. */
export async function saveExpiryDue(tx: Tx, id: string, today: CivilDate, next: CivilDate | null): Promise<boolean> {
  const due = tx.updateTable('carts').set({ expiryDueOn: next }).where('id', '=', id).where('expiryDueOn', '<', today);
  return (await due.executeTakeFirstOrThrow()).numUpdatedRows > 0n;
}
