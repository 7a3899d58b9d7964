import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { formatMoney } from '../../../shared/money.ts';
import type { Html } from '../../http/html.ts';
import type { Session } from '../session.ts';

const STEPS = ['Your details', 'Application', 'Plan', 'Agreement'] as const;

export interface PageFrame {
  title: string;
  heading: string;
  /** Address of the style sheet. */
  stylesheet: string;
  /** Which of the four steps this is, from 0; left out on pages beside them. */
  step?: number | undefined;
  session?: Session | undefined;
  content: Html;
}

/** The frame of every checkout page: whose it is, how far along, the order beside it. */
export function layout({ title, heading, stylesheet, step, session, content }: PageFrame): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <link rel="stylesheet" href="${stylesheet}" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <header>
          <div class="masthead">
            <p class="merchant">${session?.merchant.name ?? 'Fairterm'}</p>
            <p class="by">Financing by Fairterm</p>
          </div>
          <p class="sandbox"><strong>Sandbox.</strong> No real loan is made and no real credit is checked.</p>
        </header>
        <div class="columns ${step === undefined ? 'single' : ''}">
          <main>
            ${session && step !== undefined ? orderBar(session) : nothing} ${step === undefined ? nothing : progress(step)}
            <h1>${heading}</h1>
            ${content}
          </main>
          ${session && step !== undefined ? orderSummary(session) : nothing}
        </div>
        <footer>
          <p>
            Your application goes to the lender only. ${session?.merchant.name ?? 'The shop'} sees your contact details, never your
            income or how the lender decided.
          </p>
        </footer>
      </body>
    </html>`;
}

function progress(current: number): Html {
  return html`<ol class="progress" aria-label="Steps">
    ${STEPS.map(
      (name, index) =>
        html`<li class="${index < current ? 'done' : index === current ? 'current' : ''}" aria-current="${index === current ? 'step' : 'false'}">
          <span>${name}</span>
        </li>`,
    )}
  </ol>`;
}

/** Stands in for the order on narrow screens, where it comes after the form. */
function orderBar({ totals, program }: Session): Html {
  const total = formatMoney(totals.totalCents, program.currency);
  return html`<a class="order-bar" href="#order-heading"><span>Your order</span><strong>${total}</strong></a>`;
}

function orderSummary({ options, totals, shipping, program }: Session): Html {
  const money = (cents: number) => formatMoney(cents, program.currency);
  const line = (label: string, value: string) =>
    html`<div>
      <dt>${label}</dt>
      <dd>${value}</dd>
    </div>`;
  const itemized = options.customTotal === undefined;
  const isShippingOpen = itemized && !shipping && (options.shippingOptions?.length ?? 0) > 0;
  return html`<aside aria-labelledby="order-heading">
    <h2 id="order-heading">Your order</h2>
    ${
      options.items?.length
        ? html`<ul class="items">
          ${options.items.map(
            (item) =>
              html`<li>
                ${
                  /^https?:/.test(item.imageUrl)
                    ? html`<img src="${item.imageUrl}" alt="" width="56" height="56" loading="lazy" />`
                    : nothing
                }
                <span class="article">${item.name || item.sku || 'Article'}<small>Quantity ${item.quantity}</small></span>
                ${itemized ? html`<span class="amount">${money(item.price * item.quantity)}</span>` : nothing}
              </li>`,
          )}
        </ul>`
        : nothing
    }
    <dl class="totals">
      ${itemized ? line('Subtotal', money(totals.itemsCents)) : nothing}
      ${itemized ? (options.discounts ?? []).map(({ description, amount }) => line(description, money(-amount))) : nothing}
      ${itemized && shipping ? line(shipping.type, shipping.cost === 0 ? 'Free' : money(shipping.cost)) : nothing}
      ${itemized && totals.taxCents !== null ? line('Tax', money(totals.taxCents)) : nothing}
      <div class="total">
        <dt>${isShippingOpen ? 'Total before shipping' : 'Total'}</dt>
        <dd>${money(totals.totalCents)}</dd>
      </div>
    </dl>
  </aside>`;
}
