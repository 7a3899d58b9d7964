import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { encode } from 'uqr';
import { plainPunctuation } from '../../../shared/plain-punctuation.ts';
import { Email, TypedPhone } from '../../../shared/wire/contact-fields.ts';
import { keysOf } from '../../../shared/objects.ts';
import { line } from '../../../shared/wire/fields.ts';
import { type CartPage, readCartPage } from '../../purchases/carts/list.ts';
import { type PricedCart, readCart } from '../../purchases/carts/carts.ts';
import { asLowAsOf, checkoutUrl } from '../../purchases/carts/present.ts';
import { cartStatusOf } from '../../purchases/carts/status.ts';
import { cartTotals, preselectedShipping } from '../../purchases/carts/totals.ts';
import type { Html } from '../../http/pages/html.ts';
import type { Instant } from '../../base/time.ts';
import { isExpired } from '../../lending/applications/expiry.ts';
import type { MessageHandling } from '../../messages/outbox.ts';
import { emailCart, textCart } from '../../purchases/carts/sharing.ts';
import { expireCart } from '../../checkout/decision/actions.ts';
import { ServiceError } from '../../base/errors.ts';
import { table, textField } from '../../http/pages/elements.ts';
import { type Message, readForm } from '../../http/pages/read-form.ts';
import { badge, buttonLink, type Tone, apiCall, copyable, details, panel, submitButton } from '../web/elements.ts';
import { list, pageAfter, searchedText, searchField } from '../web/list.ts';
import type { ConsoleRequest, Show, ActionResult } from '../web/screen.ts';
import { t, APPLICATION_STATUSES } from '../web/texts.ts';

/** Views by the status of the cart. */
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
  // Only links of users, unless all checkouts are listed.
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

/** The status of a cart; for an open link of a user, which records that, whether it was opened. */
type LinkState = ReturnType<typeof linkStateOf>;

/** Returns how far a buyer is. */
export function linkStateOf(priced: PricedCart, now: Instant) {
  const { status } = cartStatusOf(priced, now);
  const { userId, openedAt } = priced.cart;
  if (status !== 'open' || userId === null) return status;
  return openedAt === null ? 'not-opened' : 'opened';
}

const BADGES: Record<LinkState, readonly [label: string, tone: Tone]> = {
  open: ['Open', 'neutral'],
  'not-opened': ['Not opened', 'neutral'],
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

/** A link: how far the buyer is, and how to share it. */
export const showLink: Show = async (request) => {
  const { deps, merchant, id, to, now, can, time } = request;
  const priced = await readCart(deps.database.query, merchant.id, id, now);
  const { cart } = priced;
  const isOpen = isShared(priced, now) && can('sell');
  const { transactionId } = cart;
  return {
    title: linkTitle(cart),
    content: html`<p><a href="${to('links')}">Back to the links</a></p>
      ${panel(
        'Progress',
        html`<ol class="steps">
            ${steps(request, priced)}
          </ol>
          ${details([
            ['Status', linkBadge(request, priced)],
            ['Application', applicationState(request, priced)],
            ['Total', totalOf(request, priced)],
            ['Example', exampleOf(request, priced)],
            ['Last day of the link', t.date(cart.expiresOn)],
            ['Created by', html`<span dir="auto">${cart.createdBy}</span>`],
            ['Created', time(cart.createdAt)],
            ['First opened', cart.openedAt === null ? undefined : time(cart.openedAt)],
            ['Purchase', transactionId && html`<a href="${to(`orders/${transactionId}`)}">Show the order</a>`],
          ])}`,
      )}
      ${isOpen ? panel('Share the link', sharing(request, priced)) : nothing} ${panel('Items', items(request, priced))}
      ${isOpen ? panel('Cancel the link', canceling(request, priced)) : nothing}`,
  };
};

/** Returns true while a buyer may use the link. */
function isShared(priced: PricedCart, now: Instant): boolean {
  const { status } = cartStatusOf(priced, now);
  return status === 'open' || status === 'in-progress';
}

/** The state of the application, which expires at its time. Its reasons are for the buyer. */
function applicationState({ now }: ConsoleRequest, { progress }: PricedCart): string | undefined {
  return progress && APPLICATION_STATUSES[isExpired(progress, now) ? 'EXPIRED' : progress.status];
}

function canceling({ deps, form }: ConsoleRequest, { cart: { id } }: PricedCart): Html {
  return html`${form(`links/${id}/cancel`, html`<p>The link stops working, and an open application of the buyer is canceled. What the buyer has signed is still completed. This cannot be undone.</p>${submitButton('Cancel the link', 'danger')}`)}
  ${apiCall(`${deps.mail.publicUrl}/carts/${id}/expire`)}`;
}

const STEPS = { created: 'Created', opened: 'Opened', application: 'Application', signed: 'Signed' } as const;

/** The steps of a purchase, with those that are done. */
function steps({ now }: ConsoleRequest, priced: PricedCart): Html[] {
  const state = linkStateOf(priced, now);
  const hasStarted = priced.progress !== undefined || state === 'completed';
  const done = {
    created: true,
    opened: hasStarted || priced.cart.openedAt !== null,
    application: hasStarted,
    signed: state === 'completed',
  };
  return keysOf(STEPS).map(
    (step) =>
      html`<li class="badge ${done[step] ? 'good' : ''}"><span aria-hidden="true">${done[step] ? '●' : '○'}</span> ${STEPS[step]}<span class="hidden">: ${done[step] ? 'done' : 'not yet'}</span></li>`,
  );
}

function sharing({ deps, form, formState: typed, id, merchant }: ConsoleRequest, { cart }: PricedCart): Html {
  const { fullName: name = '', email: address = '', phone = '' } = cart.options.billingContact ?? {};
  const formState = { ...typed, values: { name, email: address, phone, ...typed.values } };
  const url = checkoutUrl(deps.mail.publicUrl, cart.code);
  const path = `links/${id}`;
  const { handling: email, textHandling: text } = deps.mail;
  return html`<p class="hint">Anyone with the link can start the checkout. Send it to the buyer only.</p>
    <p>${copyable(url, 'the link')}</p>
    <div class="share">
      <figure class="qr">${qrCode(url, 'QR code of the link, for the camera of a phone')}<figcaption>QR code of the link, for the camera of a phone</figcaption></figure>
      ${
        email === 'unavailable'
          ? nothing
          : form(
              `${path}/email`,
              html`${textField(t, formState, { name: 'email', label: 'E-mail address of the buyer', type: 'email', autocomplete: 'off' })}
              ${textField(t, formState, { name: 'name', label: 'Name of the buyer', autocomplete: 'off' })}
              ${merchant.postalAddress === '' ? html`<p class="hint">US law (CAN-SPAM) requires the postal address of your store in this e-mail. An administrator can enter it in the settings.</p>` : nothing}
              ${submitButton('Send by e-mail')}`,
            )
      }
      ${
        text === 'unavailable'
          ? nothing
          : form(
              `${path}/text`,
              html`${textField(t, formState, { name: 'phone', label: 'Mobile number of the buyer', type: 'tel', autocomplete: 'off' })} ${submitButton('Send by text message')}`,
            )
      }
    </div>`;
}

/** A QR code with the border that cameras need, and dark on white in every color scheme, which they expect. */
function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
  return html`<svg viewBox="0 0 ${size} ${size}" width="165" role="img" aria-label="${label}" shape-rendering="crispEdges">
    <rect width="${size}" height="${size}" fill="#ffffff"></rect>
    <path d="${dark}" fill="#000000"></path>
  </svg>`;
}

function items({ money }: ConsoleRequest, { cart: { options }, program }: PricedCart): Html {
  const amount = (cents: number) => (program ? t.money(cents, program.currency) : money(cents));
  const rows = (options.items ?? []).map(({ name, price, quantity }) => [name ?? '', quantity, amount(price * quantity)]);
  const extra = [
    ...(options.discounts ?? []).map(({ description, amount: cents }) => [description, '', amount(-cents)]),
    ...(options.shippingOptions ?? []).map(({ type, cost }) => [type, '', amount(cost)]),
    ...(options.tax === undefined ? [] : [['Tax', '', amount(options.tax)]]),
  ];
  return table(['Name', 'Quantity', 'Total'], [...rows, ...extra]);
}

const emailMessage: Message = () => 'Enter an e-mail address, such as name@example.com';
const nameMessage: Message = () => 'Enter the name of the buyer';
const phoneMessage: Message = () => 'Enter a US phone number of 10 digits. Its area code does not begin with 0 or 1';
const emailRules = { email: { struct: Email, message: emailMessage }, name: { struct: line(200, 1), message: nameMessage } };
const textRules = { phone: { struct: TypedPhone, message: phoneMessage } };

export async function emailLink(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(emailRules, body);
  if (!read.ok) return read;
  const { deps, merchant, id, now } = request;
  await emailCart(deps.database, merchant.id, id, read.values, deps, now);
  return shared(request, deps.mail.handling);
}

export async function textLink(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(textRules, body);
  if (!read.ok) return read;
  const { deps, merchant, id, now } = request;
  await textCart(deps.database, merchant.id, id, read.values, deps, now);
  return shared(request, deps.mail.textHandling);
}

/** Confirms that a link was sent, or that its message was recorded in a sandbox. */
function shared({ id, to }: ConsoleRequest, handling: MessageHandling): ActionResult {
  return { redirect: to(`links/${id}`), done: handling === 'sent' ? 'links.sent' : 'links.recorded' };
}

/** Cancels a link with its application. */
export async function cancelLink({ deps, merchant, user, id, now, to }: ConsoleRequest): Promise<ActionResult> {
  const { database } = deps;
  const priced = await readCart(database.query, merchant.id, id, now);
  if (!isShared(priced, now)) throw new ServiceError('cart-closed', 'Expected an open cart, but it has ended.');
  await expireCart(deps, merchant.id, id, now, user.id);
  return { redirect: to(`links/${id}`), done: 'links.canceled' };
}
