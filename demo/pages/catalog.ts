import { html } from '@lit-labs/ssr';
import type { TemplateResult } from 'lit';
import { catalog, type Product } from '../catalog.ts';
import { formatCents } from '../totals.ts';
import type { Page } from './layout.ts';

export function catalogPage(): Page {
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
        ${catalog.map(tile)}
      </ul>
    </section>
  `;
  return { title: 'Hi-fi in solid wood', main };
}

function tile({ slug, name, kind, priceCents }: Product): TemplateResult {
  return html`
    <li class="tile">
      <img src=${`/assets/${slug}.svg`} alt="" width="640" height="640" loading="lazy" />
      <h3><a href=${`/products/${slug}`}>${name} <span>${kind}</span></a></h3>
      <p>${formatCents(priceCents)}</p>
    </li>
  `;
}
