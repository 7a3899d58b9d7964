import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { encode } from 'uqr';
import { Email, TypedPhone } from '../../../shared/wire/contact-fields.ts';
import { line } from '../../../shared/wire/fields.ts';
import { isExpired } from '../../applications/expiry.ts';
import { type PricedCart, readCart } from '../../carts/carts.ts';
import { checkoutUrl } from '../../carts/present.ts';
import { emailCart, type SharingOptions, textCart } from '../../carts/sharing.ts';
import { expireCart } from '../../checkout/decision/actions.ts';
import { ServiceError } from '../../errors.ts';
import type { Html } from '../../http/html.ts';
import { table, textField } from '../../pages/elements.ts';
import { type Message, readForm } from '../../pages/read-form.ts';
import type { Instant } from '../../time.ts';
import { apiCall, copyable, details, panel } from '../web/elements.ts';
import { submitButton } from '../web/form.ts';
import type { ActionResult, ConsoleRequest, Screen } from '../web/screen.ts';
import { exampleOf, linkBadge, linkStateOf, linkTitle, totalOf } from './links.ts';

/** A link: how far the buyer is, and how to share it. */
export const link: Screen = {
  path: 'links/:id',
  permission: 'view',
  actions: [
    { path: 'links/:id/email', permission: 'sell', isSensitive: false, submit: emailLink },
    { path: 'links/:id/cancel', permission: 'sell', isSensitive: false, submit: cancelLink },
    { path: 'links/:id/text', permission: 'sell', isSensitive: false, submit: textLink },
  ],
  show: async (request) => {
    const { deps, merchant, params, t, to, now, can, time } = request;
    const own = t.console.links;
    const priced = await readCart(deps.database.query, merchant, params['id']!, now);
    const { cart } = priced;
    const isOpen = isShared(priced, now) && can('sell');
    const { transactionId } = cart;
    return {
      title: linkTitle(request, cart),
      content: html`<p><a href="${to('links')}">${own.back}</a></p>
        ${panel(
          own.progress,
          html`<ol class="steps">
              ${steps(request, priced)}
            </ol>
            ${details([
              [own.status, linkBadge(request, priced)],
              [t.console.orders.one.application, applicationState(request, priced)],
              [own.total, totalOf(request, priced)],
              [own.example, exampleOf(request, priced)],
              [own.lastDay, t.date(cart.expiresOn)],
              [own.createdBy, html`<span dir="auto">${cart.createdBy}</span>`],
              [own.created, time(cart.createdAt)],
              [own.opened, cart.openedAt === null ? undefined : time(cart.openedAt)],
              [own.purchase, transactionId && html`<a href="${to(`orders/${transactionId}`)}">${own.toOrder}</a>`],
            ])}`,
        )}
        ${isOpen ? panel(own.share, sharing(request, priced)) : nothing} ${panel(own.items, items(request, priced))}
        ${isOpen ? panel(own.cancel, canceling(request, priced)) : nothing}`,
    };
  },
};

/** Returns true while a buyer may use the link. */
function isShared(priced: PricedCart, now: Instant): boolean {
  const state = linkStateOf(priced, now);
  return state === 'open' || state === 'opened' || state === 'in-progress';
}

/** The state of the application, which expires at its time. Its reasons are for the buyer. */
function applicationState({ t, now }: ConsoleRequest, { progress }: PricedCart): string | undefined {
  return progress && t.console.applications[isExpired(progress, now) ? 'EXPIRED' : progress.status];
}

function canceling({ t, deps, form }: ConsoleRequest, { cart: { id } }: PricedCart): Html {
  const own = t.console.links;
  return html`${form(`links/${id}/cancel`, html`<p>${own.cancelHint}</p>${submitButton(own.cancel, 'danger')}`)}
  ${apiCall(t, `${deps.publicUrl}/carts/${id}/expire`)}`;
}

/** The steps of a purchase, with those that are done. */
function steps({ t, now }: ConsoleRequest, priced: PricedCart): Html[] {
  const own = t.console.links;
  const state = linkStateOf(priced, now);
  const hasStarted = priced.progress !== undefined || state === 'completed';
  const done = {
    created: true,
    opened: hasStarted || priced.cart.openedAt !== null,
    application: hasStarted,
    signed: state === 'completed',
  };
  return (['created', 'opened', 'application', 'signed'] as const).map(
    (step) =>
      html`<li class="badge ${done[step] ? 'good' : ''}"><span aria-hidden="true">${done[step] ? '●' : '○'}</span> ${own.steps[step]}<span class="hidden">: ${done[step] ? own.isDone : own.isNotDone}</span></li>`,
  );
}

function sharing({ deps, t, form, formState: typed, params }: ConsoleRequest, { cart }: PricedCart): Html {
  const own = t.console.links;
  const { fullName: name = '', email: address = '', phone = '' } = cart.options.billingContact ?? {};
  const formState = { ...typed, values: { name, email: address, phone, ...typed.values } };
  const url = checkoutUrl(deps.publicUrl, cart.code);
  const path = `links/${params['id']!}`;
  const { email, text } = deps.messageHandlings;
  return html`<p class="hint">${own.shareHint}</p>
    <p>${copyable(t, url)}</p>
    <div class="share">
      <figure class="qr">${qrCode(url, own.qr)}<figcaption>${own.qr}</figcaption></figure>
      ${
        email === 'rejected'
          ? nothing
          : form(
              `${path}/email`,
              html`${textField(t, formState, { name: 'email', label: own.email, type: 'email', autocomplete: 'off' })}
              ${textField(t, formState, { name: 'name', label: own.buyerName, autocomplete: 'off' })} ${submitButton(own.sendEmail)}`,
            )
      }
      ${
        text === 'rejected'
          ? nothing
          : form(
              `${path}/text`,
              html`${textField(t, formState, { name: 'phone', label: own.phone, type: 'tel', autocomplete: 'off' })} ${submitButton(own.sendText)}`,
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

function items({ t, money }: ConsoleRequest, { cart: { options }, program }: PricedCart): Html {
  const own = t.console.links;
  const amount = (cents: number) => (program ? t.money(cents, program.currency) : money(cents));
  const rows = (options.items ?? []).map(({ name, price, quantity }) => [name ?? '', quantity, amount(price * quantity)]);
  const extra = [
    ...(options.discounts ?? []).map(({ description, amount: cents }) => [description, '', amount(-cents)]),
    ...(options.shippingOptions ?? []).map(({ type, cost }) => [type, '', amount(cost)]),
    ...(options.tax === undefined ? [] : [[own.tax, '', amount(options.tax)]]),
  ];
  return table([own.itemName, own.quantity, own.total], [...rows, ...extra]);
}

const emailMessage: Message = (t) => t.console.links.messages.email;
const nameMessage: Message = (t) => t.console.links.messages.buyerName;
const phoneMessage: Message = (t) => t.console.links.messages.phone;
const emailRules = { email: { struct: Email, message: emailMessage }, name: { struct: line(200, 1), message: nameMessage } };
const textRules = { phone: { struct: TypedPhone, message: phoneMessage } };

async function emailLink(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(emailRules, body);
  if (!read.ok) return read;
  return share(request, 'email', (options, id) => emailCart(request.deps.database, request.merchant, id, read.values, options));
}

async function textLink(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const read = readForm(textRules, body);
  if (!read.ok) return read;
  return share(request, 'text', (options, id) => textCart(request.deps.database, request.merchant, id, read.values, options));
}

/** Sends a link, or records the message in a sandbox. */
async function share(
  { deps, now, params, to }: ConsoleRequest,
  channel: 'email' | 'text',
  send: (options: SharingOptions, id: string) => Promise<unknown>,
): Promise<ActionResult> {
  const { publicUrl, operator, messageHandlings, messageLimits } = deps;
  const handling = messageHandlings[channel];
  await send({ publicUrl, operator, handling, limits: messageLimits, now }, params['id']!);
  deps.onEnqueued();
  return { redirect: to(`links/${params['id']!}`), done: handling === 'sent' ? 'links.sent' : 'links.recorded' };
}

/** Cancels a link with its application. */
async function cancelLink({
  deps: { database, mail, onEnqueued },
  merchant,
  user,
  params,
  now,
  to,
}: ConsoleRequest): Promise<ActionResult> {
  const priced = await readCart(database.query, merchant, params['id']!, now);
  if (!isShared(priced, now)) throw new ServiceError('cart-closed', 'Expected an open cart, but it has ended.');
  await expireCart({ database, mail }, merchant.id, params['id']!, now, user.id);
  onEnqueued();
  return { redirect: to(`links/${params['id']!}`), done: 'links.canceled' };
}
