import { type Selectable, sql } from 'kysely';
import type { Query, Tx } from '../../db/database.ts';
import { fromJson, toJson } from '../../db/json.ts';
import type { RefundAction, RefundRequestTable } from '../../db/schema.ts';
import { isAuthentic, macOf, omit } from '../../db/sealed.ts';
import type { Instant } from '../../base/time.ts';

type StoredRow = Selectable<RefundRequestTable>;

/** A refund that a second person has to approve. */
export type RefundRequest = Omit<StoredRow, 'actionJson' | 'mac'> & { action: RefundAction };

function rowOf(tx: Tx, { action, ...request }: RefundRequest): StoredRow {
  const row = { ...request, actionJson: toJson(action) };
  return { ...row, mac: macOf(tx, 'refund_requests', row) };
}

/**
 * Returns the requests that the service itself wrote. Only the data keys can compute the message authentication code of a row (`mac`), and a
 * row without a valid one is ignored.
 */
function opened(query: Query, rows: readonly StoredRow[]): RefundRequest[] {
  const authentic = rows.filter((row) => isAuthentic(query, 'refund_requests', row));
  return authentic.map((row) => ({ ...omit(row, ['actionJson', 'mac']), action: fromJson(row.actionJson) }));
}

/** A literal, so that the partial indexes can be used. */
const isPending = sql<boolean>`status = 'pending'`;

/** Selects the requests that were neither decided nor replaced by another one. */
function undecided(query: Query) {
  return query.selectFrom('refund_requests').selectAll().where(isPending);
}

/** Selects the requests that can be approved. Any change of its order ends a request. */
function approvable(query: Query, now: Instant) {
  return undecided(query)
    .where('expiresAt', '>', now)
    .where(({ eb, selectFrom, ref }) =>
      eb(
        'revision',
        '=',
        selectFrom('transactions')
          .select('transactions.revision')
          .whereRef('transactions.id', '=', ref('refund_requests.transactionId')),
      ),
    );
}

/**
 * Adds a request for a transaction whose row is locked. Ends an earlier request that cannot be approved: it has expired, the order has
 * changed since, or its row is not authentic. Returns false if a request of the transaction can be approved.
 */
export async function addRefundRequest(tx: Tx, request: RefundRequest): Promise<boolean> {
  const { transactionId, revision, requestedAt } = request;
  const [earlier] = opened(tx, await undecided(tx).where('transactionId', '=', transactionId).execute());
  if (!earlier) {
    // Its invalid `mac` is not replaced: a request that no user has made must not become an authentic one.
    const forged = tx.updateTable('refund_requests').set({ status: 'expired' }).where(isPending);
    await forged.where('transactionId', '=', transactionId).execute();
  } else if (earlier.expiresAt <= requestedAt || earlier.revision !== revision) {
    await saveRequest(tx, { ...earlier, status: 'expired' });
  }
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('refund_requests')
    .values(rowOf(tx, request))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Returns the request of a transaction that can be approved. */
export async function findPendingRequest(query: Query, transactionId: string, now: Instant): Promise<RefundRequest | undefined> {
  return opened(query, await approvable(query, now).where('transactionId', '=', transactionId).execute())[0];
}

/** Returns the request of a transaction that was neither decided nor has expired, also if the transaction has changed since. */
export async function findUndecidedRequest(
  query: Query,
  transactionId: string,
  now: Instant,
): Promise<RefundRequest | undefined> {
  const rows = await undecided(query).where('transactionId', '=', transactionId).where('expiresAt', '>', now).execute();
  return opened(query, rows)[0];
}

/** Returns a request, decided or not. */
export async function findRefundRequest(query: Query, id: string): Promise<RefundRequest | undefined> {
  return opened(query, await query.selectFrom('refund_requests').selectAll().where('id', '=', id).execute())[0];
}

/** Returns a merchant's requests that can be approved, the oldest first. */
export async function listPendingRequests(
  query: Query,
  merchantId: string,
  now: Instant,
  limit: number,
): Promise<RefundRequest[]> {
  const rows = await approvable(query, now)
    .where('merchantId', '=', merchantId)
    .orderBy('requestedAt')
    .orderBy('id')
    .limit(limit)
    .execute();
  return opened(query, rows);
}

/** Returns the requests of a transaction, the oldest first. */
export async function listRefundRequests(query: Query, transactionId: string): Promise<RefundRequest[]> {
  const rows = await query
    .selectFrom('refund_requests')
    .selectAll()
    .where('transactionId', '=', transactionId)
    .orderBy('requestedAt')
    .execute();
  return opened(query, rows);
}

/** Saves a decision about a request whose transaction is locked. Returns false if it was decided or has expired. */
export async function saveRefundDecision(
  tx: Tx,
  { transactionId, id }: Pick<RefundRequest, 'transactionId' | 'id'>,
  decision: { status: 'approved' | 'rejected'; decidedBy: string; decidedAt: Instant },
): Promise<boolean> {
  const request = await findUndecidedRequest(tx, transactionId, decision.decidedAt);
  if (request?.id !== id) return false;
  await saveRequest(tx, { ...request, ...decision });
  return true;
}

async function saveRequest(tx: Tx, request: RefundRequest): Promise<void> {
  const { id, status, decidedBy, decidedAt, mac } = rowOf(tx, request);
  await tx.updateTable('refund_requests').set({ status, decidedBy, decidedAt, mac }).where('id', '=', id).execute();
}
