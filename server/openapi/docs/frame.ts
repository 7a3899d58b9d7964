import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';

/** What differs from page to page. */
export interface Frame {
  title: string;
  /** Address of the stylesheet. */
  stylesheet: string;
  /** Address of a script that the page also works without. */
  script?: string;
  /** Version of the package. */
  version: string;
  /** Class of the page in the stylesheet. */
  kind: 'docs' | 'home';
  /** Content of the header after the name of the product. */
  header?: Html;
  /** Everything after the header. It contains `#content`. */
  body: Html;
}

/** Renders the document around a page about the service. */
export function frame({ title, stylesheet, script, version, kind, header, body }: Frame): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="stylesheet" href="${stylesheet}" />
        <link rel="icon" href="data:," />
        ${script === undefined ? nothing : html`<script type="module" src="${script}"></script>`}
      </head>
      <body class="${kind}">
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <p class="product"><a href="/">Fairterm</a></p>
          ${header ?? nothing}
          <p class="by">API ${version}, <a href="/openapi.json">openapi.json</a></p>
        </header>
        ${body}
      </body>
    </html>`;
}
