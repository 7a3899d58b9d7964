import { html } from '@lit-labs/ssr';
import type { TemplateResult } from 'lit';
import { formatCents } from '../money.ts';
import { expectedTotalCents, type Order, type OrderStatus } from '../orders.ts';
import { sum } from './bag.ts';
import type { Page } from './layout.ts';

const texts: Record<OrderStatus, { title: string; status: string; text: string }> = {
  placed: {
    title: 'Thank you. One moment, please.',
    status: 'We are confirming your financing',
    text: 'This page looks again by itself. You can also close it: your order goes on without it.',
  },
  confirmed: {
    title: 'Thank you. It is yours.',
    status: 'Approved and confirmed',
    text: 'Your financing is in place and we have started packing. You will hear from us when it leaves.',
  },
  suspicious: {
    title: 'We are looking at your order',
    status: 'Waiting for a person',
    text: 'What was financed and what was ordered do not match, so we have taken nothing. We will write to you today.',
  },
  declined: {
    title: 'Your card was declined',
    status: 'Not confirmed',
    text: 'The card for the part that is not financed was declined, and the financing was taken back. Ask your bank, or use another card.',
  },
};

/**
 * Returns the page after a completed checkout.
 *
 * @param transactionId - From the query, so that it can be any text.
 */
export function thankYouPage(order: Order, transactionId: string): Page {
  const { title, status, text } = texts[order.status];
  const main = html`
    <article class="receipt">
      <p class="status" data-status=${order.status} role="status">${status}</p>
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      <dl class="facts">
        <div>
          <dt>Order number</dt>
          <dd>${order.orderRef}</dd>
        </div>
        <div>
          <dt>Transaction</dt>
          <dd>${order.transactionId ?? transactionId}</dd>
        </div>
      </dl>
      <h2>What you ordered</h2>
      ${sums(order)}
      <p class="ways">
        ${next(order)} <a href=${`/orders#${order.orderRef}`}>See what this shop’s server did</a>
      </p>
    </article>
  `;
  return { title, main };
}

function sums({ bag, discounts, delivery, ...order }: Order): TemplateResult {
  const total = expectedTotalCents({ bag, discounts, ...order }, delivery);
  return html`
    <dl class="sums">
      ${bag.map(({ product, quantity }) => sum(`${quantity} × ${product.name}`, formatCents(product.priceCents * quantity)))}
      ${discounts.map(({ description, amount }) => sum(description, `−${formatCents(amount)}`))}
      ${delivery ? sum(delivery.type, delivery.cost === 0 ? 'Free' : formatCents(delivery.cost)) : ''}
      ${sum(delivery ? 'Total' : 'Total before delivery', formatCents(total), 'total')}
    </dl>
  `;
}

function next({ status }: Order): TemplateResult {
  if (status === 'placed') return html`<a class="button" href="">Look again now</a>`;
  if (status === 'declined') return html`<a class="button" href="/bag">Back to your bag</a>`;
  return html`<a class="button" href="/">Back to the shop</a>`;
}
