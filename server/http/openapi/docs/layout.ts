import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { renderFrame } from '../../pages/frame.ts';
import type { Html } from '../../pages/html.ts';
import type { ColorCode } from './colors.ts';

/** The common values of all pages of the documentation. */
export interface Site {
  /** URL of the stylesheet. */
  stylesheet: string;
  /** URL of the script. */
  script: string;
  color: ColorCode;
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

/** The address of the service in files and samples, which is that of `npm start`. The service replaces it in pages, see `routes.ts`. */
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
export function docsPage({ stylesheet, script, version }: Site, { title, query = '', contents, main }: DocsPage): Html {
  return renderFrame({
    language: 'en',
    title: `${title}: Fairterm`,
    stylesheets: [stylesheet],
    script,
    // It selects the language of the samples, which moves the page.
    isScriptAwaited: true,
    isPublic: true,
    layout: contents ? 'with-contents' : 'single',
    skip: 'Skip to the content',
    header: html`<header>
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
    </header>`,
    aside: contents ? html`<nav id="contents" aria-label="Contents" tabindex="-1">${contentsList(contents)}</nav>` : nothing,
    main,
  });
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
