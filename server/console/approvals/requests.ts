import type { Database } from '../../db/database.ts';
import type { RefundAction } from '../../db/schema.ts';
import { ServiceError } from '../../base/errors.ts';
import { isId, newId } from '../../base/ids.ts';
import { addSecurityEvents, newSecurityEvent, type SecurityEvent } from '../../merchants/security-events.ts';
import { type Instant, plusDays } from '../../base/time.ts';
import { lockTransaction, type Transaction, type TransactionRef } from '../../purchases/transactions/store.ts';
import type { Transactions } from '../../purchases/transactions/transactions.ts';
import type { User } from '../users/store.ts';
import { canApprove, refundRule, rejectedRefund } from './rules.ts';
import { addRefundRequest, findRefundRequest, findUndecidedRequest, saveRefundDecision } from './store.ts';

/** Days for which a request can be approved. */
const REQUEST_DAYS = 7;

export interface RefundRequestDeps {
  database: Database;
  transactions: Transactions;
}

/** An order, and the revision of it that the user has seen. */
type SeenTransaction = TransactionRef & { revision: number };

/**
 * Refunds as a user, who needs no approval for it.
 *
 * @throws ServiceError `amount-too-large` - above the limit of the user; `wrong-state` - it needs an approval, or another refund waits for
 *   one; the errors of `lockAndDecide`.
 */
export function refundAsUser(
  { database, transactions }: RefundRequestDeps,
  { id: userId }: User,
  { revision, ...transaction }: SeenTransaction,
  action: RefundAction,
  now: Instant,
): Promise<Transaction> {
  return database.write(async (tx) => {
    const { before, after, entry } = await transactions.lockAndDecide(tx, transaction, action, revision, now);
    const rule = await refundRule(tx, { transaction, userId, amountCents: entry.amountCents }, now);
    if (rule !== 'at-once') throw rejectedRefund(rule);
    return transactions.save(tx, before, after, { ...entry, actor: `user:${userId}` });
  });
}

/**
 * Stores a refund that another person has to approve. An order has at most one that is pending.
 *
 * @throws ServiceError the errors of `lockAndDecide`, `amount-too-large` - above the limit of the
 *   user; `wrong-state` - another one is pending.
 */
export async function requestRefund(
  { database, transactions }: RefundRequestDeps,
  user: User,
  { merchantId, id: transactionId, revision }: SeenTransaction,
  action: RefundAction,
  now: Instant,
): Promise<void> {
  const id = newId();
  const eventRow = eventOf('refund-requested', user, merchantId, { transactionId }, now);
  await database.write(async (tx) => {
    const transaction = { merchantId, id: transactionId };
    const { entry } = await transactions.lockAndDecide(tx, transaction, action, revision, now);
    const { amountCents } = entry;
    const rule = await refundRule(tx, { transaction, userId: user.id, amountCents }, now);
    if (rule === 'above-limit') throw rejectedRefund(rule);
    const request = { id, merchantId, transactionId, revision, action, amountCents, requestedBy: user.id, requestedAt: now };
    const pending = { expiresAt: plusDays(now, REQUEST_DAYS), status: 'pending', decidedBy: null, decidedAt: null } as const;
    if (!(await addRefundRequest(tx, { ...request, ...pending }))) {
      throw rejectedRefund('one-is-pending');
    }
    await addSecurityEvents(tx, eventRow);
  });
}

/**
 * Refunds what was requested, in one database transaction with the decision. The journal names the person who requested it; the request,
 * whose revision precedes that of the row of the journal, names the one who approved it.
 *
 * @throws ServiceError `wrong-state` - the request is no longer pending, or this person may not approve it; `changed-meanwhile` - the
 *   order has changed since it was requested; the errors of `lockAndDecide`.
 */
export async function approveRefund(
  { database, transactions }: RefundRequestDeps,
  approver: User,
  { merchantId, id: transactionId, requestId }: TransactionRef & { requestId: string },
  now: Instant,
): Promise<Transaction> {
  const request = isId(requestId) ? await findRefundRequest(database.query, requestId) : undefined;
  if (request?.transactionId !== transactionId || request.merchantId !== merchantId) throw notPending();
  const { action, revision, requestedBy } = request;
  const eventRow = eventOf('refund-approved', approver, merchantId, { transactionId, requestedBy }, now);
  return database.write(async (tx) => {
    // Within the write, which a form that is repeated after a crash does not make again.
    if ((await findUndecidedRequest(tx, transactionId, now))?.id !== requestId) throw notPending();
    const transaction = { merchantId, id: transactionId };
    const { before, after, entry } = await transactions.lockAndDecide(tx, transaction, action, revision, now);
    if (!(await canApprove(tx, request, approver.id, now))) {
      throw new ServiceError('wrong-state', 'Expected another person who may refund this amount, and a request of a user.');
    }
    if (!(await saveRefundDecision(tx, request, { status: 'approved', decidedBy: approver.id, decidedAt: now }))) {
      throw notPending();
    }
    await addSecurityEvents(tx, eventRow);
    return transactions.save(tx, before, after, { ...entry, actor: `user:${requestedBy}` });
  });
}

/**
 * Rejects a request, or withdraws one's own.
 *
 * @throws ServiceError `transaction-not-found`, or `wrong-state` - the request is no longer pending.
 */
export async function rejectRefund(
  { database }: Pick<RefundRequestDeps, 'database'>,
  user: User,
  { merchantId, id: transactionId, requestId }: TransactionRef & { requestId: string },
  now: Instant,
): Promise<void> {
  const eventRow = eventOf('refund-rejected', user, merchantId, { transactionId }, now);
  await database.write(async (tx) => {
    await lockTransaction(tx, merchantId, transactionId);
    const decision = { status: 'rejected', decidedBy: user.id, decidedAt: now } as const;
    if (!(await saveRefundDecision(tx, { transactionId, id: requestId }, decision))) throw notPending();
    await addSecurityEvents(tx, eventRow);
  });
}

function notPending(): ServiceError {
  return new ServiceError('wrong-state', 'The refund is no longer waiting for approval.');
}

function eventOf(
  kind: 'refund-requested' | 'refund-approved' | 'refund-rejected',
  { id }: User,
  merchantId: string,
  details: Record<string, string>,
  now: Instant,
): SecurityEvent {
  return newSecurityEvent({ kind, actor: `user:${id}`, merchantId, details }, now);
}
