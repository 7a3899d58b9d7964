import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';
import type { OpenApiDocument } from '../types.ts';
import type { Guide } from './guides.ts';
import { docsPage, type Site } from './layout.ts';
import { type Call, errorId } from './operation.ts';
import { errorsOf } from './reference.ts';
import { fieldsOf } from './schema.ts';

const MAX_QUERY_LENGTH = 100;
const MAX_RESULTS = 30;
/** Characters of a result's text before and after the match. */
const CONTEXT = 80;

/** An entry of the search index. */
export interface SearchEntry {
  href: string;
  title: string;
  /** Title of its page. */
  page: string;
  text: string;
}

/** Returns the entries for the sections of the guides, and the operations, schemas and error codes of the API. */
export function searchEntries(guides: readonly Guide[], { components }: OpenApiDocument, calls: readonly Call[]): SearchEntry[] {
  const page = 'API reference';
  return [
    ...calls.map(({ path, method, operation }) => ({
      href: `/docs#${operation.operationId}`,
      title: operation.summary,
      page,
      text: `${method.toUpperCase()} ${path} ${operation.description ?? ''}`,
    })),
    ...guides.flatMap((guide) =>
      guide.sections.map(({ level, id, title, text }) => ({
        href: level === 1 ? guide.href : `${guide.href}#${id}`,
        title,
        page: guide.title,
        text,
      })),
    ),
    ...Object.entries(components.schemas).map(([title, { description = '', properties = {} }]) => {
      const fields = fieldsOf(properties).map(([name, field]) => `${name}: ${field.description ?? ''}`);
      return { href: `/docs#schema-${title}`, title, page, text: [description, ...fields].join(' ') };
    }),
    ...errorsOf(calls).map(([code, { descriptions }]) => ({
      href: `/docs#${errorId(code)}`,
      title: code,
      page,
      text: [...descriptions].join(' '),
    })),
  ].map((entry) => ({ ...entry, text: entry.text.replaceAll('`', '') }));
}

/**
 * Returns the entries that contain every word of the query. Entries with more of the words in their title come first.
 * Ignores case.
 */
export function search(entries: readonly SearchEntry[], query: string): SearchEntry[] {
  const words = wordsOf(query);
  if (words.length === 0) return [];
  const found = entries.flatMap((entry) => {
    const [title, text] = [entry.title.toLowerCase(), entry.text.toLowerCase()];
    if (!words.every((word) => title.includes(word) || text.includes(word))) return [];
    return [{ entry, score: words.filter((word) => title.includes(word)).length + (title === words.join(' ') ? 1 : 0) }];
  });
  return found.toSorted((a, b) => b.score - a.score).map(({ entry }) => entry);
}

function wordsOf(query: string): string[] {
  return query.slice(0, MAX_QUERY_LENGTH).toLowerCase().split(/\s+/).filter(Boolean);
}

/** Renders the results of a search. */
export function searchPage(site: Site, entries: readonly SearchEntry[], query: string): Html {
  const found = search(entries, query);
  const count = found.length === 1 ? '1 result' : `${found.length} results`;
  const main = html`<h1>Search</h1>
    ${query === '' ? nothing : html`<p>${found.length === 0 ? 'No results' : count} for “${query.slice(0, MAX_QUERY_LENGTH)}”</p>`}
    <ol class="results">
      ${found.slice(0, MAX_RESULTS).map(
        ({ href, title, page, text }) =>
          html`<li>
            <a href="${href}">${title}</a> <span class="type">${page}</span>
            <p>${excerpt(text, wordsOf(query))}</p>
          </li>`,
      )}
    </ol>`;
  return docsPage(site, { title: 'Search', contents: [], main, query });
}

/** Renders the part of a text around the first match, with the match marked. */
function excerpt(text: string, words: readonly string[]): unknown[] {
  const lower = text.toLowerCase();
  const word = words.find((candidate) => lower.includes(candidate)) ?? '';
  const start = lower.indexOf(word);
  const end = start + word.length;
  const before = text.slice(Math.max(0, start - CONTEXT), start);
  const after = text.slice(end, end + CONTEXT);
  return [
    before.length < start ? `… ${before.replace(/^\S*\s/, '')}` : before,
    html`<mark>${text.slice(start, end)}</mark>`,
    end + after.length < text.length ? `${after.replace(/\s\S*$/, '')} …` : after,
  ];
}
