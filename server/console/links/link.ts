import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { encode } from 'uqr';
import { keysOf } from '../../../shared/objects.ts';
import { Email, TypedPhone } from '../../../shared/wire/contact-fields.ts';
import { line } from '../../../shared/wire/fields.ts';
import { isExpired } from '../../lending/applications/expiry.ts';
import { type PricedCart, readCart } from '../../purchases/carts/carts.ts';
import { checkoutUrl } from '../../purchases/carts/present.ts';
import type { MessageHandling } from '../../messages/outbox.ts';
import { emailCart, textCart } from '../../purchases/carts/sharing.ts';
import { expireCart } from '../../checkout/decision/actions.ts';
import { ServiceError } from '../../base/errors.ts';
import type { Html } from '../../http/pages/html.ts';
import { table, textField } from '../../http/pages/elements.ts';
import { type Message, readForm } from '../../http/pages/read-form.ts';
import type { Instant } from '../../base/time.ts';
import { apiCall, copyable, details, panel } from '../web/elements.ts';
import { submitButton } from '../web/form.ts';
import type { ActionResult, ConsoleRequest, Show } from '../web/screen.ts';
import { APPLICATION_STATUSES, t } from '../web/texts.ts';
import { exampleOf, linkBadge, linkStateOf, linkTitle, totalOf } from './links.ts';

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
  const state = linkStateOf(priced, now);
  return state === 'open' || state === 'opened' || state === 'in-progress';
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

function sharing({ deps, form, formState: typed, id }: ConsoleRequest, { cart }: PricedCart): Html {
  const { fullName: name = '', email: address = '', phone = '' } = cart.options.billingContact ?? {};
  const formState = { ...typed, values: { name, email: address, phone, ...typed.values } };
  const url = checkoutUrl(deps.mail.publicUrl, cart.code);
  const path = `links/${id}`;
  const { handling: email, textHandling: text } = deps.mail;
  return html`<p class="hint">Anyone with the link can start the checkout. Send it to the buyer only.</p>
    <p>${copyable(url)}</p>
    <div class="share">
      <figure class="qr">${qrCode(url, 'QR code of the link, for the camera of a phone')}<figcaption>QR code of the link, for the camera of a phone</figcaption></figure>
      ${
        email === 'unavailable'
          ? nothing
          : form(
              `${path}/email`,
              html`${textField(t, formState, { name: 'email', label: 'E-mail address of the buyer', type: 'email', autocomplete: 'off' })}
              ${textField(t, formState, { name: 'name', label: 'Name of the buyer', autocomplete: 'off' })} ${submitButton('Send by e-mail')}`,
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

/** A QR code, dark on white in every color scheme, because cameras expect that. */
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
