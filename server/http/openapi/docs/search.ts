import MiniSearch from 'minisearch';
import { html } from '@lit-labs/ssr';
import type { Html } from '../../pages/html.ts';
import { docsPage, MAX_QUERY_LENGTH, type Site } from './layout.ts';

/** A section of a guide or an operation of the API reference. */
export interface SearchableSection {
  href: string;
  /** The guide of the section. */
  page: string;
  title: string;
  text: string;
}

export interface SearchResult extends SearchableSection {
  /** Words of the section that match. */
  words: string[];
}

const MAX_WORDS = 8;
const MAX_RESULTS = 20;

/** Characters before and after the first match in an excerpt. */
const EXCERPT_LENGTH = 90;

/** Returns a function that finds the sections for a query, the best first. Its work is bounded, because anyone can call it. */
export function createSearch(sections: readonly SearchableSection[]): (query: string) => SearchResult[] {
  const index = new MiniSearch<SearchableSection & { id: number }>({ fields: ['title', 'page', 'text'] });
  index.addAll(sections.map((section, id) => ({ ...section, id })));
  return (query) => {
    const words = query.slice(0, MAX_QUERY_LENGTH).split(/\s+/).slice(0, MAX_WORDS).join(' ');
    const find = (combineWith: 'AND' | 'OR') =>
      index.search(words, {
        combineWith,
        boost: { title: 3, page: 2 },
        // Short words begin or resemble many others. Each word may have one typing error.
        prefix: (word) => word.length > 2,
        fuzzy: (word) => (word.length > 4 ? 1 : false),
      });
    const withAllWords = find('AND');
    const found = withAllWords.length > 0 ? withAllWords : find('OR');
    return found.slice(0, MAX_RESULTS).map(({ id, terms }) => ({ ...sections[Number(id)]!, words: terms }));
  };
}

/** Renders the results of a query. */
export function searchPage(site: Site, query: string, results: readonly SearchResult[]): Html {
  const count =
    results.length === MAX_RESULTS
      ? `The best ${MAX_RESULTS} results`
      : `${results.length} ${results.length === 1 ? 'result' : 'results'}`;
  const main = html`<h1>Search</h1>
    <p role="status">${query === '' ? 'Enter words to find in the guides and the API reference.' : `${count} for “${query}”`}</p>
    <ul class="links">
      ${results.map(
        ({ href, page, title, text, words }) =>
          html`<li><a href="${href}">${title === page ? title : `${page}: ${title}`}</a> <span>${excerpt(text, words)}</span></li>`,
      )}
    </ul>
    <p>All: <a href="/docs/guides">guides</a>, <a href="/docs">API reference</a></p>`;
  return docsPage(site, { title: 'Search', query, main });
}

/** Returns the text around the first word, in which all words are marked. */
function excerpt(text: string, words: readonly string[]): unknown[] {
  const pattern = new RegExp(`(${words.map((word) => word.replace(/[^\p{L}\p{N}]/gu, String.raw`\$&`)).join('|')})`, 'gi');
  const first = Math.max(0, text.search(pattern));
  const start = first <= EXCERPT_LENGTH ? 0 : text.indexOf(' ', first - EXCERPT_LENGTH) + 1;
  const end = first + EXCERPT_LENGTH >= text.length ? text.length : text.lastIndexOf(' ', first + EXCERPT_LENGTH);
  const parts = text.slice(start, end).split(pattern);
  return [
    start > 0 ? '… ' : '',
    ...parts.map((part, index) => (index % 2 === 1 ? html`<mark>${part}</mark>` : part)),
    end < text.length ? ' …' : '',
  ];
}
