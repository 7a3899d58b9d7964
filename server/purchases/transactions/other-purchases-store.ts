import { type Expression, type RawBuilder, type Selectable, sql } from 'kysely';
import type { Query, Tx } from '../../db/database.ts';
import { tableByIndex } from '../../db/newest-first.ts';
import { prepared } from '../../db/prepared.ts';
import type { TransactionTable } from '../../db/schema.ts';
import type { Transaction, TransactionRef } from './store.ts';

/** A purchase with the `orderRef` of another one that was neither canceled, refunded nor expired. */
export type OtherPurchase = Pick<Selectable<TransactionTable>, 'id' | 'status' | 'statusSince' | 'createdAt'>;

/** Most of them that are returned. */
export const MAX_OTHERS = 10;

/** Most purchases with one `orderRef` that are read, the newest first. A merchant may use one for all carts. */
const MAX_READ = 100;

/** Literals, so that the partial index can be used. */
const IS_ACTIVE = sql<boolean>`status in ('PENDING', 'AUTHORIZED', 'SETTLED')`;
const IS_MARKED = sql<boolean>`order_ref_shared_at is not null and ${IS_ACTIVE}`;

/** Selects the newest purchases of a merchant with an `orderRef` that is not empty. */
function newestWith(query: Query, merchantId: string | Expression<string>, orderRef: string | Expression<string>) {
  return query
    .selectFrom('transactions as other')
    .select(['id', 'status', 'statusSince', 'createdAt'])
    .where('merchantId', '=', merchantId)
    .where('orderRef', '=', orderRef)
    .where('orderRef', '<>', sql.lit(''))
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_READ);
}

const othersOf = prepared((query, merchantId: string, orderRef: string, id: string) =>
  query
    .selectFrom(newestWith(query, merchantId, orderRef).as('newest'))
    .selectAll()
    .where('id', '<>', id)
    .where(IS_ACTIVE)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_OTHERS),
);

/** Returns the other purchases with the `orderRef` of a transaction, the newest first; none if it is empty. */
export async function listOtherPurchases(
  query: Query,
  { merchantId, orderRef, id }: Pick<Transaction, 'merchantId' | 'orderRef' | 'id'>,
): Promise<OtherPurchase[]> {
  return orderRef === '' ? [] : othersOf(query, merchantId, orderRef, id);
}

/**
 * Returns the condition of transactions whose `orderRef` another purchase has: marked ones (`orderRefSharedAt`) that are active, and of which
 * another one is. A mark therefore ends with a cancel, refund or expiry of either without a write to the other row.
 *
 * @param table - Name of the table in the query.
 */
export function hasSharedOrderRef(query: Query, table: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref<string>(`${table}.${name}`);
  const others = query
    .selectFrom(newestWith(query, column('merchantId'), column('orderRef')).as('newest'))
    .select('newest.id')
    .where('newest.id', '<>', column('id'))
    .where(sql<boolean>`newest.${IS_ACTIVE}`);
  return sql<boolean>`${IS_MARKED} and exists ${others}`;
}

/** Returns the number of a merchant's transactions whose `orderRef` another purchase has. Reads at most `limit` marked ones. */
export async function countWithSharedOrderRef(query: Query, merchantId: string, limit: number): Promise<number> {
  const marked = query
    .selectFrom(tableByIndex(query, 'transactions', 'transactions_with_shared_order_ref'))
    .selectAll()
    .where('merchantId', '=', merchantId)
    .where(IS_MARKED)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit);
  const counted = query
    .selectFrom(marked.as('marked'))
    .select(sql<number>`cast(count(*) as bigint)`.as('count'))
    .where(hasSharedOrderRef(query, 'marked'));
  return (await counted.executeTakeFirstOrThrow()).count;
}

/** Removes the mark of a transaction: a person knows that its order has several purchases. */
export async function dismissSharedOrderRef(tx: Tx, { merchantId, id }: TransactionRef): Promise<void> {
  await tx
    .updateTable('transactions')
    .set({ orderRefSharedAt: null })
    .where('id', '=', id)
    .where('merchantId', '=', merchantId)
    .execute();
}
