import { type Selectable, sql } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import { fromJson, toJson } from '../db/json.ts';
import type { RefundAction, RefundRequestTable } from '../db/schema.ts';
import type { Instant } from '../time.ts';

type StoredRow = Selectable<RefundRequestTable>;

/** A refund that a second person has to approve. */
export type RefundRequest = Omit<StoredRow, 'actionJson'> & { action: RefundAction };

function opened({ actionJson, ...row }: StoredRow): RefundRequest {
  return { ...row, action: fromJson(actionJson) };
}

/** A literal, so that the partial indexes can be used. */
const isPending = sql<boolean>`status = 'pending'`;

/** Adds a request, after the end of an earlier one that has expired. Returns false if another one of the transaction is pending. */
export async function addRefundRequest(tx: Tx, { action, ...request }: RefundRequest): Promise<boolean> {
  await tx
    .updateTable('refund_requests')
    .set({ status: 'expired' })
    .where('transactionId', '=', request.transactionId)
    .where(isPending)
    .where('expiresAt', '<=', request.requestedAt)
    .execute();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('refund_requests')
    .values({ ...request, actionJson: toJson(action) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the request of a transaction that is pending. */
export async function findPendingRequest(query: Query, transactionId: string, now: Instant): Promise<RefundRequest | undefined> {
  const row = await query
    .selectFrom('refund_requests')
    .selectAll()
    .where('transactionId', '=', transactionId)
    .where(isPending)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row && opened(row);
}

/** Returns a merchant's requests that are pending, the oldest first. */
export async function listPendingRequests(
  query: Query,
  merchantId: string,
  now: Instant,
  limit: number,
): Promise<RefundRequest[]> {
  const rows = await query
    .selectFrom('refund_requests')
    .selectAll()
    .where('merchantId', '=', merchantId)
    .where(isPending)
    .where('expiresAt', '>', now)
    .orderBy('requestedAt')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(opened);
}

/** Returns the requests of a transaction, the oldest first. */
export async function listRefundRequests(query: Query, transactionId: string): Promise<RefundRequest[]> {
  const rows = await query
    .selectFrom('refund_requests')
    .selectAll()
    .where('transactionId', '=', transactionId)
    .orderBy('requestedAt')
    .execute();
  return rows.map(opened);
}

/** Saves a decision. Returns false if the request is no longer pending. */
export async function saveRefundDecision(
  tx: Tx,
  id: string,
  decision: { status: 'approved' | 'rejected'; decidedBy: string; decidedAt: Instant },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('refund_requests')
    .set(decision)
    .where('id', '=', id)
    .where(isPending)
    .where('expiresAt', '>', decision.decidedAt)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
