import type { Database, Query } from '../../db/database.ts';
import type { RefundAction } from '../../db/schema.ts';
import { ServiceError, type ErrorCode, type Reason } from '../../base/errors.ts';
import { isId, newId } from '../../base/ids.ts';
import { addSecurityEvents, newSecurityEvent, type SecurityEvent } from '../../merchants/security-events.ts';
import { type Instant, plusDays } from '../../base/time.ts';
import { lockTransaction, type Transaction, type TransactionRef, listEntries } from '../../purchases/transactions/store.ts';
import type { Transactions } from '../../purchases/transactions/transactions.ts';
import { requireMerchant } from '../../merchants/store.ts';
import { type User, findUsers } from '../users/store.ts';
import { canRefund } from '../users/roles.ts';
import { isSamePerson } from '../users/users.ts';
import {
  addRefundRequest,
  findRefundRequest,
  findUndecidedRequest,
  saveRefundDecision,
  findPendingRequest,
  type RefundRequest,
} from './store.ts';

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
    // Checked inside the write: a form that is repeated after a crash gets the stored result of its write, which does not run again.
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

/**
 * The rule for a refund by a user now:
 *
 * - `at-once`
 * - `after-approval` - the merchant requires a second person for this sum;
 * - `one-is-pending` - not while another refund of the order waits for approval;
 * - `above-limit` - not at all: the role or the limit of the user does not allow this sum.
 */
type RefundRule = 'at-once' | 'after-approval' | 'one-is-pending' | 'above-limit';

interface UserRefund {
  transaction: TransactionRef;
  userId: string;
  amountCents: number;
}

/**
 * Returns the rule for a refund. The sum of all refunds of the order by this person is compared, also with other accounts, so that parts do
 * not evade the limits.
 *
 * @param query - The database transaction that makes the refund, after it has locked the order; or any, to show the rule on a page.
 */
export async function refundRule(
  query: Query,
  { transaction: { merchantId, id }, userId, amountCents }: UserRefund,
  now: Instant,
): Promise<RefundRule> {
  const refunds = (await listEntries(query, id)).filter(({ type }) => type === 'refunded');
  const users = await findUsers(query, [userId, ...refunds.map(({ actor }) => actor.replace(/^user:/, ''))]);
  const user = users.find((each) => each.id === userId);
  if (!user || user.removedAt !== null) return 'above-limit';
  const own = new Set(users.filter((each) => isSamePerson(each, user)).map((each) => `user:${each.id}`));
  const sumCents = refunds.filter(({ actor }) => own.has(actor)).reduce((sum, entry) => sum + entry.amountCents, amountCents);
  if (!canRefund(user, sumCents)) return 'above-limit';
  if (await findPendingRequest(query, id, now)) return 'one-is-pending';
  const { refundApprovalCents } = await requireMerchant(query, merchantId);
  return refundApprovalCents !== null && sumCents > refundApprovalCents ? 'after-approval' : 'at-once';
}

/**
 * Returns true if a user may approve a request: another person than the one who requested it, who may refund the amount. The one who
 * requested it must still be allowed to.
 */
export async function canApprove(query: Query, request: RefundRequest, approverId: string, now: Instant): Promise<boolean> {
  const { requestedBy: userId, amountCents, merchantId, transactionId: id } = request;
  const users = await findUsers(query, [approverId, userId]);
  const [approver, requester] = [approverId, userId].map((each) => users.find(({ id: found }) => found === each));
  if (!approver || !requester || isSamePerson(approver, requester)) return false;
  if (approver.removedAt !== null || !canRefund(approver, amountCents)) return false;
  return (await refundRule(query, { transaction: { merchantId, id }, userId, amountCents }, now)) !== 'above-limit';
}

const REJECTIONS: Record<Exclude<RefundRule, 'at-once'>, readonly [code: ErrorCode, message: string, reason?: Reason]> = {
  'after-approval': ['wrong-state', 'Expected an amount that needs no approval.', 'needs-approval'],
  'one-is-pending': ['wrong-state', 'Expected an order without a refund that waits for approval.'],
  'above-limit': ['amount-too-large', 'Expected an amount within the limit of the user.'],
};

/** Returns the error of a refund that its rule does not allow. */
function rejectedRefund(rule: Exclude<RefundRule, 'at-once'>): ServiceError {
  const [code, message, reason] = REJECTIONS[rule];
  return new ServiceError(code, message, { reason });
}
