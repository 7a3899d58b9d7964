import { html } from '@lit-labs/ssr';
import { nothing, type TemplateResult } from 'lit';
import {
  MAX_QUANTITY,
  type Bag,
  type BagLine,
  bagTotalCents,
  discountsFor,
  formatCents,
  shippingOptions,
  subtotalCents,
} from '../bag.ts';
import { labeledValue, type Page } from './layout.ts';

/** The values of the button's `mode`: the checkout opens in this tab, a popup or a dialog. */
export const modes = ['redirect', 'popup', 'modal'] as const;

/** The options of the demo, which the links below the bag select. */
export interface BagView {
  mode: (typeof modes)[number];
  /** True if the shop knows the buyer's address, with which the checkout is prefilled. */
  isSignedIn: boolean;
}

/**
 * Returns the page of the bag, with two ways to pay next to each other, and the monthly price with its disclosure below them.
 *
 * `cart-url` is a URL of this shop that creates the cart and redirects to the checkout, so that prices come from the server.
 * The fallback link has the same URL, for pages without JavaScript and until the widget has loaded.
 */
export function bagPage(bag: Bag, view: BagView, serviceUrl: string, apiKey: string): Page {
  if (bag.length === 0) return emptyBagPage();
  const totalCents = bagTotalCents(bag);
  const cartUrl = view.isSignedIn ? '/checkout/financing?buyer=ada' : '/checkout/financing';
  // `bagTotalCents` has no delivery: standard delivery, which the summary lists, is free.
  const main = html`
    <h1>Your bag</h1>
    <div class="checkout">
      <ul class="lines" aria-label="Items">
        ${bag.map(line)}
      </ul>
      <section class="summary" aria-labelledby="summary-title">
        <h2 id="summary-title">Summary</h2>
        <dl class="amounts">
          ${labeledValue('Items', formatCents(subtotalCents(bag)))}
          ${discountsFor(bag).map(({ description, amount }) => labeledValue(description, `−${formatCents(amount)}`))}
          ${labeledValue('Standard delivery', 'Free')} ${labeledValue('Total', formatCents(totalCents), 'total')}
        </dl>
        <div class="payments">
          <a class="button plain" href="/checkout/card">Checkout</a>
          <financing-button api-key=${apiKey} amount=${totalCents} cart-url=${cartUrl} mode=${view.mode} show="button"
            ><a slot="fallback" href=${cartUrl}>Pay over time</a></financing-button
          >
        </div>
        <financing-button api-key=${apiKey} amount=${totalCents} show="estimate"></financing-button>
        <h3>Delivery</h3>
        <p class="quiet">Select your delivery in the checkout, which updates the total.</p>
        <dl class="amounts">
          ${shippingOptions.map(({ type, cost }) => labeledValue(type, cost === 0 ? 'Free' : formatCents(cost)))}
        </dl>
        ${demoOptions(view)}
      </section>
    </div>
  `;
  return { title: 'Your bag', main, widgetServiceUrl: serviceUrl };
}

function demoOptions({ mode, isSignedIn }: BagView): TemplateResult {
  const option = (label: string, chosen: BagView) => {
    const isCurrent = chosen.mode === mode && chosen.isSignedIn === isSignedIn;
    const query = new URLSearchParams({ mode: chosen.mode, ...(chosen.isSignedIn && { buyer: 'ada' }) });
    return html`<a href=${`/bag?${query.toString()}`} aria-current=${isCurrent ? 'true' : nothing}>${label}</a>`;
  };
  return html`
    <nav class="quiet options" aria-label="Demo options">
      <p>
        Demo: open the checkout ${option('in this tab', { mode: 'redirect', isSignedIn })}, ${option('in a popup', { mode: 'popup', isSignedIn })}
        or ${option('in a dialog', { mode: 'modal', isSignedIn })}, as ${option('a guest', { mode, isSignedIn: false })} or
        ${option('a signed-in buyer', { mode, isSignedIn: true })}.
      </p>
    </nav>
  `;
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
