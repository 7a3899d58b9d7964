import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';
import { htmlDocument } from './html-document.ts';

/** The common values of all pages of the documentation. */
export interface Site {
  /** URL of the stylesheet. */
  stylesheet: string;
  /** URL of the script. */
  script: string;
  /** Version of the package. */
  version: string;
}

/** An entry of a table of contents. Without `href`, it is the title of a group. */
export interface ContentsItem {
  href?: string;
  title: string;
  isCurrent?: boolean;
  children?: readonly ContentsItem[];
}

export interface DocsPage {
  title: string;
  contents: readonly ContentsItem[];
  main: Html;
  /** Initial query in the search box. */
  query?: string;
}

/** Renders a page of the documentation: search box, table of contents and content. */
export function docsPage({ stylesheet, script, version }: Site, { title, contents, main, query = '' }: DocsPage): Html {
  const header = html`<nav class="areas" aria-label="Documentation">
      <a href="/docs/guides">Guides</a> <a href="/docs">API reference</a>
    </nav>
    <form class="search" role="search" action="/docs/search">
      <input type="search" name="q" value="${query}" aria-label="Search the documentation" placeholder="Search" required />
      <button>Search</button>
    </form>
    ${contents.length > 0 ? html`<p class="to-contents"><a href="#contents">Contents</a></p>` : nothing}`;
  // On narrow screens the table of contents is below the text.
  const body = html`<div class="${contents.length > 0 ? 'columns' : 'column'}">
    ${
      contents.length > 0
        ? html`<nav id="contents" aria-label="Contents" tabindex="-1">
            ${contentsList(contents)}
          </nav>`
        : nothing
    }
    <main id="content" tabindex="-1">${main}</main>
  </div>`;
  return htmlDocument({ title: `${title}: Fairterm`, stylesheet, script, version, bodyClass: 'docs', header, body });
}

function contentsList(items: readonly ContentsItem[]): Html {
  return html`<ul>
    ${items.map(
      ({ href, title, isCurrent, children }) =>
        html`<li>
          ${
            href === undefined
              ? html`<span>${title}</span>`
              : html`<a href="${href}" aria-current="${isCurrent ? 'page' : 'false'}">${title}</a>`
          }
          ${children?.length ? contentsList(children) : nothing}
        </li>`,
    )}
  </ul>`;
}
