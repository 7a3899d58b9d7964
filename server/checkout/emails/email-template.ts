import { html } from '@lit-labs/ssr';
import type { Language } from '../../../shared/disclosure/texts.ts';
import type { Html } from '../../http/html.ts';
import type { Block } from './blocks.ts';
import { blocksHtml } from './blocks-template.ts';

/** A letter in HTML that every mail program shows: no pictures, no scripts, no style sheets. */
export function buyerLetterHtml(language: Language, subject: string, greeting: string, blocks: readonly Block[]): Html {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <title>${subject}</title>
      </head>
      <body>
        <p>${greeting}</p>
        ${blocksHtml(blocks)}
      </body>
    </html>`;
}
