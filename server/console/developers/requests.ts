import { html } from '@lit-labs/ssr';
import { plainPunctuation } from '../../../shared/plain-punctuation.ts';
import { nothing } from 'lit';
import { fill } from '../../../shared/languages/texts.ts';
import { ERRORS, isErrorCode } from '../../errors.ts';
import type { Html } from '../../http/html.ts';
import { isId, timeOfId } from '../../ids.ts';
import { findRequest, listRequests, type MerchantRequest, REQUEST_DAYS } from '../../merchant-requests/store.ts';
import { badge, copyable, details } from '../web/elements.ts';
import { submitButton } from '../web/form.ts';
import { list } from '../web/list.ts';
import type { ConsoleRequest, Screen } from '../web/screen.ts';

/** Requests of a page. */
const PAGE_SIZE = 50;

/** The requests with the merchant's keys, and a search by id. */
export const requests: Screen = {
  path: 'developers/requests',
  tab: (t) => t.console.developers.requests.title,
  permission: 'develop',
  show: async (request) => {
    const { deps, merchant, query, t, time, to } = request;
    const own = t.console.developers.requests;
    const searched = plainPunctuation(query.get('id') ?? '')
      .trim()
      .toLowerCase();
    if (isId(searched)) return { redirect: to(`developers/requests/${searched}`) };
    const onlyFailed = query.get('show') === 'rejected';
    const after = query.get('after') ?? undefined;
    const page = { onlyFailed, limit: PAGE_SIZE + 1, after: after !== undefined && isId(after) ? after : undefined };
    const found = await listRequests(deps.database.query, merchant.id, page);
    const rows = found.slice(0, PAGE_SIZE);
    const show = onlyFailed ? 'rejected' : undefined;
    return {
      title: own.title,
      content: html`<p class="lead">${fill(own.lead, { days: REQUEST_DAYS })}</p>
      ${list(t, {
        caption: own.title,
        rows,
        empty: own.empty,
        tabs: [
          { label: own.all, address: to('developers/requests'), isCurrent: !onlyFailed },
          { label: own.rejected, address: to('developers/requests', { show: 'rejected' }), isCurrent: onlyFailed },
        ],
        filters: search(request, searched),
        next: found.length > PAGE_SIZE ? to('developers/requests', { show, after: rows.at(-1)!.id }) : undefined,
        columns: [
          {
            label: own.request,
            cell: ({ id, method, path }) => html`<a href="${to(`developers/requests/${id}`)}"><code>${method} ${path}</code></a>`,
          },
          { label: own.time, cell: ({ id }) => time(timeOfId(id)) },
          { label: own.status, cell: statusOf },
          { label: own.key, cell: ({ keyId }) => html`<code>…${keyId}</code>` },
        ],
      })}`,
    };
  },
};

/** @param typed - A text that is not an id; empty if nothing was searched. */
function search({ t, to }: ConsoleRequest, typed: string): Html {
  const own = t.console.developers.requests;
  return html`<form class="filters" method="get" action="${to('developers/requests')}">
    <label for="id">${own.searchLabel}</label>
    <input id="id" type="search" name="id" value="${typed}" autocomplete="off" aria-describedby="${typed ? 'id-error' : nothing}" aria-invalid="${typed ? 'true' : nothing}" />
    ${submitButton(own.search, 'quiet')} ${typed ? html`<p class="error" id="id-error">${own.searchMessage}</p>` : nothing}
  </form>`;
}

function statusOf({ status, code }: MerchantRequest): Html {
  return html`<span>${badge(String(status), code === null ? 'good' : 'bad')} ${code === null ? nothing : html`<code>${code}</code>`}</span>`;
}

/** One request. */
export const requestById: Screen = {
  path: 'developers/requests/:id',
  permission: 'develop',
  show: async ({ deps, merchant, params, t, time, to }) => {
    const { id = '' } = params;
    const found = isId(id) ? await findRequest(deps.database.query, merchant.id, id) : undefined;
    if (!found) return undefined;
    const own = t.console.developers.requests;
    const meaning = found.code !== null && isErrorCode(found.code) ? ERRORS[found.code][1] : undefined;
    return {
      title: `${found.method} ${found.path}`,
      content: html`<p><a href="${to('developers/requests')}">${own.back}</a></p>
        ${details([
          [own.id, copyable(t, found.id)],
          [own.time, html`${time(timeOfId(found.id))} <small>${timeOfId(found.id)}</small>`],
          [own.status, statusOf(found)],
          [own.meaning, meaning && html`<span lang="en">${meaning}</span>`],
          [own.key, html`<code>…${found.keyId}</code>`],
        ])}
        <p>${own.noBodies}</p>`,
    };
  },
};
