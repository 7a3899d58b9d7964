import { html } from '@lit-labs/ssr';
import type { Transaction } from '@fairterm/client';
import { nothing, type TemplateResult } from 'lit';
import { expectedTotalCents, type Order, type OrderStatus } from '../orders.ts';
import { formatCents, formatLine } from '../bag.ts';
import { labeledValue, type Page } from './layout.ts';

const texts: Record<OrderStatus, { title: string; status: string; text: string }> = {
  placed: {
    title: 'Thank you. One moment, please.',
    status: 'We are confirming your financing',
    text: 'This page refreshes automatically. You can also close it: we will process your order.',
  },
  confirmed: {
    title: 'Thank you. It is yours.',
    status: 'Approved and confirmed',
    text: 'Your financing is confirmed and we have started packing. We will email you when your order ships.',
  },
  suspicious: {
    title: 'We are reviewing your order',
    status: 'Under review',
    text: 'The financing does not match your order, so nothing was charged. We will email you today.',
  },
  declined: {
    title: 'Your card was declined',
    status: 'Not confirmed',
    text: 'The card for the part that is not financed was declined, and the financing was canceled. Contact your bank, or use another card.',
  },
};

const cardTexts = {
  title: 'Thank you. It is yours.',
  status: 'Confirmed',
  text: 'Your card was not charged, because this is a demo. We have started packing, and will email you when your order ships.',
};

/**
 * Returns the page after a completed checkout.
 *
 * @param transactionId - From the query, so it can contain any text.
 * @param consoleUrl - Address of the merchant's console. A real shop has no link to it on a page for buyers.
 */
export function thankYouPage(order: Order, transactionId: string, consoleUrl: string | undefined): Page {
  const { title, status, text } = order.payment === 'card' ? cardTexts : texts[order.status];
  const main = html`
    <article class="receipt">
      <p class="status" data-status=${order.status} role="status">${status}</p>
      <h1>${title}</h1>
      <p class="lead">${text}</p>
      <dl class="amounts">
        ${labeledValue('Order number', order.orderRef)}
        ${transactionId ? labeledValue('Transaction', order.transactionId ?? transactionId) : nothing}
      </dl>
      <h2>Your order</h2>
      ${amounts(order)} ${order.transaction && order.status === 'confirmed' ? plan(order.transaction) : nothing}
      <p class="links">
        ${next(order)} ${consoleUrl && order.transaction ? html`<a href=${`${consoleUrl}/orders/${order.transactionId}`}>See this order in the console</a>` : nothing}
      </p>
    </article>
  `;
  return { title, main };
}

function amounts(order: Order): TemplateResult {
  const { bag, discounts, delivery } = order;
  const total = expectedTotalCents(order, delivery);
  return html`
    <dl class="amounts">
      ${bag.map((line) => labeledValue(formatLine(line), formatCents(line.product.priceCents * line.quantity)))}
      ${discounts.map(({ description, amount }) => labeledValue(description, `−${formatCents(amount)}`))}
      ${delivery ? labeledValue(delivery.type, delivery.cost === 0 ? 'Free' : formatCents(delivery.cost)) : ''}
      ${labeledValue(delivery ? 'Total' : 'Total before delivery', formatCents(total), 'total')}
    </dl>
  `;
}

const percent = new Intl.NumberFormat('en-US', { style: 'percent', maximumFractionDigits: 2 });

/** Returns how a transaction is paid: the loan, and the card if the loan does not cover the total. */
function plan({ financing, card }: Transaction): TemplateResult {
  return html`
    <h2>Your plan</h2>
    <dl class="amounts">
      ${financing ? loan(financing) : nothing} ${card ? labeledValue('Card', `${formatCents(card.amount)}, ${card.state}`) : nothing}
    </dl>
  `;
}

function loan({ amount, monthly, termLength, apr, firstPaymentDue }: NonNullable<Transaction['financing']>): TemplateResult {
  // A date without a time, which no time zone may change.
  const firstPayment = new Date(firstPaymentDue).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });
  return html`
    ${labeledValue('Loan', formatCents(amount))}
    ${labeledValue('Plan', `${formatCents(monthly)} a month for ${termLength} months at ${percent.format(apr)} APR`)}
    ${labeledValue('First payment', firstPayment)}
  `;
}

function next({ status }: Order): TemplateResult {
  if (status === 'placed') return html`<a class="button" href="">Refresh now</a>`;
  if (status === 'declined') return html`<a class="button" href="/bag">Back to your bag</a>`;
  return html`<a class="button" href="/">Back to the shop</a>`;
}
