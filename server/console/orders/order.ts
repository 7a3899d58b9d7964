import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { mask } from 'superstruct';
import { counted } from '../../../shared/languages/texts.ts';
import { line } from '../../../shared/wire/fields.ts';
import type { SettlementLineType } from '../../../shared/wire/settlement.ts';
import {
  type Adjustment,
  type LineItem,
  ShipmentRequest,
  type Transaction as PresentedTransaction,
} from '../../../shared/wire/transaction.ts';
import { signedAgreement } from '../../agreements/agreement.ts';
import { canSendCopy, sendCopy } from '../../agreements/document-link.ts';
import { paymentChart } from '../../agreements/payment-chart.ts';
import { type Application, findApplication } from '../../lending/applications/store.ts';
import { referenceOf } from '../../lending/applications/reference.ts';
import { getCart } from '../../purchases/carts/store.ts';
import type { Html } from '../../http/pages/html.ts';
import { textField } from '../../http/pages/elements.ts';
import { formatPhone } from '../../http/pages/phones.ts';
import { readAttempts } from '../../messages/deliveries.ts';
import { callbackIdOf } from '../../messages/outbox.ts';
import { readForm } from '../../http/pages/read-form.ts';
import { listLinesOf } from '../../purchases/settlements/store.ts';
import { findPendingRequest, listRefundRequests } from '../approvals/store.ts';
import { type Instant, microsecondsOf } from '../../base/time.ts';
import { adjustable, remainingQuantities } from '../../purchases/transactions/adjustments.ts';
import { type TransitionName, transitions } from '../../purchases/transactions/lifecycle.ts';
import { dismissSharedOrderRef, listOtherPurchases } from '../../purchases/transactions/other-purchases-store.ts';
import { presentAdjustments, presentTransaction } from '../../purchases/transactions/present.ts';
import { getTransaction, type JournalEntry, listEntries, type Transaction } from '../../purchases/transactions/store.ts';
import { namesOfUsers } from '../users/store.ts';
import { deliveriesOfTransaction } from '../../messages/webhooks/webhooks.ts';
import { apiCall, badge, buttonLink, copyable, details, panel, identifierRule, submitButton, textRule } from '../web/elements.ts';
import { listPanel } from '../web/list.ts';
import type { ActionResult, ConsoleRequest, Show } from '../web/screen.ts';
import { APPLICATION_STATUSES, REASONS, t } from '../web/texts.ts';
import { KINDS } from './change.ts';
import { expiryText, inCurrencyOfOrder, orderTitle, statusBadge } from './parts.ts';

/** One order: its items, amounts, loan, shipment, settlement and history. */
export const showOrder: Show = async (received) => {
  const request = await inCurrencyOfOrder(received);
  const { to, deps, merchant, id, now } = request;
  const { query } = deps.database;
  const row = await deps.transactions.get(query, { merchantId: merchant.id, id }, now);
  const presented = await presentTransaction(query, row, now);
  const journal = await listEntries(query, id);
  const application = await findApplication(query, row.applicationId);
  return {
    title: orderTitle(request, row),
    content: html`<p><a href="${to('orders')}">All orders</a></p>
      ${await pendingRefund(request)} ${await sameReference(request, row)}
      <p class="summary">${statusBadge(row.status)} ${expiryText(request, row) ?? nothing} ${actions(request, row)}</p>
      <div class="columns">
        <div>${items(request, row)} ${await timeline(request, row, journal, application)} ${await settlement(request, id)}</div>
        <div>
          ${amounts(request, presented, row)} ${shipment(request, presented, row)} ${contacts(presented)}
          ${loan(request, presented, row, application)} ${await agreement(request, application)} ${references(request, presented)}
        </div>
      </div>`,
  };
};

/** The refund that waits for the approval of a second person. */
async function pendingRefund({ to, deps, id, can, money, now }: ConsoleRequest): Promise<Html | typeof nothing> {
  const pending = await findPendingRequest(deps.database.query, id, now);
  if (!pending) return nothing;
  const link = buttonLink('Show the request', to(`orders/${pending.transactionId}/approval`), 'quiet');
  return html`<p class="summary">${badge('Refund to approve', 'waiting')} ${money(pending.amountCents)} ${can('refund') ? link : nothing}</p>`;
}

/** The other purchases with the reference of an order, read when the page is shown: of two that were signed at once, none may be marked. */
async function sameReference(request: ConsoleRequest, row: Transaction): Promise<Html | typeof nothing> {
  const { to, deps, can, form, time, now } = request;
  const found = await listOtherPurchases(deps.database.query, row);
  const others = found.map((other) => deps.transactions.at(other, now)).filter(({ status }) => status !== 'EXPIRED');
  if (others.length === 0) return nothing;
  const links = others.map(
    ({ id, status, createdAt }) =>
      html`<span><a href="${to(`orders/${id}`)}">Order of ${time(createdAt)}</a> ${statusBadge(status)}</span>`,
  );
  const dismiss =
    row.orderRefSharedAt !== null && can('sell')
      ? form(`orders/${row.id}/same-reference`, submitButton('Not a duplicate', 'quiet'), { isInline: true })
      : nothing;
  return html`<div class="summary">${badge('Same reference', 'waiting')} Another purchase has this reference: ${links} ${dismiss}</div>`;
}

/** Records that a person knows of the other purchases: Home no longer counts the order. */
export async function dismissSameReference({ deps, merchant, id, to }: ConsoleRequest): Promise<ActionResult> {
  await getTransaction(deps.database.query, merchant.id, id);
  await deps.database.write((tx) => dismissSharedOrderRef(tx, { merchantId: merchant.id, id }));
  return { redirect: to(`orders/${id}`), done: 'orders.sameReference' };
}

/** Returns true if the status of an order allows an action, and the role of the user too. */
function isPossible({ can }: ConsoleRequest, name: TransitionName, { status }: Transaction): boolean {
  const from: readonly Transaction['status'][] = transitions[name].from;
  return from.includes(status) && can(name === 'refund' ? 'refund' : 'sell');
}

function actions(request: ConsoleRequest, row: Transaction): Html[] {
  const { to } = request;
  const kinds = (['authorize', 'settle', 'cancel', 'refund'] as const).filter((kind) => isPossible(request, kind, row));
  return kinds.map((kind) =>
    buttonLink(
      KINDS[kind].button,
      to(`orders/${row.id}/${kind}`, { all: 'yes' }),
      kind === 'authorize' || kind === 'settle' ? 'main' : 'quiet',
    ),
  );
}

function items(request: ConsoleRequest, row: Transaction): Html {
  const { to, money } = request;
  const remaining = new Map(remainingQuantities(adjustable(row)).map(({ sku, quantity }) => [sku, quantity]));
  const kind = (['refund', 'cancel'] as const).find((each) => isPossible(request, each, row));
  const link = (sku: string) =>
    kind && (remaining.get(sku) ?? 0) > 0
      ? html`<a href="${to(`orders/${row.id}/${kind}`, { line: sku })}">${kind === 'refund' ? 'Refund' : 'Cancel'}</a>`
      : nothing;
  return listPanel<LineItem>({
    caption: 'Items',
    rows: row.lineItems,
    empty: 'The cart of this order had no items.',
    columns: [
      {
        label: 'Item',
        cell: ({ product, sku }) => html`<span dir="auto">${product.name || sku}</span> <small>${sku}</small>`,
      },
      { label: 'Price', cell: ({ price }) => money(price), isAmount: true },
      { label: 'Quantity', cell: ({ quantity }) => quantity, isAmount: true },
      // A quantity is of a sku, across all of its lines.
      { label: 'Remaining', cell: ({ sku }) => remaining.get(sku) ?? 0, isAmount: true },
      ...(kind ? [{ label: '', cell: ({ sku }: LineItem) => link(sku) }] : []),
    ],
  });
}

function amounts(
  { money }: ConsoleRequest,
  { total, totalTax, shippingCost, discounts, adjustedTotal }: PresentedTransaction,
  row: Transaction,
): Html {
  const discountCents = discounts.reduce((sum, { amount }) => sum + amount, 0);
  const less = (cents: number) => (cents > 0 ? `−${money(cents)}` : undefined);
  return panel(
    'Amounts',
    details([
      ['Discounts', less(discountCents)],
      ['Tax', totalTax === null ? undefined : money(totalTax)],
      ['Shipping', money(shippingCost)],
      ['Total', html`<strong>${money(total)}</strong>`],
      ['Canceled', less(row.canceledCents)],
      ['Refunded', less(row.refundedCents)],
      ['Remaining', html`<strong>${money(adjustedTotal)}</strong>`],
    ]),
  );
}

const CARD_STATES: Record<NonNullable<PresentedTransaction['card']>['state'], string> = {
  pending: 'Not held yet',
  held: 'Held',
  expired: 'The hold has expired',
  declined: 'Declined',
  captured: 'Charged',
  'capture-failed': 'Could not be charged',
  released: 'Released',
  refunded: 'Refunded',
  none: 'Not held',
};

function loan(
  { money, time }: ConsoleRequest,
  { financing, card }: PresentedTransaction,
  row: Transaction,
  application: Application | undefined,
): Html {
  const term = financing && counted(['{n} month', '{n} months'], financing.termLength);
  const firstDue = financing?.current ? financing.current.payments[0]?.dueDate : financing?.firstPaymentDue;
  const changed = financing?.current?.payments.map(({ dueDate, amount }) => ({ dueOn: dueDate, paymentCents: amount }));
  const payments = changed ?? (application && signedAgreement(application)?.disclosure.payments) ?? [];
  return panel(
    'Loan',
    html`${details([
      ['Amount financed', financing && money(financing.amount)],
      ['Plan', financing && `${term}, ${t.apr(financing.apr)}`],
      ['Monthly payment', financing && money(financing.current?.monthly ?? financing.monthly)],
      ['First payment', firstDue && t.date(firstDue)],
      ['Amount after changes', financing?.current && money(financing.current.amount)],
      ['Number of the loan', financing?.loanNumber],
      ['Reference', referenceOf(row.applicationId)],
      ['Application', application && APPLICATION_STATUSES[application.status]],
      [
        'Card portion',
        card &&
          `${money(card.amount)}${row.cardLabel && `, ${row.cardLabel}`}: ${CARD_STATES[card.state]}${card.holdExpiresAt ? ` (${time(microsecondsOf(card.holdExpiresAt))})` : ''}`,
      ],
    ])}
    ${application && payments.length > 0 ? paymentChart(payments, application.currency, t) : nothing}`,
  );
}

/** The form that e-mails the buyer the signed agreement, if that is possible. */
async function agreement({ deps, form, id, can }: ConsoleRequest, application: Application | undefined) {
  const canSend = can('sell') && deps.mail.handling !== 'unavailable' && (await canSendCopy(deps.database.query, application));
  if (!canSend) return nothing;
  const fields = html`<p>The buyer gets an e-mail with the link to the signed agreement, at most 3 times a day.</p>${submitButton('E-mail the agreement again', 'quiet')}`;
  return panel('Agreement', form(`orders/${id}/agreement`, fields));
}

/** E-mails the buyer the link to the signed agreement again. */
export async function sendAgreement({ deps, merchant, actor, id, now, to }: ConsoleRequest): Promise<ActionResult> {
  const transaction = await getTransaction(deps.database.query, merchant.id, id);
  await sendCopy(deps.database, { merchant, transaction, actor }, deps.transactions, deps.mail, now);
  return { redirect: to(`orders/${id}`), done: deps.mail.handling === 'sent' ? 'orders.agreement' : 'links.recorded' };
}

const shipmentRules = {
  carrierName: textRule(line(200), () => 'Enter at most 200 characters'),
  trackingNumber: identifierRule(line(200), () => 'Enter at most 200 characters'),
};

function shipment(
  request: ConsoleRequest,
  { shippingMethodName, carrierName, trackingNumber }: PresentedTransaction,
  row: Transaction,
): Html {
  const { deps, form, formState } = request;
  const state = { ...formState, values: { carrierName, trackingNumber, ...formState.values } };
  const field = (name: 'carrierName' | 'trackingNumber', label: string) =>
    textField(t, state, { name, label, autocomplete: 'off', isOptional: true, isHalfWidth: true });
  const fields = html`${field('carrierName', 'Carrier')} ${field('trackingNumber', 'Tracking number')} ${submitButton('Save the shipment', 'quiet')}`;
  return panel(
    'Shipment',
    isPossible(request, 'ship', row)
      ? html`${details([['Shipping method', shippingMethodName]])}${form(`orders/${row.id}/shipment`, fields)}
        ${apiCall(`${deps.mail.publicUrl}/transactions/${row.id}/shipment`, { carrierName, trackingNumber })}`
      : details([
          ['Shipping method', shippingMethodName],
          ['Carrier', carrierName],
          ['Tracking number', trackingNumber],
        ]),
  );
}

export async function saveShipment({ deps, merchant, actor, id, now, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(shipmentRules, body);
  if (!read.ok) return read;
  const { database, transactions } = deps;
  const changes = mask(read.values, ShipmentRequest);
  await transactions.updateShipment({ database, actor }, { merchantId: merchant.id, id }, changes, now);
  return { redirect: to(`orders/${id}`), done: 'orders.shipment' };
}

function contacts({ billingContact, shippingContact }: PresentedTransaction): Html {
  const linesOf = ({ fullName, address, address2, city, state, zip, email, phone }: PresentedTransaction['billingContact']) => {
    const place = [city, `${state} ${zip}`.trim()].filter(Boolean).join(', ');
    return [fullName, address, address2, place, email, formatPhone(phone)].filter(Boolean);
  };
  const shown = (known: readonly string[]) =>
    known.length === 0
      ? 'Deleted'
      : html`${known.map((text, index) => html`${index > 0 ? html`<br />` : nothing}<bdi>${text}</bdi>`)}`;
  const billing = linesOf(billingContact);
  const delivery = linesOf(shippingContact);
  const isSame = billing.join('\n') === delivery.join('\n');
  return panel(
    'Buyer',
    details([
      [isSame ? 'Billing and delivery' : 'Billing', shown(billing)],
      ['Delivery', isSame ? undefined : shown(delivery)],
    ]),
  );
}

const LINE_TYPES: Record<SettlementLineType, string> = {
  settled: 'Settled',
  'settled-by-card': 'Paid by card',
  refunded: 'Refunded',
  'refunded-to-card': 'Refunded to the card',
};

async function settlement({ money, deps, to, can }: ConsoleRequest, id: string): Promise<Html | typeof nothing> {
  if (!can('view-money')) return nothing;
  const rows = await listLinesOf(deps.database.query, [id]);
  return listPanel({
    caption: 'Settlement',
    rows,
    empty: 'Nothing is paid before the order is settled.',
    columns: [
      { label: 'Day', cell: ({ day }) => t.date(day) },
      {
        label: 'Type',
        cell: ({ type, settlementId }) =>
          html`${LINE_TYPES[type]} <small>${settlementId ? html`<a href="${to(`money/${settlementId}`)}">Statement</a>` : 'Next statement'}</small>`,
      },
      { label: 'Gross', cell: ({ grossCents }) => money(grossCents), isAmount: true },
      { label: 'Fee', cell: ({ feeCents }) => money(-feeCents), isAmount: true },
      { label: 'Net', cell: ({ grossCents, feeCents }) => money(grossCents - feeCents), isAmount: true },
    ],
  });
}

interface Moment {
  at: Instant;
  title: string;
  detail: string;
}

const ENTRY_TITLES: Record<JournalEntry['type'], string> = {
  created: 'The buyer signed the agreement',
  authorized: 'Authorized',
  settled: 'Settled',
  canceled: 'Canceled',
  refunded: 'Refunded',
  expired: 'Expired',
  'card-declined': 'The card was declined',
  'card-capture-failed': 'The card could not be charged',
  'card-captured': 'The card was charged',
  'order-id-set': 'The order number was set',
  shipped: 'The shipment was changed',
};

/** Only e-mails are recorded or on paper. */
const DELIVERY_STATES = { pending: 'Waiting', delivered: 'Delivered', failed: 'Failed', recorded: 'Waiting', paper: 'Waiting' };

/** Everything that happened to an order, the earliest first: checkout, changes with their origin, and deliveries of events. */
async function timeline(
  request: ConsoleRequest,
  row: Transaction,
  journal: readonly JournalEntry[],
  application: Application | undefined,
): Promise<Html> {
  const { deps, merchant, time } = request;
  const { query } = deps.database;
  const cart = await getCart(query, merchant.id, row.cartId);
  const requests = await listRefundRequests(query, row.id);
  const people = requests.flatMap(({ requestedBy, decidedBy }) =>
    decidedBy === null ? [requestedBy] : [requestedBy, decidedBy],
  );
  const names = await namesOf(request, [...journal.map(({ actor }) => actor), ...people.map((id) => `user:${id}`)]);
  const nameOfUser = (id: string | null) => names.get(`user:${id}`) ?? '';
  // An approved refund is the row of the journal after the revision that was requested.
  const approvedBy = new Map(
    requests.flatMap((one) => (one.status === 'approved' ? [[one.revision + 1, one.decidedBy] as const] : [])),
  );
  const adjustments = new Map(presentAdjustments(row, journal).map((one) => [one.createdAt, one]));
  const moments: Moment[] = [
    { at: cart.createdAt, title: 'The cart was created', detail: '' },
    ...(application?.submittedAt ? [{ at: application.submittedAt, title: 'The buyer applied', detail: '' }] : []),
    ...journal.map((entry) => ({
      at: entry.at,
      title: ENTRY_TITLES[entry.type],
      detail: [
        changeText(request, entry, adjustments.get(entry.at), names.get(entry.actor) ?? entry.actor),
        ...(approvedBy.has(entry.sequence) ? [`approved by ${nameOfUser(approvedBy.get(entry.sequence)!)}`] : []),
      ].join(' · '),
    })),
  ];
  const webhooks = await deliveriesOfTransaction(query, merchant.id, row.id);
  const callback = await readAttempts(query, callbackIdOf(row));
  const deliveries = [
    ...(callback ? [{ ...callback, title: 'Callback' }] : []),
    ...webhooks.map((one) => ({ ...one, title: `Webhook ${one.eventType}` })),
  ];
  for (const { requestedAt, requestedBy, amountCents, status, decidedAt, decidedBy } of requests) {
    const moment = (at: Instant, title: string, by: string | null) =>
      moments.push({ at, title, detail: `${request.money(amountCents)} · by ${nameOfUser(by)}` });
    moment(requestedAt, 'Refund requested', requestedBy);
    if (status === 'rejected' && decidedAt !== null) moment(decidedAt, 'Refund rejected', decidedBy);
  }
  for (const { createdAt, title, state, attempts } of deliveries) {
    const last = attempts.at(-1);
    const parts = [
      DELIVERY_STATES[state],
      counted(['{n} attempt', '{n} attempts'], attempts.length),
      last?.statusCode ?? last?.failure,
    ];
    moments.push({
      at: microsecondsOf(createdAt),
      title,
      detail: parts.filter(Boolean).join(', '),
    });
  }
  const sorted = moments.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
  return panel(
    'Timeline',
    html`<ol class="timeline">${sorted.map(({ at, title, detail }) => html`<li><time datetime="${at}">${time(at)}</time><span>${title}${detail ? html` <small>${detail}</small>` : nothing}</span></li>`)}</ol>`,
  );
}

const EXPIRY_REASONS: Partial<Record<string, string>> = {
  'not-authorized-in-time': 'Not authorized in time',
  'not-settled-in-time': 'Not settled in time',
};

function changeText(
  { money }: ConsoleRequest,
  { type, amountCents, reason, reference }: JournalEntry,
  adjustment: Adjustment | undefined,
  by: string,
): string {
  const lines = adjustment?.lines.map(({ sku, quantity }) => `${quantity} × ${sku}`) ?? [];
  const why = adjustment?.reason ? REASONS[adjustment.reason] : EXPIRY_REASONS[reason ?? ''];
  const amount = amountCents > 0 && type !== 'created' ? money(amountCents) : '';
  return [amount, ...lines, why, reference, type === 'created' ? '' : `by ${by}`].filter(Boolean).join(' · ');
}

const OTHER_ACTORS: Partial<Record<string, string>> = { buyer: 'the buyer', system: 'the service', console: 'an operator' };

/** Returns the names of the origins of changes. */
async function namesOf({ deps, merchant }: ConsoleRequest, actors: readonly string[]): Promise<Map<string, string>> {
  const ids = actors.map((actor) => actor.replace(/^user:/, ''));
  const users = await namesOfUsers(deps.database.query, merchant.tenantId, ids);
  const nameOfActor = (actor: string) => {
    const [kind, id = ''] = actor.split(':');
    if (kind === 'user') return users.get(id);
    return kind === 'key' ? `the shop (key ${id})` : OTHER_ACTORS[actor];
  };
  return new Map(actors.map((actor) => [actor, nameOfActor(actor) ?? 'a former user']));
}

function references(
  { to }: ConsoleRequest,
  { orderRef, merchantOrderId, serviceTransactionId, cartId }: PresentedTransaction,
): Html {
  return panel(
    'References',
    details([
      ['Reference of the cart', orderRef],
      ['Order number of the shop', merchantOrderId],
      ['Transaction', copyable(serviceTransactionId)],
      ['Checkout', html`<a href="${to(`links/${cartId}`)}">Show the link</a>`],
    ]),
  );
}
