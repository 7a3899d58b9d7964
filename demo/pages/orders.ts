import { html } from '@lit-labs/ssr';
import { nothing, type TemplateResult } from 'lit';
import { expectedTotalCents, type Order } from '../orders.ts';
import { formatCents } from '../totals.ts';
import type { Page } from './layout.ts';

/** Returns the back office, which shows each order with its log. A real shop restricts it to its staff. */
export function ordersPage(orders: readonly Order[]): Page {
  const main = html`
    <h1>Back office</h1>
    <p class="lead">Orders as stored by this shop's server, in memory until it restarts.</p>
    ${orders.length === 0 ? html`<p class="quiet">No orders yet. Add a product to your bag and pay over time.</p>` : orders.map(card)}
  `;
  return { title: 'Back office', main };
}

function card(order: Order): TemplateResult {
  const { orderRef, status, bag, delivery, transactionId, callbackAt, events } = order;
  return html`
    <article class="order" aria-labelledby=${orderRef}>
      <h2 id=${orderRef}>${orderRef}</h2>
      <p class="status" data-status=${status}>${status}</p>
      <dl class="properties">
        ${property('Items', bag.map(({ product, quantity }) => `${quantity} × ${product.name}`).join(', '))}
        ${property('Expected total', `${formatCents(expectedTotalCents(order, delivery))}${delivery ? '' : ' before delivery'}`)}
        ${property('Transaction', transactionId ?? 'none yet')}
        ${property('Callback received', callbackAt ? html`<time datetime=${callbackAt.toISOString()}>${timeOfDay(callbackAt)} UTC</time>` : 'not yet')}
      </dl>
      <h3>Server log</h3>
      <ol class="events">
        ${events.map(({ at, text }) => html`<li><time datetime=${at.toISOString()}>${timeOfDay(at)}</time> ${text}</li>`)}
      </ol>
    </article>
  `;
}

function property(label: string, value: string | TemplateResult | typeof nothing): TemplateResult {
  return html`
    <div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>
  `;
}

/** Formats the time of day in UTC. */
function timeOfDay(at: Date): string {
  return at.toISOString().slice(11, 19);
}
