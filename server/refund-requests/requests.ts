import type { Tx } from '../db/database.ts';
import type { RefundAction } from '../db/schema.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { addSecurityEvents, newSecurityEvent } from '../security-events/store.ts';
import { type Instant, plusDays } from '../time.ts';
import { act, decide, requireRevision, type TransactionDeps } from '../transactions/actions.ts';
import { lockTransactionAt } from '../transactions/expire.ts';
import { lockTransaction, type Transaction, type TransactionRef } from '../transactions/store.ts';
import { canRefund, isPermitted } from '../users/roles.ts';
import { findUser, type User } from '../users/store.ts';
import { addRefundRequest, findPendingRequest, type RefundRequest, saveRefundDecision } from './store.ts';

/** Days for which a request can be approved. */
const REQUEST_DAYS = 7;

/** Dependencies of requests. */
export type RefundRequestDeps = Pick<TransactionDeps, 'database' | 'lifetimes' | 'letters' | 'cards'>;

/** Returns true if a second person must approve refunds of this sum. @param limitCents - Null: no approval is required. */
export function needsApproval(limitCents: number | null, cents: number): boolean {
  return limitCents !== null && cents > limitCents;
}

/**
 * Stores a refund that another person has to approve. An order has at most one that is pending.
 *
 * @param seen.revision - The revision of the order that the user has seen.
 * @throws ServiceError `transaction-not-found`, `changed-meanwhile`, the errors of `decide`, or `wrong-state` - another one is pending.
 */
export async function requestRefund(
  { database, lifetimes, letters }: RefundRequestDeps,
  user: User,
  { merchantId, id: transactionId, revision }: TransactionRef & { revision: number },
  action: RefundAction,
  now: Instant,
): Promise<void> {
  const id = newId();
  const eventRow = newSecurityEvent(eventOf('refund-requested', user, merchantId, { transactionId }), now);
  await database.write(async (tx) => {
    const row = await lockTransactionAt(tx, { lifetimes, letters }, { merchantId, id: transactionId }, now);
    requireRevision(row, revision);
    const { amountCents } = decide(row, action, now).event;
    const request = { id, merchantId, transactionId, revision, action, amountCents, requestedBy: user.id, requestedAt: now };
    const pending = { expiresAt: plusDays(now, REQUEST_DAYS), status: 'pending', decidedBy: null, decidedAt: null } as const;
    if (!(await addRefundRequest(tx, { ...request, ...pending }))) {
      throw new ServiceError('wrong-state', 'Expected an order without a refund that waits for approval.');
    }
    await addSecurityEvents(tx, eventRow);
  });
}

/**
 * Refunds what was requested, in one database transaction with the decision. The journal names the person who requested it; the request,
 * whose revision precedes that of the row of the journal, names the one who approved it.
 *
 * @throws ServiceError `wrong-state` - the request is no longer pending, or this person may not approve it; `changed-meanwhile` - the
 *   order has changed since it was requested; the errors of `act`.
 */
export async function approveRefund(
  deps: RefundRequestDeps,
  approver: User,
  { merchantId, id: transactionId, requestId }: TransactionRef & { requestId: string },
  now: Instant,
): Promise<Transaction> {
  const request = await findPendingRequest(deps.database.query, transactionId, now);
  if (request?.id !== requestId || request.merchantId !== merchantId) throw notPending();
  const { action, revision, requestedBy } = request;
  const details = { transactionId, requestedBy };
  const eventRow = newSecurityEvent(eventOf('refund-approved', approver, merchantId, details), now);
  const approve = async (tx: Tx): Promise<void> => {
    if (!canApprove(request, await findUser(tx, requestedBy), approver)) {
      throw new ServiceError('wrong-state', 'Expected another person who may refund this amount, and a request of a user.');
    }
    if (!(await saveRefundDecision(tx, requestId, { status: 'approved', decidedBy: approver.id, decidedAt: now }))) {
      throw notPending();
    }
    await addSecurityEvents(tx, eventRow);
  };
  return act({ ...deps, actor: `user:${requestedBy}`, revision, approve }, { merchantId, id: transactionId }, action, now);
}

/**
 * Returns true if a user may approve a request: another person than the one who requested it, who may refund the amount. The one who
 * requested it must still be a user with the permission.
 */
export function canApprove({ amountCents }: RefundRequest, requester: User | undefined, approver: User): boolean {
  if (!requester || requester.removedAt !== null || !isPermitted(requester.role, 'refund')) return false;
  return requester.id !== approver.id && canRefund(approver, amountCents);
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
  const eventRow = newSecurityEvent(eventOf('refund-rejected', user, merchantId, { transactionId }), now);
  await database.write(async (tx) => {
    await lockTransaction(tx, merchantId, transactionId);
    const request = await findPendingRequest(tx, transactionId, now);
    const decision = { status: 'rejected', decidedBy: user.id, decidedAt: now } as const;
    if (request?.id !== requestId || !(await saveRefundDecision(tx, requestId, decision))) throw notPending();
    await addSecurityEvents(tx, eventRow);
  });
}

function notPending(): ServiceError {
  return new ServiceError('wrong-state', 'The refund is no longer waiting for approval.');
}

function eventOf<Kind extends 'refund-requested' | 'refund-approved' | 'refund-rejected'>(
  kind: Kind,
  { id }: User,
  merchantId: string,
  details: Record<string, string>,
) {
  return { kind, actor: `user:${id}` as const, merchantId, details };
}
