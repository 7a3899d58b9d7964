import { html } from '@lit-labs/ssr';
import { nothing, type TemplateResult } from 'lit';
import { MAX_QUANTITY, type Bag, type BagLine } from '../bag.ts';
import { bagTotalCents, discountsFor, formatCents, shippingOptions, subtotalCents } from '../totals.ts';
import type { Page } from './layout.ts';

/**
 * Returns the page of the bag.
 *
 * `cart-url` is a URL of this shop that creates the cart and redirects to the checkout, so that prices come from the server.
 * The fallback link has the same URL, for pages without JavaScript and until the widget has loaded.
 *
 * @param isInDialog - Opens the checkout in a dialog instead of replacing this page.
 */
export function bagPage(bag: Bag, serviceUrl: string, apiKey: string, isInDialog = false): Page {
  if (bag.length === 0) return emptyBagPage();
  const main = html`
    <h1>Your bag</h1>
    <div class="checkout">
      <ul class="lines" aria-label="Items">
        ${bag.map(line)}
      </ul>
      <section class="summary" aria-labelledby="summary-title">
        <h2 id="summary-title">Summary</h2>
        <dl class="amounts">
          ${amountRow('Items', formatCents(subtotalCents(bag)))}
          ${discountsFor(bag).map(({ description, amount }) => amountRow(description, `−${formatCents(amount)}`))}
          ${amountRow('Standard delivery', 'Free')} ${amountRow('Total', formatCents(bagTotalCents(bag)), 'total')}
        </dl>
        <financing-button api-key=${apiKey} amount=${bagTotalCents(bag)} cart-url="/checkout/financing" mode=${isInDialog ? 'modal' : nothing}
          ><a slot="fallback" href="/checkout/financing">Pay over time</a></financing-button
        >
        <h3>Delivery</h3>
        <p class="quiet">Select your delivery in the checkout, which updates the total.</p>
        <dl class="amounts">
          ${shippingOptions.map(({ type, cost }) => amountRow(type, cost === 0 ? 'Free' : formatCents(cost)))}
        </dl>
        <p class="quiet">
          Demo:
          ${
            isInDialog
              ? html`<a href="/bag">open the checkout in place of this page</a>.`
              : html`<a href="/bag?mode=modal">open the checkout in a dialog</a> on this page.`
          }
        </p>
      </section>
    </div>
  `;
  return { title: 'Your bag', main, widgetServiceUrl: serviceUrl };
}

function line({ product, quantity }: BagLine): TemplateResult {
  const { slug, name, kind, priceCents } = product;
  return html`
    <li>
      <img src=${`/assets/${slug}.svg`} alt="" width="640" height="640" />
      <div>
        <h2><a href=${`/products/${slug}`}>${name}</a></h2>
        <p class="quiet">${kind}</p>
        <form class="stepper" action="/bag" method="post" aria-label=${`Quantity of ${name}`}>
          <input type="hidden" name="slug" value=${slug} />
          <button name="quantity" value=${quantity - 1} aria-label=${quantity === 1 ? `Remove ${name}` : `Remove one ${name}`}>−</button>
          <output>${quantity}</output>
          <button name="quantity" value=${quantity + 1} aria-label=${`Add one ${name}`} ?disabled=${quantity >= MAX_QUANTITY}>+</button>
        </form>
      </div>
      <p class="price">${formatCents(priceCents * quantity)}</p>
    </li>
  `;
}

/** Renders a row of a list of amounts. */
export function amountRow(label: string, amount: string, className = ''): TemplateResult {
  return html`
    <div class=${className}>
      <dt>${label}</dt>
      <dd>${amount}</dd>
    </div>
  `;
}

function emptyBagPage(): Page {
  const main = html`
    <section class="message">
      <h1>Your bag is empty</h1>
      <p>A good evening starts with a turntable. So do most of ours.</p>
      <p><a class="button" href="/#collection">See the collection</a></p>
    </section>
  `;
  return { title: 'Your bag', main };
}
