import { html } from '@lit-labs/ssr';
import type { TemplateResult } from 'lit';
import { catalog, type Product } from '../catalog.ts';
import { formatCents } from '../bag.ts';
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

/** Returns the page of a product with its price and an estimate. */
export function productPage(product: Product, serviceUrl: string, apiKey: string): Page {
  const { slug, sku, name, kind, priceCents, summary, details } = product;
  const main = html`
    <nav class="crumbs" aria-label="Breadcrumb"><a href="/#collection">Collection</a> <span aria-hidden="true">/</span> ${name}</nav>
    <article class="product">
      <img src=${`/assets/${slug}.svg`} alt=${`${name}, ${kind.toLowerCase()}`} width="640" height="640" />
      <div>
        <p class="eyebrow">${kind}</p>
        <h1>${name}</h1>
        <p class="lead">${summary}</p>
        <p class="price">${formatCents(priceCents)}</p>
        <financing-button api-key=${apiKey} amount=${priceCents}></financing-button>
        <noscript><p class="quiet">You can choose to pay over time in your bag.</p></noscript>
        <form action="/bag" method="post">
          <input type="hidden" name="slug" value=${slug} />
          <button class="button" name="add" value="1">Add to bag</button>
        </form>
        <ul class="details">
          ${details.map((detail) => html`<li>${detail}</li>`)}
        </ul>
        <p class="quiet">Item ${sku}. Delivered free in 3 to 5 days.</p>
      </div>
    </article>
  `;
  return { title: `${name}, ${kind.toLowerCase()}`, main, widgetServiceUrl: serviceUrl };
}
