import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/pages/html.ts';
import { hiddenField } from '../../http/pages/read-form.ts';
import { approveRefund, rejectRefund, canApprove } from '../approvals/requests.ts';
import { findUndecidedRequest, listPendingRequests, type RefundRequest } from '../approvals/store.ts';
import { readDecision } from '../../purchases/transactions/actions.ts';
import { currenciesOf } from '../../purchases/transactions/store.ts';
import { findUser, namesOfUsers } from '../users/store.ts';
import { details, panel, submitButton } from '../web/elements.ts';
import { list } from '../web/list.ts';
import type { ActionResult, ConsoleRequest, Show } from '../web/screen.ts';
import { REASONS, t } from '../web/texts.ts';
import { changeFacts } from './change.ts';
import { inCurrencyOfOrder, orderTitle } from './parts.ts';

/** Requests that are listed and counted at most. */
export const MAX_REQUESTS = 100;

/** The refunds that wait for the approval of a second person, the oldest first. */
export const showApprovals: Show = async ({ to, deps, merchant, now, time }) => {
  const { query } = deps.database;
  const requests = await listPendingRequests(query, merchant.id, now, MAX_REQUESTS);
  const people = requests.map(({ requestedBy }) => requestedBy);
  const names = await namesOfUsers(query, merchant.tenantId, people);
  const ids = requests.map(({ transactionId }) => transactionId);
  const currencies = await currenciesOf(query, ids);
  return {
    title: 'Refunds to approve',
    content: html`<p><a href="${to('orders')}">All orders</a></p>
      ${list({
        caption: 'Refunds to approve',
        rows: requests,
        empty: 'No refund waits for approval.',
        columns: [
          {
            label: 'Amount',
            cell: ({ transactionId, amountCents }) =>
              html`<a href="${to(`orders/${transactionId}/approval`)}">${t.money(amountCents, currencies.get(transactionId)!)}</a>`,
          },
          { label: 'Requested by', cell: ({ requestedBy }) => html`<span dir="auto">${names.get(requestedBy)}</span>` },
          { label: 'Requested', cell: ({ requestedAt }) => time(requestedAt) },
          { label: 'Can be approved until', cell: ({ expiresAt }) => time(expiresAt) },
        ],
      })}`,
  };
};

/** A refund that waits for approval: its changes, and the forms that approve and reject it. */
export const showApproval: Show = async (received) => {
  const request = await inCurrencyOfOrder(received);
  const { to, deps, merchant, id, now, time, user } = request;
  const { query } = deps.database;
  const row = await deps.transactions.get(query, { merchantId: merchant.id, id }, now);
  const pending = await findUndecidedRequest(query, id, now);
  const requester = pending && (await findUser(query, pending.requestedBy));
  const isChanged = pending?.revision !== row.revision;
  const decision = pending && !isChanged ? await readDecision(query, row, pending.action, now) : undefined;
  const isAllowed = pending !== undefined && (await canApprove(query, pending, user.id, now));
  const { reason, reference } = pending?.action ?? {};
  return {
    title: `Refund to approve: ${orderTitle(request, row)}`,
    content: html`<p><a href="${to(`orders/${id}`)}">Back to the order</a></p>
      ${
        pending
          ? panel(
              'Refund to approve',
              html`${details([
                ['Requested by', html`<span dir="auto">${requester?.name}</span>`],
                ['Requested', time(pending.requestedAt)],
                ['Can be approved until', time(pending.expiresAt)],
                ['Items', (pending.action.lineItems ?? []).map(({ sku, quantity }) => `${quantity} × ${sku}`).join(', ')],
                ['Reason', reason && REASONS[reason]],
                ['Your reference', reference],
              ])}
              ${decision ? changeFacts(request, 'refund', row, decision) : html`<p>The order was changed since the refund was requested, so that it cannot be approved. Reject it, or refund again.</p>`}
              ${forms(request, pending, { isChanged, isAllowed })}`,
            )
          : html`<p>No refund of this order is waiting for approval.</p>`
      }`,
  };
};

function forms(
  { form, money }: ConsoleRequest,
  pending: RefundRequest,
  { isChanged, isAllowed }: { isChanged: boolean; isAllowed: boolean },
): Html {
  const path = `orders/${pending.transactionId}/approval`;
  const hidden = html`<input type="hidden" name="request" value="${pending.id}" />`;
  const label = `Approve the refund of ${money(pending.amountCents)}`;
  return html`${isAllowed || isChanged ? nothing : html`<p>Someone else who may refund this amount has to approve it. A request of a person without this permission cannot be approved.</p>`}
    ${isAllowed && !isChanged ? form(path, html`${hidden}${submitButton(label, 'danger')}`, { isInline: true }) : nothing}
    ${form(`${path}/reject`, html`${hidden}${submitButton('Reject', 'quiet')}`, { isInline: true })}`;
}

/** Approves a refund, which is made at once. */
export async function approve({ deps, merchant, user, id, now, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  // An unknown order is 404, like its page.
  await deps.transactions.get(deps.database.query, { merchantId: merchant.id, id }, now);
  const ref = { merchantId: merchant.id, id, requestId: hiddenField(body, 'request') };
  await approveRefund(deps, user, ref, now);
  return { redirect: to(`orders/${id}`), done: 'orders.refund' };
}

/** Rejects a refund, or withdraws one's own. */
export async function reject({ deps, merchant, user, id, now, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const ref = { merchantId: merchant.id, id, requestId: hiddenField(body, 'request') };
  await rejectRefund(deps, user, ref, now);
  return { redirect: to(`orders/${id}`), done: 'orders.rejected' };
}
