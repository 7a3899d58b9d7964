import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from './html.ts';

/** The icon of all pages, inline, which saves a request. */
const ICON =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='9' fill='%230b5d4e'/%3E%3Cpath d='M7 23h4v-5H7zm7 0h4V13h-4zm7 0h4V8h-4z' fill='%23fff'/%3E%3C/svg%3E";

/** The parts of a page, and its language. */
export interface Frame {
  language: string;
  title: string;
  /** URLs of the style sheets, in the order of the cascade. */
  stylesheets: readonly string[];
  /** URL of the client script. */
  script?: string | undefined;
  /** True if browsers show the page once its script has run. */
  isScriptAwaited?: boolean;
  /** True if search engines may show the page. */
  isPublic?: boolean;
  /** Class of the body, by which a style sheet distinguishes layouts. */
  layout?: string;
  /** Label of the link to the content, on a page with many links before it. */
  skip?: string;
  /** The `<header>` with the brand and the navigation. */
  header: Html;
  /** Next to the content: the order, or a table of contents. */
  aside?: Html | typeof nothing;
  /** The name of the page, for tests and scripts. */
  step?: string | undefined;
  main: Html;
  footer?: Html;
}

/**
 * Renders a page: of the checkout, the console, the documentation or the metrics.
 *
 * Browsers with `rel="expect"` show the page once all of it has arrived. Others may show a part of it first, such as a table without its
 * last row, which moves when the rest arrives. Chromium waits for the start of the expected element, not for its end, so that is the last
 * element.
 */
export function renderFrame(frame: Frame): Html {
  return html`<!doctype html>
    <html lang="${frame.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        ${frame.isPublic ? nothing : html`<meta name="robots" content="noindex" />`}
        <title>${frame.title}</title>
        <link rel="expect" href="#end" blocking="render" />
        ${frame.stylesheets.map((url) => html`<link rel="stylesheet" href="${url}" />`)}
        ${frame.script === undefined ? nothing : frame.isScriptAwaited ? html`<script type="module" src="${frame.script}" blocking="render"></script>` : html`<script type="module" src="${frame.script}"></script>`}
        <link rel="icon" href="${ICON}" />
      </head>
      <body class="${frame.layout ?? nothing}">
        ${frame.skip === undefined ? nothing : html`<a class="skip" href="#main">${frame.skip}</a>`}
        ${frame.header}
        <div class="page">
          ${frame.aside ?? nothing}
          <main id="main" tabindex="-1" data-step="${frame.step ?? nothing}">${frame.main}</main>
        </div>
        ${frame.footer === undefined ? nothing : html`<footer>${frame.footer}</footer>`}
        <span id="end" hidden></span>
      </body>
    </html>`;
}
