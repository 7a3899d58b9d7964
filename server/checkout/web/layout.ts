import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { counted, fill } from '../../../shared/disclosure/texts.ts';
import type { Html } from '../../http/html.ts';
import { isCancellable } from '../session/cancel.ts';
import type { Session } from '../session/session.ts';
import { shopMessage } from './notify-opener.ts';
import { type ShownItems, shownItems } from './shown-items.ts';
import { FORM_STEPS, type FormStepName, isFormStep } from '../session/progress.ts';
import type { Texts } from '../texts/texts.ts';
import type { Place } from './way.ts';
import type { View } from './view.ts';

/** In the address itself: one request less. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='9' fill='%230b5d4e'/%3E%3Cpath d='M7 23h4v-5H7zm7 0h4V13h-4zm7 0h4V8h-4z' fill='%23fff'/%3E%3C/svg%3E";

export interface PageFrame {
  title: string;
  heading: string;
  /** Addresses of the style sheet and the script. */
  stylesheet: string;
  script: string;
  /** Where the page is; left out where it is at the link itself. */
  place?: Place;
  session?: Session | undefined;
  /** Said first, to whoever must hear it before all else. */
  notice?: string | undefined;
  /** Whether the page ends a checkout that has failed, whatever step it has reached. */
  isFailure?: boolean;
  content: Html;
}

/** The frame of every checkout page: whose it is, how far along, the order beside it. */
export function layout(
  { title, heading, stylesheet, script, place = '', session, notice, isFailure, content }: PageFrame,
  view: View,
): Html {
  const step = place === 'restart' ? 'details' : isFormStep(place) ? place : undefined;
  const { t } = view;
  const merchant = session?.merchant.name;
  return html`<!doctype html>
    <html lang="${t.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title} · ${merchant ?? 'Fairterm'}</title>
        <link rel="stylesheet" href="${stylesheet}" />
        ${session ? html`<script type="module" src="${script}"></script>` : nothing}
        <link rel="icon" href="${ICON}" />
      </head>
      <body>
        <header>
          <div class="masthead">
            <p class="merchant" dir="auto">${merchant ?? 'Fairterm'}</p>
            <p class="by">${t.layout.by}</p>
            ${otherLanguage(view, place)}
          </div>
          ${
            view.isSandbox
              ? html`<p class="sandbox"><strong>${t.layout.sandbox}</strong> ${t.layout.sandboxMeaning}</p>`
              : nothing
          }
        </header>
        <div class="columns ${step === undefined ? 'single' : ''}">
          <main>
            ${session && step ? orderBar(t, session) : nothing} ${session && step ? progress(t, session, step) : nothing}
            <h1>${heading}</h1>
            ${notice ? html`<div class="error-summary" role="alert" tabindex="-1" autofocus><p>${notice}</p></div>` : nothing}
            ${content} ${session && place !== 'cancel' ? leave(session, view) : nothing}
            ${session ? shopChannel(session, isFailure, view) : nothing}
          </main>
          ${session && step ? orderSummary(t, session) : nothing}
        </div>
        <footer>
          <p>${fill(t.layout.privacy, { merchant: merchant ?? t.layout.theShop })}</p>
        </footer>
      </body>
    </html>`;
}

/** Where the script sends messages for the page that shows this one, and the message of this page, if it has one. */
function shopChannel(
  session: Session,
  isFailure: boolean | undefined,
  { way: { display }, isSandbox }: View,
): Html | typeof nothing {
  if (display === 'page') return nothing;
  const message = shopMessage(session, isFailure);
  // A sandbox also notifies pages on any port of the developer's machine, and `postMessage` has no other way to name them.
  const origins = isSandbox ? '*' : session.merchant.origins.join(' ');
  return html`<div
    hidden
    data-origins="${origins}"
    data-shown="${display}"
    data-message="${message ? JSON.stringify(message) : nothing}"
  ></div>`;
}

/** Leads to the page the buyer is at, in the other language. */
function otherLanguage({ t, way }: View, place: Place): Html {
  const other = way.lang === 'en' ? 'es' : 'en';
  return html`<a class="language" href="${way.in(other).to(place)}" lang="${other}" hreflang="${other}">${t.layout.otherLanguage}</a>`;
}

function progress(t: Texts, { parts: { cardCents } }: Session, step: FormStepName): Html {
  const steps = FORM_STEPS.filter((name) => name !== 'card' || cardCents > 0);
  const current = steps.indexOf(step);
  return html`<ol class="progress ${steps.length === FORM_STEPS.length ? 'with-card' : ''}" aria-label="${t.layout.steps}">
    ${steps.map(
      (name, index) =>
        html`<li class="${index < current ? 'done' : index === current ? 'current' : ''}" aria-current="${index === current ? 'step' : 'false'}">
          <span>${t.steps[name]}</span>
        </li>`,
    )}
  </ol>`;
}

/** The quiet way out, as long as there is something to turn away from. */
function leave(session: Session, { t, way }: View): Html | typeof nothing {
  return isCancellable(session) ? html`<p class="leave"><a href="${way.to('cancel')}">${t.layout.leave}</a></p>` : nothing;
}

/** Stands in for the order on narrow screens, where it comes after the form. */
function orderBar(t: Texts, { purchase: { totals }, program }: Session): Html {
  const total = t.money(totals.totalCents, program.currency);
  return html`<a class="order-bar" href="#order-heading"><span>${t.order.heading}</span><strong data-shows="total">${total}</strong></a>`;
}

/** The picture of an item, or its room where the page may not load it. */
function picture(image: ShownItems['items'][number]['image']): Html | typeof nothing {
  if (!image) return nothing;
  return image === 'hidden'
    ? html`<span class="no-image"></span>`
    : html`<img src="${image.url}" alt="" width="56" height="56" loading="lazy" />`;
}

function orderSummary(t: Texts, { purchase, program, parts }: Session): Html {
  const { options, totals, shipping } = purchase;
  const { items, more } = shownItems(options);
  const { financedCents, cardCents } = parts;
  const money = (cents: number) => t.money(cents, program.currency);
  const line = (label: string, value: string) =>
    html`<div>
      <dt dir="auto">${label}</dt>
      <dd>${value}</dd>
    </div>`;
  const itemized = options.customTotal === undefined;
  const isShippingOpen = itemized && !shipping && (options.shippingOptions?.length ?? 0) > 0;
  return html`<aside aria-labelledby="order-heading">
    <h2 id="order-heading">${t.order.heading}</h2>
    ${
      items.length > 0
        ? html`<ul class="items ${itemized ? 'priced' : ''}">
          ${items.map(
            (item) =>
              html`<li>
                ${picture(item.image)}
                <span class="article"><bdi>${item.name || item.sku || t.order.article}</bdi><small>${fill(t.order.quantity, { n: item.quantity })}</small></span>
                ${itemized ? html`<span class="amount">${money(item.price * item.quantity)}</span>` : nothing}
              </li>`,
          )}
          ${
            more
              ? html`<li>
                  <span class="article">${counted(t.order.moreItems, more.count)}</span>
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
      ${cardCents > 0 ? [line(t.order.financed, money(financedCents)), line(t.order.byCard, money(cardCents))] : nothing}
    </dl>
  </aside>`;
}
