import { html } from '@lit-labs/ssr';
import type { Product } from '../catalog.ts';
import { formatCents } from '../totals.ts';
import type { Page } from './layout.ts';

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
