import { type ExpressionBuilder, type Selectable, sql } from 'kysely';
import type { CivilDate } from '../../../shared/dates.ts';
import type { CartOptions } from '../../../shared/wire/cart.ts';
import { deleteApplicationsOfCart } from '../../lending/applications/store.ts';
import type { Query, Tx } from '../../db/database.ts';
import { conditionsOf, type NewestFirst, type Position, tableByIndex, unindexed } from '../../db/newest-first.ts';
import { countByPeriod, type Period } from '../../db/periods.ts';
import { prepared, preparedInsert } from '../../db/prepared.ts';
import type { CartTable, Schema } from '../../db/schema.ts';
import { emailHash, lookupHash, omit, openRow, openRows, pick, seal, type SealedColumns, unseal } from '../../db/sealed.ts';
import { ServiceError } from '../../base/errors.ts';
import { hashOfCode, isId } from '../../base/ids.ts';
import type { Instant } from '../../base/time.ts';

/** The values of a cart that identify the buyer, or may do so, and the code of its link. They are stored sealed. */
export interface SealedCart {
  /** Random part of the checkout link. */
  code: string;
  /** The creator as the merchant names it, or a name of the service, such as `Storefront` for a page of a shop. */
  createdBy: string;
  options: CartOptions;
}

declare module '../../db/sealed.ts' {
  interface SealedValues {
    carts: SealedCart;
  }
}

const SEALED = ['code', 'createdBy', 'options'] as const satisfies readonly (keyof SealedCart)[];

type StoredRow = Selectable<CartTable>;

/** A cart with its sealed values. */
export type Cart = Omit<StoredRow, 'sealed' | 'codeHash' | 'createdByHash' | 'emailHash' | 'orderRef' | 'expiryDueOn'> &
  SealedCart;

/** Opens the sealed values of a cart. */
export function openSealedCart(query: Query, row: SealedColumns<'carts'> & { sealed: string }): SealedCart {
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
    orderRef: row.options.orderRef ?? '',
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

export type StoredCart = StoredRow;

/** Filters of a merchant's carts. */
export interface CartFilters {
  orderRef?: string | undefined;
  /** E-mail address of the buyer, if the merchant provided it. */
  email?: string | undefined;
  /** Stored statuses; undefined for all. */
  statuses?: readonly StoredCart['status'][] | undefined;
  /** Leaves out carts whose last day was before. */
  expiresFrom?: CivilDate | undefined;
  /** Only carts of users of the console. */
  isOfUser?: boolean | undefined;
}

/** Returns a page of the rows of a merchant's carts, the newest first. */
export async function listCarts(
  query: Query,
  merchantId: string,
  { orderRef, email, statuses, expiresFrom, isOfUser }: CartFilters,
  page: NewestFirst,
): Promise<StoredCart[]> {
  const values = { orderRef, emailHash: email === undefined ? undefined : await emailHash(query, email) };
  const columns = (['orderRef', 'emailHash'] as const).filter((column) => values[column] !== undefined);
  // One index is read: that of a searched value, of the carts of users, of a status, or of all carts. `unindexed` prevents the use of others.
  const [by] = isOfUser ? [] : columns;
  const index = isOfUser
    ? 'carts_of_users'
    : by
      ? (`carts_of_${by === 'orderRef' ? 'order_ref' : 'email_hash'}` as const)
      : statuses
        ? 'carts_of_status'
        : 'carts_of_merchant';
  let rows = query
    .selectFrom(tableByIndex(query, 'carts', index))
    .selectAll()
    .where('merchantId', '=', merchantId);
  for (const column of columns) rows = rows.where(column === by ? column : unindexed(column), '=', values[column]!);
  // Indexes of optional values are partial.
  if (by) rows = rows.where(by, '<>', sql.lit(''));
  if (isOfUser) rows = rows.where('userId', 'is not', null);
  if ((by || isOfUser) && statuses) rows = rows.where(unindexed('status'), 'in', statuses);
  if (expiresFrom !== undefined) rows = rows.where(unindexed('expiresOn'), '>=', expiresFrom);
  for (const condition of conditionsOf(page)) rows = rows.where(condition);
  const sorted = rows.orderBy('createdAt', 'desc').orderBy('id', 'desc').limit(page.limit);
  if (by || isOfUser || !statuses) return sorted.execute();
  // The index is sorted within each status.
  const parts = [];
  for (const status of statuses) parts.push(...(await sorted.where('status', '=', status).execute()));
  const newestFirst = parts.toSorted((a, b) => compare(b.createdAt, a.createdAt) || compare(b.id, a.id));
  return newestFirst.slice(0, page.limit);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Opens the carts of a page. Leaves damaged ones out. */
export function openCarts(query: Query, rows: readonly StoredCart[]): Promise<Cart[]> {
  return openRows(query, rows, (row) => openCart(query, row));
}

/** Returns the position of a merchant's cart in lists; undefined if it does not exist. */
export async function positionOfCart(query: Query, merchantId: string, id: string): Promise<Position | undefined> {
  const rows = query.selectFrom('carts').select(['createdAt', 'id']).where('id', '=', id);
  return rows.where('merchantId', '=', merchantId).executeTakeFirst();
}

/**
 * Completes a cart with its transaction, even if the merchant expired the cart after the buyer signed.
 *
 * @throws ServiceError `changed-meanwhile` - the cart already has a transaction, which cannot happen if the caller has locked it.
 */
export async function completeCart(tx: Tx, id: string, transactionId: string): Promise<void> {
  const [completed] = await updateToCompleted(tx, id, transactionId);
  if (!completed) throw new ServiceError('changed-meanwhile', 'The checkout was closed by another request.');
}

const updateToCompleted = prepared((tx, id: string, transactionId: string) =>
  tx
    .updateTable('carts')
    .set({ status: 'COMPLETED', transactionId, expiryDueOn: null })
    .where('id', '=', id)
    .where('status', '!=', 'COMPLETED')
    .returning('id'),
);

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
  const bound = { ...row, codeHash: hashOfCode(row.code) };
  const sealed = seal(tx, 'carts', bound, { ...pick(row, SEALED), options });
  await tx.updateTable('carts').set({ sealed, emailHash: '', contactsDeletedAt: now }).where('id', '=', row.id).execute();
}

/** A literal condition, so that the partial index can be used. */
const hasEmail = sql<boolean>`email_hash <> ''`;

/** Returns the ids of carts for which the merchant provided this e-mail address of the buyer. */
export async function cartIdsOfEmail(query: Query, email: string): Promise<string[]> {
  const hash = await emailHash(query, email);
  const rows = await query.selectFrom('carts').select('id').where('emailHash', '=', hash).where(hasEmail).orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Records when the link of a cart was first opened. */
export async function saveCartOpened(tx: Tx, id: string, now: Instant): Promise<void> {
  await tx.updateTable('carts').set({ openedAt: now }).where('id', '=', id).where('openedAt', 'is', null).execute();
}

/** Returns the number of carts that a merchant's buyers or staff created in each period. */
export function countCarts(query: Query, merchantId: string, periods: readonly Period[]): Promise<number[]> {
  const condition = sql`merchant_id = ${merchantId}`;
  return countByPeriod(query, { table: 'carts', condition }, periods);
}

/** Changes the number of requests for a decision of a locked cart. */
export async function addSubmissions(tx: Tx, id: string, change: 1 | -1): Promise<void> {
  await updateSubmissions(tx, id, change);
}

const updateSubmissions = prepared((tx, id: string, change: number) =>
  tx
    .updateTable('carts')
    .set(({ eb }) => ({ submissions: eb('submissions', '+', change) }))
    .where('id', '=', id),
);

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
