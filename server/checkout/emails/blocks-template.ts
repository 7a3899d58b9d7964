import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';
import type { Block } from './blocks.ts';

/** Blocks as HTML that needs no style sheet. */
export function blocksHtml(blocks: readonly Block[]): Html {
  return html`${blocks.map(
    ({ heading, paragraphs = [], items = [], rows = [], link }) =>
      html`<section>
        ${heading === undefined ? nothing : html`<h2>${heading}</h2>`} ${paragraphs.map((paragraph) => html`<p>${paragraph}</p>`)}
        ${link === undefined ? nothing : html`<p><a href="${link}">${link}</a></p>`}
        ${
          items.length === 0
            ? nothing
            : html`<ul>
              ${items.map((item) => html`<li>${item}</li>`)}
            </ul>`
        }
        ${rows.length === 0 ? nothing : html`<p>${rows.map(([label, value]) => html`${label}: <strong>${value}</strong><br />`)}</p>`}
      </section>`,
  )}`;
}
