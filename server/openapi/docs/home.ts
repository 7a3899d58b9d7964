import { html } from '@lit-labs/ssr';
import type { Html } from '../../http/html.ts';
import { type DocumentOptions, modeDescriptions } from '../document.ts';
import { htmlDocument } from './html-document.ts';
import { listing, prose } from './schema.ts';

/** Renders the home page of the service. @param stylesheet - URL of the stylesheet. */
export function homePage({ mode, publicUrl, version }: DocumentOptions, stylesheet: string): Html {
  const body = html`<main id="content" tabindex="-1">
    <h1>Financing at checkout</h1>
    <p class="lead">This is Fairterm, the service behind a shop’s financing button, its checkout and its API.</p>
    <p class="mode">${modeDescriptions[mode]}</p>
    <section class="card" aria-labelledby="developers">
      <h2 id="developers">For developers</h2>
      <ul class="ways">
        ${linkCard('/docs/guides', 'Guides', 'How to integrate the button, the APIs, webhooks and lenders, with code samples.')}
        ${linkCard('/docs', 'API reference', 'Every operation with its fields, errors and an example to copy.')}
        ${linkCard('/openapi.json', 'openapi.json', 'The reference as an OpenAPI 3.1 document.')}
        ${linkCard('/widget/manifest.json', 'Releases of the button', 'Each of its files, with the hash for `integrity`.')}
      </ul>
      <h3>The button on a page</h3>
      ${listing(buttonFrom(publicUrl))}
    </section>
    <section class="card" aria-labelledby="buyers">
      <h2 id="buyers">Looking for your purchase?</h2>
      <p>Open the whole link that your shop gave you. If you no longer have it, ask the shop.</p>
    </section>
  </main>`;
  return htmlDocument({ title: 'Fairterm: financing at checkout', stylesheet, version, bodyClass: 'home', body });
}

function linkCard(href: string, title: string, description: string): Html {
  return html`<li><a href="${href}">${title}</a> <span>${prose(description)}</span></li>`;
}

const buttonFrom = (publicUrl: string) => `<link rel="stylesheet"
href="${publicUrl}/widget/v1/reserve.css">
<script type="module"
src="${publicUrl}/widget/v1/financing-button.js"></script>
<financing-button api-key="KEY" amount="129900"
cart-url="/checkout/financing"></financing-button>`;
