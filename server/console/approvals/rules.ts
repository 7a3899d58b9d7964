import type { Query } from '../../db/database.ts';
import { type ErrorCode, type Reason, ServiceError } from '../../base/errors.ts';
import { requireMerchant } from '../../merchants/store.ts';
import type { Instant } from '../../base/time.ts';
import { listEntries, type TransactionRef } from '../../purchases/transactions/store.ts';
import { canRefund } from '../users/roles.ts';
import { findUsers } from '../users/store.ts';
import { isSamePerson } from '../users/users.ts';
import { findPendingRequest, type RefundRequest } from './store.ts';

/**
 * The rule for a refund by a user now:
 *
 * - `at-once`
 * - `after-approval` - the merchant requires a second person for this sum;
 * - `one-is-pending` - not while another refund of the order waits for approval;
 * - `above-limit` - not at all: the role or the limit of the user does not allow this sum.
 */
export type RefundRule = 'at-once' | 'after-approval' | 'one-is-pending' | 'above-limit';

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
export function rejectedRefund(rule: Exclude<RefundRule, 'at-once'>): ServiceError {
  const [code, message, reason] = REJECTIONS[rule];
  return new ServiceError(code, message, { reason });
}
