import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../pages/html.ts';

/** The common values of all pages of the documentation. */
export interface Site {
  /** URL of the stylesheet. */
  stylesheet: string;
  /** Version of the package, shown as that of the API. */
  version: string;
}

/** An entry of a table of contents. Without `href`, it is the title of a group. */
export interface ContentsItem {
  href?: string;
  title: string;
  isCurrent?: boolean;
  children?: readonly ContentsItem[];
}

/** The address of the service in files, which is that of `npm start`. Pages have the service's own. */
export const SAMPLE_URL = 'http://localhost:4000';

/** Characters of a search. */
export const MAX_QUERY_LENGTH = 100;

export interface DocsPage {
  title: string;
  /** The text in the search field. */
  query?: string;
  contents?: readonly ContentsItem[];
  main: Html;
}

/** Renders a page of the documentation. On narrow screens its table of contents is below the text. */
export function docsPage({ stylesheet, version }: Site, { title, query = '', contents, main }: DocsPage): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}: Fairterm</title>
        <link rel="stylesheet" href="${stylesheet}" />
        <link rel="icon" href="data:," />
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header>
          <a href="/"><strong>Fairterm</strong></a>
          <nav aria-label="Documentation">
            <a href="/docs/guides">Guides</a> <a href="/docs">API reference</a>
            ${contents ? html`<a class="to-contents" href="#contents">Contents</a>` : nothing}
          </nav>
          <form role="search" action="/docs/search">
            <input type="search" name="q" aria-label="Search the documentation" maxlength="${MAX_QUERY_LENGTH}" value="${query}" />
            <button>Search</button>
          </form>
          <p>API ${version}, <a href="/openapi.json">openapi.json</a></p>
        </header>
        <div class="${contents ? 'columns' : 'column'}">
          ${contents ? html`<nav id="contents" aria-label="Contents" tabindex="-1">${contentsList(contents)}</nav>` : nothing}
          <main id="content" tabindex="-1">${main}</main>
        </div>
      </body>
    </html>`;
}

function contentsList(items: readonly ContentsItem[]): Html {
  return html`<ul>
    ${items.map(
      ({ href, title, isCurrent, children = [] }) =>
        html`<li>
          ${href === undefined ? title : html`<a href="${href}" aria-current="${isCurrent ? 'page' : 'false'}">${title}</a>`}
          ${children.length > 0 ? contentsList(children) : nothing}
        </li>`,
    )}
  </ul>`;
}
