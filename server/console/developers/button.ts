import { centsOf } from '../../http/pages/read-form.ts';
import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { keysOf } from '../../../shared/objects.ts';
import { parseUrl } from '../../../shared/url.ts';
import type { Html } from '../../http/pages/html.ts';
import { keysOfMerchant } from '../../merchants/store.ts';
import { textField } from '../../http/pages/elements.ts';
import { panel, submitButton } from '../web/elements.ts';
import type { ConsoleRequest, Show } from '../web/screen.ts';
import { t } from '../web/texts.ts';

/** Attributes with a few values, and what the button does without one. `language` sets the attribute `lang`. */
const CHOICES = {
  theme: { label: 'Colors', fallback: 'As the page', values: { light: 'Light', dark: 'Dark' } },
  language: { label: 'Language', fallback: 'As the page', values: { en: 'English', es: 'Spanish' } },
  mode: { label: 'Checkout opens in', fallback: 'The same tab', values: { popup: 'A window', modal: 'A dialog on the page' } },
  show: { label: 'Shows', fallback: 'Both', values: { estimate: 'Only the monthly payment', button: 'Only the button' } },
} as const satisfies Record<string, { label: string; fallback: string; values: Record<string, string> }>;
type Choice = keyof typeof CHOICES;

/** Shows the button with chosen attributes, and its code. A script updates both while the fields change (`console.js`). */
export const showButton: Show = async (request) => {
  const { deps, merchant, query } = request;
  const active = (await keysOfMerchant(deps.database.query, merchant.id)).filter(({ retiredAt }) => retiredAt === null);
  const amount = query.get('amount') ?? '1,299.00';
  const cents = centsOf(amount.trim());
  const cartUrl = query.get('cartUrl') ?? new URL('/checkout/financing', merchant.storeUrl).href;
  const errors = {
    ...(cents === undefined && { amount: () => 'Enter a price such as 1,299.00' }),
    ...(!isWebUrl(cartUrl) && { cartUrl: () => 'Enter an address that begins with https://' }),
  };
  const attributes: Record<string, string | undefined> = {
    'api-key': active.at(-1)?.apiKey ?? '',
    amount: String(cents ?? 0),
    'cart-url': isWebUrl(cartUrl) ? cartUrl : '',
    theme: chosen(query, 'theme'),
    lang: chosen(query, 'language'),
    mode: chosen(query, 'mode'),
    show: chosen(query, 'show'),
  };
  const state = { values: { amount, cartUrl }, errors };
  return {
    title: 'Button',
    content: html`<p class="lead">Choose how the financing button looks, and copy its code to your page.</p>
    <form method="get" class="configurator" data-preview>
      ${textField(t, state, { name: 'amount', label: 'Price', autocomplete: 'off', inputmode: 'decimal', prefix: '$' })}
      ${textField(t, state, { name: 'cartUrl', label: 'URL of the checkout', hint: 'The URL of a cart, or an address of your shop that creates a cart and redirects to it.', autocomplete: 'off', type: 'url' })}
      ${keysOf(CHOICES).map((name) => select(request, name))}
      <p class="unscripted">${submitButton('Update the preview')}</p>
    </form>
    ${panel('Preview', preview(attributes))} ${panel('Code', snippet(request, attributes))}`,
  };
};

function chosen(query: URLSearchParams, name: Choice): string | undefined {
  return Object.keys(CHOICES[name].values).find((value) => value === query.get(name));
}

function select({ query }: ConsoleRequest, name: Choice): Html {
  const { label, fallback, values } = CHOICES[name];
  return html`<div class="field">
    <label for="${name}">${label}</label>
    <select id="${name}" name="${name}">
      <option value="">${fallback} (default)</option>
      ${Object.entries(values).map(([value, text]) => html`<option value="${value}" ?selected=${value === chosen(query, name)}>${text}</option>`)}
    </select>
  </div>`;
}

/** The element itself, from this service. */
function preview(attributes: Record<string, string | undefined>): Html {
  const { 'api-key': apiKey, amount, 'cart-url': cartUrl, theme, lang, mode, show } = attributes;
  return html`<div class="preview ${theme ?? ''}" data-live="preview">
    <link rel="stylesheet" href="/widget/v1/reserve.css" />
    <script type="module" src="/widget/v1/financing-button.js"></script>
    <financing-button
      data-live="button"
      api-key="${apiKey ?? ''}"
      amount="${amount ?? ''}"
      cart-url="${cartUrl ?? ''}"
      theme="${theme ?? nothing}"
      lang="${lang ?? nothing}"
      mode="${mode ?? nothing}"
      show="${show ?? nothing}"
    ></financing-button>
  </div>`;
}

/** The code to copy. `reserve.css` reserves the space of the button until its script has loaded. */
function snippet({ deps }: ConsoleRequest, attributes: Record<string, string | undefined>): Html {
  const base = `${deps.mail.publicUrl}/widget/v1`;
  const set = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const code = [
    `<link rel="stylesheet" href="${base}/reserve.css">`,
    `<script type="module" src="${base}/financing-button.js"></script>`,
    `<financing-button ${set.map(([name, value]) => `${name}="${escaped(value ?? '')}"`).join(' ')}></financing-button>`,
  ].join('\n');
  return html`<pre tabindex="0"><code data-live="code">${code}</code></pre>
    <button type="button" class="scripted quiet" data-live="copy" data-copies="${code}" data-copied="Copied">Copy</button>`;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;');

const isWebUrl = (text: string): boolean => /^https?:$/.test(parseUrl(text)?.protocol ?? '');
