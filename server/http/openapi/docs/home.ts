import { html } from '@lit-labs/ssr';
import type { Html } from '../../pages/html.ts';
import { type DocumentOptions, modeDescriptions } from '../document.ts';
import { linkList } from './guides.ts';
import { docsPage } from './layout.ts';

/** Renders the home page of the service. @param stylesheet - URL of the stylesheet. */
export function homePage({ mode, publicUrl, version }: DocumentOptions, stylesheet: string): Html {
  const main = html`<h1>Financing at checkout</h1>
    <p>This is Fairterm, the service behind a shop’s financing button, its checkout and its API. ${modeDescriptions[mode]}</p>
    <section class="card">
      <h2>For developers</h2>
      ${linkList([
        ['/docs/guides', 'Guides', 'How to integrate the button, the APIs, webhooks and lenders, with code samples.'],
        ['/docs', 'API reference', 'Every operation with its fields, errors and an example.'],
        ['/openapi.json', 'openapi.json', 'The reference as an OpenAPI 3.1 document.'],
        ['/widget/manifest.json', 'Releases of the button', 'Each of its files, with its hash for subresource integrity.'],
      ])}
      <h3>The button on a page</h3>
      <pre><code>${buttonFrom(publicUrl)}</code></pre>
    </section>
    <section class="card">
      <h2>Looking for your purchase?</h2>
      <p>Open the whole link that your shop gave you. If you no longer have it, ask the shop.</p>
    </section>`;
  return docsPage({ stylesheet, version }, { title: 'Financing at checkout', main });
}

const buttonFrom = (publicUrl: string) => `<link rel="stylesheet"
href="${publicUrl}/widget/v1/reserve.css">
<script type="module"
src="${publicUrl}/widget/v1/financing-button.js"></script>
<financing-button api-key="KEY" amount="129900"
cart-url="/checkout/financing"></financing-button>`;
