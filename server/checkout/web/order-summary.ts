import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { disclosureTexts } from '../../../shared/languages/index.ts';
import { counted, fill } from '../../../shared/languages/texts.ts';
import { parseUrl } from '../../../shared/url.ts';
import type { CartItem, CartOptions } from '../../../shared/wire/cart.ts';
import type { Application } from '../../lending/applications/store.ts';
import { quoteOf } from '../../lending/programs/as-low-as/quotes.ts';
import type { Html } from '../../http/pages/html.ts';
import type { Texts } from '../../base/texts.ts';
import type { Instant } from '../../base/time.ts';
import type { Session } from '../session/session.ts';

/** The picture of an item, or an empty space if the page must not load it. */
function picture(image: ShownItems['items'][number]['image']): Html | typeof nothing {
  if (!image) return nothing;
  return image === 'hidden'
    ? html`<span class="no-image"></span>`
    : html`<img src="${image.url}" alt="" width="56" height="56" loading="lazy" />`;
}

/** The order with its monthly payment, folded on narrow screens. Styles show all of it on wide ones. */
export function orderSummary(t: Texts, session: Session, now: Instant): Html {
  const { purchase, program, application } = session;
  const total = t.money(purchase.totals.totalCents, program.currency);
  const { label, payment, terms } = application?.tierId
    ? approvedPayment(t, session, application)
    : examplePayment(t, session, now);
  return html`<aside aria-label="${t.order.heading}">
    <details>
      <summary>
        <span>${t.order.heading}</span><strong data-shows="total">${total}</strong> ${label && html`<small>${label}</small>`}
      </summary>
      <h2>${t.order.heading}</h2>
      ${orderContents(t, session)}
      <p class="payment">${payment && html`<strong>${payment}</strong>`} ${terms}</p>
    </details>
  </aside>`;
}

/** Texts about the monthly payment. `label` is shown while the order is folded. */
interface Payment {
  label: string;
  payment: string;
  terms: string;
}

const NO_PAYMENT: Payment = { label: '', payment: '', terms: '' };

/** The payment of the chosen plan, or else the lowest of the approved plans. It is an offer to one person, not advertising. */
function approvedPayment(t: Texts, { plans, program }: Session, { offerId }: Application): Payment {
  const chosen = plans.find((plan) => plan.offerId === offerId);
  const plan = chosen ?? plans[0];
  if (!plan) return NO_PAYMENT;
  const amount = t.money(plan.schedule.levelPaymentCents, program.currency);
  const term = counted(t.plans.term, plan.termLength);
  const payment = chosen ? fill(t.order.chosenPayment, { amount, term }) : fill(t.order.from, { amount });
  return { label: payment, payment, terms: '' };
}

/** An advertised payment requires its terms next to it: 12 CFR 1026.24(d). Without a payment, the text states the reason. */
function examplePayment(t: Texts, { program, purchase }: Session, now: Instant): Payment {
  const { totalCents } = purchase.totals;
  if (totalCents <= 0) return NO_PAYMENT;
  const { monthly, amount, asLowAsText } = quoteOf(program, totalCents, now, disclosureTexts[t.language]).asLowAs;
  if (monthly === 0) return { label: '', payment: '', terms: asLowAsText };
  return { label: t.order.seePayment, payment: fill(t.emails.cart.asLowAs, { amount }), terms: asLowAsText };
}

/**
 * The items and the total of an order, and its portions. The client script updates the elements with `data-shows` when a shipping option is
 * picked.
 *
 * @param isAsSigned - False after a cancellation or refund: the page then states what is left of the loan.
 */
export function orderContents(t: Texts, { purchase, program, portions, application }: Session, isAsSigned = true): Html {
  const { options, totals, shipping } = purchase;
  const { items, more } = shownItems(options);
  const { financedCents, cardCents } = portions;
  const isSplit = cardCents > 0 && Boolean(application?.tierId) && isAsSigned;
  const money = (cents: number) => t.money(cents, program.currency);
  const line = (label: string, value: string) =>
    html`<div>
      <dt dir="auto">${label}</dt>
      <dd>${value}</dd>
    </div>`;
  const itemized = options.customTotal === undefined;
  const isShippingOpen = itemized && !shipping && (options.shippingOptions?.length ?? 0) > 0;
  return html`
    ${
      items.length > 0
        ? html`<ul class="items ${itemized ? 'priced' : ''}">
          ${items.map(
            (item) =>
              html`<li>
                ${picture(item.image)}
                <span class="item"><bdi>${item.name || item.sku || t.order.item}</bdi><small>${fill(t.order.quantity, { n: item.quantity })}</small></span>
                ${itemized ? html`<span class="amount">${money(item.price * item.quantity)}</span>` : nothing}
              </li>`,
          )}
          ${
            more
              ? html`<li>
                  <span class="item">${counted(t.order.moreItems, more.count)}</span>
                  ${itemized ? html`<span class="amount">${money(more.cents)}</span>` : nothing}
                </li>`
              : nothing
          }
        </ul>`
        : nothing
    }
    <dl class="totals">
      ${itemized ? line(t.order.subtotal, money(totals.itemsCents)) : nothing}
      ${itemized ? (options.discounts ?? []).map(({ description, amount }) => line(description, money(-amount))) : nothing}
      ${
        itemized && (shipping || isShippingOpen)
          ? html`<div ?hidden=${!shipping}>
              <dt dir="auto" data-shows="shipping">${shipping?.type}</dt>
              <dd data-shows="cost">${shipping && (shipping.cost === 0 ? t.order.free : money(shipping.cost))}</dd>
            </div>`
          : nothing
      }
      ${itemized && totals.taxCents !== null ? line(t.order.tax, money(totals.taxCents)) : nothing}
      <div class="total">
        <dt data-shows="label">${isShippingOpen ? t.order.totalBeforeShipping : t.order.total}</dt>
        <dd data-shows="total">${money(totals.totalCents)}</dd>
      </div>
      ${isSplit ? [line(t.order.financed, money(financedCents)), line(t.order.byCard, money(cardCents))] : nothing}
    </dl>`;
}

/** Limits the cost of rendering a page. */
const MAX_ITEMS = 50;

/** Limits the length of the content security policy, which proxies restrict. */
const MAX_IMAGE_ORIGINS = 20;

/** The items of a cart as the pages show them. */
export interface ShownItems {
  /** The first items. `image` is `hidden` if the page must not load pictures from its host. */
  items: (CartItem & { image: { url: string } | 'hidden' | undefined })[];
  /** Number and cost of the other items. */
  more: { count: number; cents: number } | undefined;
  /** Origins of the pictures. */
  imageOrigins: readonly string[];
}

/** Limits the items and the picture hosts of a page, for carts of any size. */
export function shownItems({ items = [] }: Pick<CartOptions, 'items'>): ShownItems {
  const shown = items.slice(0, MAX_ITEMS);
  const others = items.slice(MAX_ITEMS);
  const origins = shown.map(({ imageUrl }) => originInPolicy(imageUrl));
  const imageOrigins = new Set([...new Set(origins.filter((origin) => origin !== undefined))].slice(0, MAX_IMAGE_ORIGINS));
  return {
    items: shown.map((item, index) => ({ ...item, image: imageOf(item, imageOrigins.has(origins[index]!)) })),
    more: others.length > 0 ? { count: others.length, cents: costOf(others) } : undefined,
    imageOrigins: [...imageOrigins],
  };
}

function imageOf({ imageUrl }: CartItem, isLoaded: boolean): ShownItems['items'][number]['image'] {
  if (!/^https?:/i.test(imageUrl)) return undefined;
  return isLoaded ? { url: imageUrl } : 'hidden';
}

function costOf(items: readonly CartItem[]): number {
  return items.reduce((cents, { price, quantity }) => cents + price * quantity, 0);
}

/**
 * Returns the origin of a URL for a content security policy. Undefined for anything but http and https, and for host names with
 * semicolons or asterisks, which have a meaning in a policy.
 */
export function originInPolicy(address: string): string | undefined {
  const origin = parseUrl(address)?.origin ?? '';
  return /^https?:\/\/[a-z0-9.:[\]-]+$/.test(origin) ? origin : undefined;
}
