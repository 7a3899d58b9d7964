import { html } from '@lit-labs/ssr';
import type { TemplateResult } from 'lit';
import { catalog, type Product } from '../catalog.ts';
import { formatCents } from '../totals.ts';
import type { Page } from './layout.ts';

/**
 * Returns the catalog with a monthly price on each card. The widget loads the programs once for all of them, and `shop.js` lists
 * their disclosures below the products.
 */
export function catalogPage(serviceUrl: string, apiKey: string): Page {
  const main = html`
    <section class="hero">
      <img src="/assets/listening-room.svg" alt="" width="1200" height="800" />
      <div>
        <p class="eyebrow">Hi-fi, built in small batches</p>
        <h1>Sit down. Put a record on.</h1>
        <p>Turntables, amplifiers and loudspeakers in solid wood, made to be repaired and handed on.</p>
        <p><a class="button" href="#collection">See the collection</a></p>
      </div>
    </section>
    <ul class="promises">
      <li><strong>Pay over time</strong> See your monthly price on every product</li>
      <li><strong>$150 off from $2,000</strong> Our listening room offer, taken off in your bag</li>
      <li><strong>Thirty evenings</strong> Send it back if it does not sing</li>
    </ul>
    <section id="collection" aria-labelledby="collection-title">
      <h2 id="collection-title">The collection</h2>
      <ul class="grid">
        ${catalog.map((product) => tile(product, apiKey))}
      </ul>
    </section>
    <section id="terms" aria-labelledby="terms-title" hidden>
      <h2 id="terms-title">Terms of the monthly prices</h2>
      <dl class="terms">
        ${catalog.map(
          ({ slug, name, priceCents }) => html`
            <div id=${`terms-${slug}`} hidden>
              <dt>${name}, ${formatCents(priceCents)}</dt>
              <dd></dd>
            </div>
          `,
        )}
      </dl>
    </section>
  `;
  return { title: 'Hi-fi in solid wood', main, widgetServiceUrl: serviceUrl };
}

function tile({ slug, name, kind, priceCents }: Product, apiKey: string): TemplateResult {
  return html`
    <li class="tile" id=${slug}>
      <img src=${`/assets/${slug}.svg`} alt="" width="640" height="640" loading="lazy" />
      <h3><a href=${`/products/${slug}`}>${name} <span>${kind}</span></a></h3>
      <p>${formatCents(priceCents)}</p>
      <financing-button api-key=${apiKey} amount=${priceCents} show="estimate"></financing-button>
      <a class="quiet" href=${`#terms-${slug}`}>Terms<span class="visually-hidden"> of the monthly price of ${name}</span></a>
    </li>
  `;
}
