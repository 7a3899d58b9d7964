import { html } from '@lit-labs/ssr';
import type { Bag } from '../bag.ts';
import { bagTotalCents, formatCents, formatLine, shippingOptions } from '../totals.ts';
import { labeledValue, type Page } from './layout.ts';

/** Returns the checkout with a card, which this demo simulates: it asks for no card, and charges nothing. */
export function cardPage(bag: Bag): Page {
  const main = html`
    <section class="receipt">
      <h1>Pay by card</h1>
      <p class="lead">This demo has no card processor. The order is placed as if your card had been charged, and nothing is charged.</p>
      <dl class="amounts">
        ${bag.map((line) => labeledValue(formatLine(line), formatCents(line.product.priceCents * line.quantity)))}
        ${labeledValue('Total before delivery', formatCents(bagTotalCents(bag)), 'total')}
      </dl>
      <form action="/checkout/card" method="post">
        <fieldset class="choices">
          <legend>Delivery</legend>
          ${shippingOptions.map(
            ({ type, typeId, cost }, index) => html`
              <label>
                <input type="radio" name="delivery" value=${typeId} ?checked=${index === 0} />
                ${type} <span class="quiet">${cost === 0 ? 'Free' : formatCents(cost)}</span>
              </label>
            `,
          )}
        </fieldset>
        <p class="links"><button class="button">Place the order</button> <a href="/bag">Back to your bag</a></p>
      </form>
    </section>
  `;
  return { title: 'Pay by card', main };
}
