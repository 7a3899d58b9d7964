import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { ServiceError } from '../../base/errors.ts';
import type { Html } from '../../http/pages/html.ts';
import { panel } from './elements.ts';
import { MAX_SEARCH } from '../../purchases/transactions/search.ts';

export interface Column<Row> {
  /** Empty for a column of buttons. */
  label: string;
  /** A text or a template, such as a link. */
  cell(row: Row): unknown;
  /** Amounts and numbers are aligned at the end. */
  isAmount?: boolean;
}

export interface Tab {
  label: string;
  address: string;
  isCurrent: boolean;
}

export interface List<Row> {
  /** Describes the table. Visible only to screen readers, because the page has a heading. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** On narrow screens, each row of six columns is two lines: columns 1, 2 and 5, and columns 3, 4 and 6 below them. */
  hasTwoLines?: boolean;
  /** Shown instead of an empty table. Omitted for a list that is not shown without rows. */
  empty?: string;
  tabs?: readonly Tab[];
  /** A form with the method GET above the table. */
  filters?: Html | undefined;
  /** Address of the next page. */
  next?: string | undefined;
  /** A form that downloads a file with the same rows. */
  download?: Html | undefined;
}

/** A table, which becomes cards on narrow screens. The first column is the heading of a card. */
export function list<Row>(content: List<Row>): Html {
  const { caption, columns, rows, empty, filters, next, download } = content;
  // Roles, because browsers drop those of tables that are displayed as blocks.
  return html`<section class="list">
    ${content.tabs ? tabs(caption, content.tabs) : nothing} ${filters ?? nothing}
    ${
      rows.length === 0
        ? html`<p class="empty">${empty}</p>`
        : html`<table role="table" class="${content.hasTwoLines ? 'two-lines' : nothing}">
            <caption class="hidden">${caption}</caption>
            <thead role="rowgroup">
              <tr role="row">
                ${columns.map(({ label, isAmount }) => html`<th role="columnheader" scope="col" class="${isAmount ? 'amount' : ''}">${label || html`<span class="hidden">Actions</span>`}</th>`)}
              </tr>
            </thead>
            <tbody role="rowgroup">
              ${rows.map(
                (row) =>
                  html`<tr role="row">
                    ${columns.map(({ label, cell, isAmount }) => html`<td role="cell" class="${isAmount ? 'amount' : ''}" data-label="${label}">${cell(row)}</td>`)}
                  </tr>`,
              )}
            </tbody>
          </table>`
    }
    ${
      next || download
        ? html`<div class="list-end">
            ${download ?? nothing}
            ${next ? html`<a class="button quiet" href="${next}" rel="next">Next page</a>` : nothing}
          </div>`
        : nothing
    }
  </section>`;
}

/** A list in a panel with the same heading. */
export function listPanel<Row>(content: List<Row>): Html {
  return panel(content.caption, list(content));
}

/** Links between views of the same kind. */
export function tabs(caption: string, all: readonly Tab[]): Html {
  return html`<nav class="tabs" aria-label="${caption}">
    ${all.map(
      ({ label, address, isCurrent }) => html`<a href="${address}" aria-current="${isCurrent ? 'page' : nothing}">${label}</a>`,
    )}
  </nav>`;
}

/** Returns the page after the item in the address of a list. Without such an item, the first page: people may edit an address. */
export async function pageAfter<Page>(query: URLSearchParams, read: (after: { after?: string }) => Promise<Page>): Promise<Page> {
  const after = query.get('after');
  if (after === null) return read({});
  try {
    return await read({ after });
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.code === 'invalid-request') return read({});
    throw thrown;
  }
}

/** The search box of a list. */
export function searchField(label: string, text: string): Html {
  return html`<input type="search" name="q" value="${text}" aria-label="${label}" placeholder="${label}" maxlength="${MAX_SEARCH}" dir="auto" autocomplete="off" />`;
}

/** Returns the text of the search box in the address of a list. */
export function searchedText(query: URLSearchParams): string {
  return (query.get('q') ?? '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, MAX_SEARCH);
}
