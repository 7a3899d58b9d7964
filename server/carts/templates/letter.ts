import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';
import type { LetterWords } from '../letter.ts';

/** A letter in HTML that every mail program shows: no pictures, no scripts, no style sheets. */
export function letterHtml({ subject, greeting, intro, url, until, total, financing }: LetterWords): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body>
        <p>${greeting}</p>
        <p>${intro}</p>
        <p><a href="${url}">${url}</a></p>
        <p>${until}<br />${total}</p>
        ${financing ? html`<p>${financing}</p>` : nothing}
      </body>
    </html>`;
}
