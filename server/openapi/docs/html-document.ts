import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';

/** The variable parts of a page. */
export interface HtmlDocument {
  title: string;
  /** URL of the stylesheet. */
  stylesheet: string;
  /** URL of an optional script. The page works without it. */
  script?: string;
  /** Version of the package, shown as that of the API. */
  version: string;
  bodyClass: 'docs' | 'home';
  /** Content of the header after the name of the product. */
  header?: Html;
  /** Everything after the header. It contains `#content`. */
  body: Html;
}

/** Renders the HTML document of a documentation page or of the home page. */
export function htmlDocument({ title, stylesheet, script, version, bodyClass, header, body }: HtmlDocument): Html {
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
      <body class="${bodyClass}">
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <p class="product"><a href="/">Fairterm</a></p>
          ${header ?? nothing}
          <p class="attribution">API ${version}, <a href="/openapi.json">openapi.json</a></p>
        </header>
        ${body}
      </body>
    </html>`;
}
