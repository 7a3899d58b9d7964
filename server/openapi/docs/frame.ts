import { html } from '@lit-labs/ssr';
import type { Html } from '../../http/html.ts';

/** What differs from page to page. */
export interface Frame {
  title: string;
  /** Address of the style sheet. */
  stylesheet: string;
  /** The package's. */
  version: string;
  /** What of the style sheet is for this page alone. */
  kind: 'docs' | 'home';
  /** What follows the header; in it, `#content`. */
  body: Html;
}

/** The document around a page about the service. */
export function frame({ title, stylesheet, version, kind, body }: Frame): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${stylesheet}" />
        <link rel="icon" href="data:," />
      </head>
      <body class="${kind}">
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <p class="product"><a href="/">Fairterm</a></p>
          <p class="by">API ${version}, <a href="/openapi.json">openapi.json</a></p>
        </header>
        ${body}
      </body>
    </html>`;
}
