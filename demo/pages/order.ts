import { html } from '@lit-labs/ssr';
import type { Transaction } from '@fairterm/client';
import { nothing, type TemplateResult } from 'lit';
import type { LogEntry } from '../order-log.ts';
import { expectedTotalCents, type Order, remainingItems } from '../orders.ts';
import { formatCents, paymentRows } from '../totals.ts';
import { labeledValue, type Page } from './layout.ts';
import { localTime } from './orders.ts';

export interface OrderView {
  order: Order;
  transaction: Transaction | undefined;
  /** Address of the merchant's console, if there is one. */
  consoleUrl: string | undefined;
  timeZone: string;
  /** The failure of the last action; empty if it succeeded. */
  problem: string;
  /** Idempotency key of the next action. */
  key: string;
}

/** Returns the page of an order in the back office: its payment, actions, and log. */
export function orderPage(view: OrderView): Page {
  const { order, transaction, consoleUrl, timeZone, problem } = view;
  const { orderRef, status, placedAt, delivery, payment } = order;
  const main = html`
    <nav class="crumbs" aria-label="Breadcrumb"><a href="/orders">Back office</a> <span aria-hidden="true">/</span> ${orderRef}</nav>
    <article class="office">
      <h1>${orderRef}</h1>
      <p class="status" data-status=${status}>${status}</p>
      ${problem ? html`<p class="problem" role="alert">${problem}</p>` : nothing}
      <dl class="properties">
        ${labeledValue('Placed', localTime(placedAt, timeZone))} ${labeledValue('Delivery', delivery?.type ?? 'not selected yet')}
        ${labeledValue('Total', `${formatCents(expectedTotalCents(order, delivery))}${delivery ? '' : ' before delivery'}`)}
        ${payment === 'card' ? labeledValue('Payment', 'by card, simulated') : financing(order, transaction)}
        ${
          consoleUrl && transaction
            ? labeledValue(
                'Console',
                html`<a href=${`${consoleUrl}/orders/${transaction.serviceTransactionId}`}>Open in the console</a>`,
              )
            : nothing
        }
      </dl>
      ${items(view)} ${transaction ? actions(view, transaction) : nothing}
      <h2>Log</h2>
      <p class="quiet">Requests to the service and its webhooks, without contacts. Times are in ${timeZone}.</p>
      <ol class="events">
        ${order.log.map((entry) => logEntry(entry, timeZone))}
      </ol>
    </article>
  `;
  return { title: `Order ${orderRef}`, main };
}

function financing({ transactionId }: Order, transaction: Transaction | undefined): TemplateResult {
  return html`
    ${labeledValue('Transaction', transactionId ?? 'none yet')}
    ${
      transaction
        ? html`
            ${labeledValue('Status', transaction.status)} ${paymentRows(transaction).map(([label, value]) => labeledValue(label, value))} ${labeledValue('Remaining', formatCents(transaction.adjustedTotal))}
            ${labeledValue('Shipment', `${transaction.carrierName} ${transaction.trackingNumber}`.trim() || 'not shipped')}
          `
        : nothing
    }
  `;
}

/** Renders the items. If some can be canceled or refunded, each has a field for the quantity, which belongs to the form `return`. */
function items({ order, transaction }: OrderView): TemplateResult {
  const remaining = new Map(remainingItems(order).map(({ sku, quantity }) => [sku, quantity]));
  const verb = transaction && returnVerb(transaction);
  return html`
    <h2>Items</h2>
    <ul class="items">
      ${order.bag.map(({ product: { sku, name, priceCents }, quantity }) => {
        const left = remaining.get(sku) ?? 0;
        return html`
          <li>
            <span>
              ${quantity} × ${name}, ${formatCents(priceCents)} each
              ${left < quantity ? html`<span class="quiet">· ${left} not canceled or refunded</span>` : nothing}
            </span>
            ${
              verb && left > 0
                ? html`<label>${verb} <input form="return" name=${sku} type="number" min="0" max=${left} value="0" aria-label=${`${verb} ${name}`} /></label>`
                : nothing
            }
          </li>
        `;
      })}
    </ul>
  `;
}

/** Returns what can be done with items in the transaction's status. */
function returnVerb({ status }: Transaction): 'Cancel' | 'Refund' | undefined {
  if (status === 'SETTLED') return 'Refund';
  return status === 'PENDING' || status === 'AUTHORIZED' ? 'Cancel' : undefined;
}

function actions({ order, key }: OrderView, transaction: Transaction): TemplateResult {
  const { status, adjustedTotal, carrierName, trackingNumber } = transaction;
  const verb = returnVerb(transaction);
  const form = (id: string, content: TemplateResult) => html`
    <form id=${id} class="action" action=${`/orders/${order.orderRef}`} method="post">
      <input type="hidden" name="key" value=${key} />${content}
    </form>
  `;
  return html`
    ${
      verb
        ? form(
            'return',
            html`
              <button class="button plain" name="action" value=${`${verb.toLowerCase()}-items`}>${verb} chosen items</button>
              <button class="button plain" name="action" value=${verb.toLowerCase()}>${verb} all, ${formatCents(adjustedTotal)}</button>
            `,
          )
        : nothing
    }
    ${
      status === 'AUTHORIZED' || status === 'SETTLED'
        ? form(
            'ship',
            html`
              <label>Carrier <input name="carrierName" value=${carrierName || 'UPS'} required maxlength="100" /></label>
              <label>Tracking number <input name="trackingNumber" value=${trackingNumber || '1Z999AA10123456784'} required maxlength="100" /></label>
              <button class="button plain" name="action" value="ship">${trackingNumber ? 'Update shipment' : 'Ship'}</button>
            `,
          )
        : nothing
    }
    ${
      status === 'AUTHORIZED'
        ? form(
            'settle',
            html`
              <button class="button" name="action" value="settle">Settle ${formatCents(adjustedTotal)}</button>
              <p class="quiet">When the order has shipped. It starts the payment to the shop; afterwards, items are refunded.</p>
            `,
          )
        : nothing
    }
  `;
}

function logEntry({ at, text, details }: LogEntry, timeZone: string): TemplateResult {
  return html`
    <li>
      ${localTime(at, timeZone)}
      ${
        details
          ? html`<details>
              <summary>${text}</summary>
              <pre tabindex="0">${details}</pre>
            </details>`
          : html`<span>${text}</span>`
      }
    </li>
  `;
}
