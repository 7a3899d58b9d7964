import { html } from '@lit-labs/ssr';
import { nothing, type TemplateResult } from 'lit';
import { formatCents } from '../money.ts';
import { expectedTotalCents, type Order } from '../orders.ts';
import type { Page } from './layout.ts';

/** The back office: each order, and what this shop's server saw of it. A real shop puts it behind its staff's sign-in. */
export function ordersPage(orders: readonly Order[]): Page {
  const main = html`
    <h1>Back office</h1>
    <p class="lead">What this shop's own server knows about its orders. They are kept in memory and gone after a restart.</p>
    ${orders.length === 0 ? html`<p class="quiet">No orders yet. Put something in your bag and pay over time.</p>` : orders.map(card)}
  `;
  return { title: 'Back office', main };
}

function card(order: Order): TemplateResult {
  const { orderRef, status, bag, delivery, transactionId, callbackAt, events } = order;
  return html`
    <article class="order" aria-labelledby=${orderRef}>
      <h2 id=${orderRef}>${orderRef}</h2>
      <p class="status" data-status=${status}>${status}</p>
      <dl class="facts">
        ${fact('Items', bag.map(({ product, quantity }) => `${quantity} × ${product.name}`).join(', '))}
        ${fact('Expected total', `${formatCents(expectedTotalCents(order, delivery))}${delivery ? '' : ' before delivery'}`)}
        ${fact('Transaction', transactionId ?? 'none yet')}
        ${fact('Callback received', callbackAt ? html`<time datetime=${callbackAt.toISOString()}>${clock(callbackAt)} UTC</time>` : 'not yet')}
      </dl>
      <h3>What the server saw</h3>
      <ol class="events">
        ${events.map(({ at, text }) => html`<li><time datetime=${at.toISOString()}>${clock(at)}</time> ${text}</li>`)}
      </ol>
    </article>
  `;
}

function fact(what: string, value: string | TemplateResult | typeof nothing): TemplateResult {
  return html`
    <div>
      <dt>${what}</dt>
      <dd>${value}</dd>
    </div>
  `;
}

/** The time of day, UTC. */
function clock(at: Date): string {
  return at.toISOString().slice(11, 19);
}
