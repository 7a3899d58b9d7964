import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { plainPunctuation } from '../../../shared/plain-punctuation.ts';
import { Email } from '../../../shared/wire/contact-fields.ts';
import { type CartPage, readCartPage } from '../../purchases/carts/list.ts';
import type { PricedCart } from '../../purchases/carts/carts.ts';
import { asLowAsOf } from '../../purchases/carts/present.ts';
import { cartStatusOf } from '../../purchases/carts/status.ts';
import { cartTotals, preselectedShipping } from '../../purchases/carts/totals.ts';
import type { Html } from '../../http/pages/html.ts';
import type { Instant } from '../../base/time.ts';
import { badge, buttonLink, type Tone } from '../web/elements.ts';
import { list, pageAfter, searchedText, searchField } from '../web/list.ts';
import type { ConsoleRequest, Show } from '../web/screen.ts';
import { t } from '../web/texts.ts';

const VIEWS = ['all', 'open', 'in-progress', 'completed', 'ended', 'expired'] as const;
type View = (typeof VIEWS)[number];

const PAGE_SIZE = 25;

/** The links that users of the console have created, or all checkouts of the merchant, which an order number or e-mail address finds. */
export const showLinks: Show = async (request) => {
  const { deps, merchant, query, to, now, can, time } = request;
  const view = VIEWS.find((each) => each === query.get('view')) ?? 'all';
  const text = searchedText(query);
  const isOfAll = text !== '' || query.get('of') === 'all';
  const parameters = {
    limit: String(PAGE_SIZE),
    ...(view !== 'all' && { status: view }),
    ...(text !== '' && { [Email.is(text) ? 'email' : 'orderRef']: plainPunctuation(text) }),
  };
  const { carts, next } = await pageAfter(query, (after) =>
    readCartPage(deps.database.query, merchant.id, { ...parameters, ...after }, now, !isOfAll),
  );
  const addressOf = (of: View, position?: string) =>
    to('links', { view: of, of: isOfAll ? 'all' : undefined, q: text, after: position });
  return {
    title: 'Links',
    content: html`<p class="lead">Let a buyer pay over time for an order by phone or in a store.</p>
      ${can('sell') ? html`<p>${buttonLink('Create a link', to('links/new'))}</p>` : nothing}
      ${list<CartPage['carts'][number]>({
        caption: 'Links',
        tabs: VIEWS.map((each) => ({
          label: each === 'all' ? 'All' : BADGES[each][0],
          address: addressOf(each),
          isCurrent: each === view,
        })),
        filters: html`<form class="filters" method="get" action="${to('links')}" role="search">
          ${searchField('Order number or e-mail address of the cart', text)}
          <select name="of" aria-label="Checkouts">
            <option value="users">Links of your team</option>
            <option value="all" ?selected=${isOfAll}>All checkouts</option>
          </select>
          <button class="quiet">Find</button>
        </form>`,
        columns: [
          {
            label: 'Order',
            cell: ({ cart }) => html`<a href="${to(`links/${cart.id}`)}" dir="auto">${linkTitle(cart)}</a>`,
          },
          { label: 'Progress', cell: (priced) => linkBadge(request, priced) },
          { label: 'Total', cell: (priced) => totalOf(request, priced), isAmount: true },
          { label: 'Created by', cell: ({ cart }) => html`<span dir="auto">${cart.createdBy}</span>` },
          { label: 'Created', cell: ({ cart }) => time(cart.createdAt) },
        ],
        rows: carts,
        empty: view === 'all' ? 'No link has been created yet.' : 'There are no such links.',
        next: next && addressOf(view, next),
      })}`,
  };
};

/** Returns the reference of a link's order, or its first item. */
export function linkTitle({ options }: CartPage['carts'][number]['cart']): string {
  return options.orderRef ?? options.items?.[0]?.name ?? 'Without a name';
}

export function totalOf({ money }: ConsoleRequest, { cart, program }: CartPage['carts'][number]): string {
  const { totalCents } = cartTotals(cart.options, preselectedShipping(cart.options));
  return program ? t.money(totalCents, program.currency) : money(totalCents);
}

/** Returns the "as low as" example of a cart. */
export function exampleOf({ now }: ConsoleRequest, priced: PricedCart): Html | typeof nothing {
  const { asLowAsText } = asLowAsOf(priced, now);
  return asLowAsText ? html`${asLowAsText}` : nothing;
}

/** The status of a cart, or that its link was opened before the buyer has started. */
type LinkState = ReturnType<typeof linkStateOf>;

/** Returns how far a buyer is. */
export function linkStateOf(priced: PricedCart, now: Instant) {
  const { status } = cartStatusOf(priced, now);
  return status === 'open' && priced.cart.openedAt !== null ? 'opened' : status;
}

const BADGES: Record<LinkState, readonly [label: string, tone: Tone]> = {
  open: ['Not opened', 'neutral'],
  opened: ['Opened', 'waiting'],
  'in-progress': ['Application', 'waiting'],
  completed: ['Signed', 'good'],
  ended: ['Ended', 'bad'],
  expired: ['Expired', 'bad'],
};

/** The progress of a link. */
export function linkBadge({ now }: ConsoleRequest, priced: PricedCart): Html {
  return badge(...BADGES[linkStateOf(priced, now)]);
}
