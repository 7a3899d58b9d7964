import { html } from '@lit-labs/ssr';
import type { TemplateResult } from 'lit';
import { expectedTotalCents, type Order } from '../orders.ts';
import { formatCents, formatLine } from '../totals.ts';
import type { Page } from './layout.ts';

/** Returns the list of orders of the back office. */
export function ordersPage(orders: readonly Order[], timeZone: string): Page {
  const main = html`
    <h1>Back office</h1>
    <p class="lead">Select an order to ship, settle, cancel or refund it. Orders are in memory until this server restarts.</p>
    ${orders.length === 0 ? html`<p class="quiet">No orders yet. Add a product to your bag and pay over time.</p>` : table(orders, timeZone)}
  `;
  return { title: 'Back office', main };
}

function table(orders: readonly Order[], timeZone: string): TemplateResult {
  return html`
    <ul class="orders">
      ${orders.map((order) => {
        const { orderRef, status, placedAt, bag, delivery, payment, transaction } = order;
        return html`
          <li class="order">
            <h2><a href=${`/orders/${orderRef}`}>${orderRef}</a></h2>
            <p class="status" data-status=${status}>${status}</p>
            <p>
              ${bag.map(formatLine).join(', ')}<br />
              <strong>${formatCents(expectedTotalCents(order, delivery))}</strong>
              ${payment === 'card' ? 'by card' : `financed${transaction ? `, ${transaction.status}` : ''}`}
            </p>
            <p class="quiet">${localTime(placedAt, timeZone)}</p>
          </li>
        `;
      })}
    </ul>
    <p class="quiet">Times are in ${timeZone}.</p>
  `;
}

/** Renders a time with its date in a time zone, such as `Nov 24, 2026, 3:12:07 PM`. */
export function localTime(at: Date, timeZone: string): TemplateResult {
  const text = at.toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'medium', timeZone });
  return html`<time datetime=${at.toISOString()}>${text}</time>`;
}
