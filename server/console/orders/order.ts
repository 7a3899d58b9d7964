import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { mask } from 'superstruct';
import { counted, fill } from '../../../shared/languages/texts.ts';
import { line } from '../../../shared/wire/fields.ts';
import {
  type Adjustment,
  type LineItem,
  ShipmentRequest,
  type Transaction as PresentedTransaction,
} from '../../../shared/wire/transaction.ts';
import { canSendCopy, sendCopy } from '../../agreements/send-copy.ts';
import { type Application, findApplication } from '../../applications/store.ts';
import { referenceOf } from '../../applications/reference.ts';
import { getCart } from '../../carts/store.ts';
import type { Html } from '../../http/html.ts';
import { textField } from '../../pages/elements.ts';
import { readAttempts } from '../../notifications/deliveries.ts';
import { callbackIdOf } from '../../notifications/outbox.ts';
import { readForm } from '../../pages/read-form.ts';
import { listLinesOf } from '../../settlements/store.ts';
import { findPendingRequest, listRefundRequests } from '../../refund-requests/store.ts';
import { type Instant, microsecondsOf } from '../../time.ts';
import { updateShipment } from '../../transactions/actions.ts';
import { adjustable, remainingQuantities } from '../../transactions/adjustments.ts';
import { readTransactionAt } from '../../transactions/expire.ts';
import { type TransitionName, transitions } from '../../transactions/lifecycle.ts';
import { presentAdjustments, presentTransaction } from '../../transactions/present.ts';
import { getTransaction, type JournalEntry, listEvents, type Transaction } from '../../transactions/store.ts';
import { namesOfUsers } from '../../users/store.ts';
import { deliveriesOfTransaction } from '../../webhooks/webhooks.ts';
import { apiCall, badge, buttonLink, copyable, details, panel } from '../web/elements.ts';
import { identifierRule, submitButton, textRule } from '../web/form.ts';
import { list } from '../web/list.ts';
import type { ActionResult, ConsoleRequest, Screen } from '../web/screen.ts';
import { expiryText, inCurrencyOfOrder, orderTitle, statusBadge } from './parts.ts';

/** One order: its items, amounts, loan, shipment, settlement and history. */
export const order: Screen = {
  path: 'orders/:id',
  permission: 'view',
  actions: [
    { path: 'orders/:id/agreement', permission: 'sell', isSensitive: false, submit: sendAgreement },
    { path: 'orders/:id/shipment', permission: 'sell', isSensitive: false, submit: saveShipment },
  ],
  show: async (received) => {
    const request = await inCurrencyOfOrder(received);
    const { t, to, deps, merchant, params, now } = request;
    const { query } = deps.database;
    const own = t.console.orders.one;
    const id = params['id'] ?? '';
    const row = await readTransactionAt(query, deps.lifetimes, { merchantId: merchant.id, id }, now);
    const presented = await presentTransaction(query, row, now);
    const journal = await listEvents(query, id);
    const application = await findApplication(query, row.applicationId);
    return {
      title: orderTitle(request, row),
      content: html`<p><a href="${to('orders')}">${own.back}</a></p>
        ${await pendingRefund(request)}
        <p class="summary">${statusBadge(request, row.status)} ${expiryText(request, row) ?? nothing} ${actions(request, row)}</p>
        <div class="columns">
          <div>${items(request, row)} ${await timeline(request, row, journal, application)} ${await settlement(request, id)}</div>
          <div>
            ${amounts(request, presented, row)} ${shipment(request, presented, row)} ${contacts(request, presented)}
            ${loan(request, presented, row, application)} ${await agreement(request, application)} ${references(request, presented)}
          </div>
        </div>`,
    };
  },
};

/** The refund that waits for the approval of a second person. */
async function pendingRefund({ t, to, deps, params, can, money, now }: ConsoleRequest): Promise<Html | typeof nothing> {
  const own = t.console.orders.approval;
  const pending = await findPendingRequest(deps.database.query, params['id'] ?? '', now);
  if (!pending) return nothing;
  const link = buttonLink(own.review, to(`orders/${pending.transactionId}/approval`), 'quiet');
  return html`<p class="summary">${badge(own.title, 'waiting')} ${money(pending.amountCents)} ${can('refund') ? link : nothing}</p>`;
}

/** Returns true if the status of an order allows an action, and the role of the user too. */
function isPossible({ can }: ConsoleRequest, name: TransitionName, { status }: Transaction): boolean {
  const from: readonly Transaction['status'][] = transitions[name].from;
  return from.includes(status) && can(name === 'refund' ? 'refund' : 'sell');
}

function actions(request: ConsoleRequest, row: Transaction): Html[] {
  const { t, to } = request;
  const own = t.console.orders.change;
  const kinds = (['authorize', 'settle', 'cancel', 'refund'] as const).filter((kind) => isPossible(request, kind, row));
  return kinds.map((kind) =>
    buttonLink(
      own[kind].button,
      to(`orders/${row.id}/${kind}`, { all: 'yes' }),
      kind === 'authorize' || kind === 'settle' ? 'main' : 'quiet',
    ),
  );
}

function items(request: ConsoleRequest, row: Transaction): Html {
  const { t, to, money } = request;
  const own = t.console.orders.one;
  const remaining = new Map(remainingQuantities(adjustable(row)).map(({ sku, quantity }) => [sku, quantity]));
  const kind = (['refund', 'cancel'] as const).find((each) => isPossible(request, each, row));
  const link = (sku: string) =>
    kind && (remaining.get(sku) ?? 0) > 0
      ? html`<a href="${to(`orders/${row.id}/${kind}`, { line: sku })}">${own[`${kind}Line`]}</a>`
      : nothing;
  return panel(
    own.items,
    list<LineItem>(t, {
      caption: own.items,
      rows: row.lineItems,
      empty: own.noItems,
      columns: [
        {
          label: own.item,
          cell: ({ product, sku }) => html`<span dir="auto">${product.name || sku}</span> <small>${sku}</small>`,
        },
        { label: own.price, cell: ({ price }) => money(price), isAmount: true },
        { label: own.quantity, cell: ({ quantity }) => quantity, isAmount: true },
        // A quantity is of a sku, across all of its lines.
        { label: own.leftQuantity, cell: ({ sku }) => remaining.get(sku) ?? 0, isAmount: true },
        ...(kind ? [{ label: '', cell: ({ sku }: LineItem) => link(sku) }] : []),
      ],
    }),
  );
}

function amounts(
  { t, money }: ConsoleRequest,
  { total, totalTax, shippingCost, discounts, adjustedTotal }: PresentedTransaction,
  row: Transaction,
): Html {
  const own = t.console.orders.one;
  const discountCents = discounts.reduce((sum, { amount }) => sum + amount, 0);
  const less = (cents: number) => (cents > 0 ? `−${money(cents)}` : undefined);
  return panel(
    own.amounts,
    details([
      [own.discounts, less(discountCents)],
      [own.tax, totalTax === null ? undefined : money(totalTax)],
      [own.shipping, money(shippingCost)],
      [t.console.orders.total, html`<strong>${money(total)}</strong>`],
      [own.canceled, less(row.canceledCents)],
      [own.refunded, less(row.refundedCents)],
      [t.console.orders.left, html`<strong>${money(adjustedTotal)}</strong>`],
    ]),
  );
}

function loan(
  { t, money, time }: ConsoleRequest,
  { financing, card }: PresentedTransaction,
  row: Transaction,
  application: Application | undefined,
): Html {
  const own = t.console.orders.one;
  const term = financing && counted(own.term, financing.termLength);
  const firstDue = financing?.current ? financing.current.payments[0]?.dueDate : financing?.firstPaymentDue;
  return panel(
    own.loan,
    details([
      [own.financed, financing && money(financing.amount)],
      [own.plan, financing && `${term}, ${t.apr(financing.apr)}`],
      [own.monthly, financing && money(financing.current?.monthly ?? financing.monthly)],
      [own.firstPayment, firstDue && t.date(firstDue)],
      [own.current, financing?.current && money(financing.current.amount)],
      [own.loanNumber, financing?.loanNumber],
      [own.reference, referenceOf(row.applicationId)],
      [own.application, application && t.console.applications[application.status]],
      [
        own.card,
        card &&
          `${money(card.amount)}${row.cardLabel && `, ${row.cardLabel}`}: ${own.cardStates[card.state]}${card.holdExpiresAt ? ` (${time(microsecondsOf(card.holdExpiresAt))})` : ''}`,
      ],
    ]),
  );
}

/** The form that e-mails the buyer the signed agreement, if that is possible. */
async function agreement({ t, deps, form, params, can }: ConsoleRequest, application: Application | undefined) {
  const own = t.console.orders.one;
  const canSend = can('sell') && deps.mail.handling !== 'rejected' && (await canSendCopy(deps.database.query, application));
  if (!canSend) return nothing;
  const fields = html`<p>${own.agreementHint}</p>${submitButton(own.sendAgreement, 'quiet')}`;
  return panel(own.agreement, form(`orders/${params['id']}/agreement`, fields));
}

/** E-mails the buyer the link to the signed agreement again. */
async function sendAgreement({ deps, merchant, user, params, now, to }: ConsoleRequest): Promise<ActionResult> {
  const id = params['id'] ?? '';
  const transaction = await getTransaction(deps.database.query, merchant.id, id);
  await sendCopy(deps.database, { merchant, transaction, actor: `user:${user.id}` }, deps.lifetimes, deps.mail, now);
  deps.onEnqueued();
  return { redirect: to(`orders/${id}`), done: deps.mail.handling === 'sent' ? 'orders.agreement' : 'links.recorded' };
}

const shipmentRules = {
  carrierName: textRule(line(200), (t) => t.console.orders.one.shipmentMessage),
  trackingNumber: identifierRule(line(200), (t) => t.console.orders.one.shipmentMessage),
};

function shipment(
  request: ConsoleRequest,
  { shippingMethodName, carrierName, trackingNumber }: PresentedTransaction,
  row: Transaction,
): Html {
  const { deps, t, form, formState } = request;
  const own = t.console.orders.one;
  const state = { ...formState, values: { carrierName, trackingNumber, ...formState.values } };
  const field = (name: 'carrierName' | 'trackingNumber', label: string) =>
    textField(t, state, { name, label, autocomplete: 'off', isOptional: true, isHalfWidth: true });
  const fields = html`${field('carrierName', own.carrier)} ${field('trackingNumber', own.tracking)} ${submitButton(own.saveShipment, 'quiet')}`;
  return panel(
    own.shipment,
    isPossible(request, 'ship', row)
      ? html`${details([[own.method, shippingMethodName]])}${form(`orders/${row.id}/shipment`, fields)}
        ${apiCall(t, `${deps.publicUrl}/transactions/${row.id}/shipment`, { carrierName, trackingNumber })}`
      : details([
          [own.method, shippingMethodName],
          [own.carrier, carrierName],
          [own.tracking, trackingNumber],
        ]),
  );
}

/** Saves the carrier and the tracking number. */
async function saveShipment({ deps, merchant, user, params, now, to }: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(shipmentRules, body);
  if (!read.ok) return read;
  const { database, lifetimes, mail: loanEmails } = deps;
  const id = params['id'] ?? '';
  const changes = mask(read.values, ShipmentRequest);
  const actor = `user:${user.id}` as const;
  await updateShipment({ database, lifetimes, loanEmails, actor }, { merchantId: merchant.id, id }, changes, now);
  deps.onEnqueued();
  return { redirect: to(`orders/${id}`), done: 'orders.shipment' };
}

function contacts({ t }: ConsoleRequest, { billingContact, shippingContact }: PresentedTransaction): Html {
  const own = t.console.orders;
  const lines = ({ fullName, address, address2, city, state, zip, email, phone }: PresentedTransaction['billingContact']) => {
    const known = [fullName, address, address2, [city, `${state} ${zip}`.trim()].filter(Boolean).join(', '), email, phone].filter(
      Boolean,
    );
    return known.length === 0
      ? own.erased
      : html`${known.map((text, index) => html`${index > 0 ? html`<br />` : nothing}<bdi>${text}</bdi>`)}`;
  };
  return panel(
    own.one.contacts,
    details([
      [own.one.billing, lines(billingContact)],
      [own.one.deliverTo, lines(shippingContact)],
    ]),
  );
}

async function settlement({ t, money, deps, to, can }: ConsoleRequest, id: string): Promise<Html | typeof nothing> {
  if (!can('view-money')) return nothing;
  const own = t.console.orders.one;
  const rows = await listLinesOf(deps.database.query, [id]);
  return panel(
    own.settlement,
    list(t, {
      caption: own.settlement,
      rows,
      empty: own.settlementEmpty,
      columns: [
        { label: own.day, cell: ({ day }) => t.date(day) },
        {
          label: t.console.money.type,
          cell: ({ type, settlementId }) =>
            html`${own.lineTypes[type]} <small>${settlementId ? html`<a href="${to(`money/${settlementId}`)}">${own.paidIn}</a>` : own.nextStatement}</small>`,
        },
        { label: own.gross, cell: ({ grossCents }) => money(grossCents), isAmount: true },
        { label: own.fee, cell: ({ feeCents }) => money(-feeCents), isAmount: true },
        { label: own.net, cell: ({ grossCents, feeCents }) => money(grossCents - feeCents), isAmount: true },
      ],
    }),
  );
}

interface Moment {
  at: Instant;
  title: string;
  detail: string;
}

/** Everything that happened to an order, the earliest first: checkout, changes with their origin, and deliveries of events. */
async function timeline(
  request: ConsoleRequest,
  row: Transaction,
  journal: readonly JournalEntry[],
  application: Application | undefined,
): Promise<Html> {
  const { t, deps, merchant, time } = request;
  const { query } = deps.database;
  const own = t.console.orders.one;
  const cart = await getCart(query, merchant.id, row.cartId);
  const requests = await listRefundRequests(query, row.id);
  const people = requests.flatMap(({ requestedBy, decidedBy }) =>
    decidedBy === null ? [requestedBy] : [requestedBy, decidedBy],
  );
  const names = await namesOf(request, [...journal.map(({ actor }) => actor), ...people.map((id) => `user:${id}`)]);
  const nameOfUser = (id: string | null) => names.get(`user:${id}`) ?? '';
  const approvedBy = new Map(
    requests.flatMap((one) => (one.status === 'approved' ? [[one.revision + 1, one.decidedBy] as const] : [])),
  );
  const adjustments = new Map(presentAdjustments(row, journal).map((one) => [one.createdAt, one]));
  const moments: Moment[] = [
    { at: cart.createdAt, title: own.events.cart, detail: '' },
    ...(application?.submittedAt ? [{ at: application.submittedAt, title: own.events.applied, detail: '' }] : []),
    ...journal.map((entry) => ({
      at: entry.at,
      title: own.events[entry.type],
      detail: [
        changeText(request, entry, adjustments.get(entry.at), names.get(entry.actor) ?? entry.actor),
        ...(approvedBy.has(entry.sequence) ? [fill(own.approvedBy, { actor: nameOfUser(approvedBy.get(entry.sequence)!) })] : []),
      ].join(' · '),
    })),
  ];
  const webhooks = await deliveriesOfTransaction(query, merchant.id, row.id);
  const callback = await readAttempts(query, callbackIdOf(row));
  const deliveries = [
    ...(callback ? [{ ...callback, title: own.callback }] : []),
    ...webhooks.map((one) => ({ ...one, title: fill(own.delivery, { type: one.eventType }) })),
  ];
  for (const { requestedAt, requestedBy, amountCents, status, decidedAt, decidedBy } of requests) {
    const moment = (at: Instant, title: string, by: string | null) =>
      moments.push({ at, title, detail: `${request.money(amountCents)} · ${fill(own.by, { actor: nameOfUser(by) })}` });
    moment(requestedAt, own.refundRequested, requestedBy);
    if (status === 'rejected' && decidedAt !== null) moment(decidedAt, own.refundRejected, decidedBy);
  }
  for (const { createdAt, title, state, attempts } of deliveries) {
    const last = attempts.at(-1);
    const parts = [
      own.deliveryStates[state === 'recorded' ? 'pending' : state],
      counted(own.attempts, attempts.length),
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
    own.timeline,
    html`<ol class="timeline">${sorted.map(({ at, title, detail }) => html`<li><time datetime="${at}">${time(at)}</time><span>${title}${detail ? html` <small>${detail}</small>` : nothing}</span></li>`)}</ol>`,
  );
}

function changeText(
  { t, money }: ConsoleRequest,
  { type, amountCents, reason, reference }: JournalEntry,
  adjustment: Adjustment | undefined,
  by: string,
): string {
  const { one: own, change } = t.console.orders;
  const lines = adjustment?.lines.map(({ sku, quantity }) => `${quantity} × ${sku}`) ?? [];
  const expiry: Partial<Record<string, string>> = own.expiry;
  const why = adjustment?.reason ? change.reasons[adjustment.reason] : expiry[reason ?? ''];
  const amount = amountCents > 0 && type !== 'created' ? money(amountCents) : '';
  return [amount, ...lines, why, reference, type === 'created' ? '' : fill(own.by, { actor: by })].filter(Boolean).join(' · ');
}

/** Returns the names of the origins of changes. */
async function namesOf({ t, deps, merchant }: ConsoleRequest, actors: readonly string[]): Promise<Map<string, string>> {
  const own = t.console.orders.one.actors;
  const others: Partial<Record<string, string>> = own;
  const ids = actors.map((actor) => actor.replace(/^user:/, ''));
  const users = await namesOfUsers(deps.database.query, merchant.tenantId, ids);
  const nameOfActor = (actor: string) => {
    const [kind, id = ''] = actor.split(':');
    if (kind === 'user') return users.get(id);
    return kind === 'key' ? fill(own.key, { key: id }) : others[actor];
  };
  return new Map(actors.map((actor) => [actor, nameOfActor(actor) ?? own.unknown]));
}

function references(
  { t, to }: ConsoleRequest,
  { orderRef, merchantOrderId, serviceTransactionId, cartId }: PresentedTransaction,
): Html {
  const own = t.console.orders.one;
  return panel(
    own.ids,
    details([
      [own.orderRef, orderRef],
      [own.merchantOrderId, merchantOrderId],
      [own.transactionId, copyable(t, serviceTransactionId)],
      [own.link, html`<a href="${to(`links/${cartId}`)}">${own.showLink}</a>`],
    ]),
  );
}
