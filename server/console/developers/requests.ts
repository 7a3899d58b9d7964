import { html } from '@lit-labs/ssr';
import { plainPunctuation } from '../../../shared/plain-punctuation.ts';
import { nothing } from 'lit';
import { ERRORS, isErrorCode } from '../../base/errors.ts';
import type { Html } from '../../http/pages/html.ts';
import { isId, timeOfId } from '../../base/ids.ts';
import { findRequest, listRequests, type MerchantRequest, REQUEST_DAYS } from '../../merchants/requests/store.ts';
import { badge, copyable, details, submitButton } from '../web/elements.ts';
import { list } from '../web/list.ts';
import type { ConsoleRequest, Show } from '../web/screen.ts';
import { requestFigures } from './figures.ts';

const PAGE_SIZE = 50;

/** The requests with the merchant's keys, and a search by id. */
export const showRequests: Show = async (request) => {
  const { deps, merchant, query, time, to } = request;
  const searched = plainPunctuation(query.get('id') ?? '')
    .trim()
    .toLowerCase();
  if (isId(searched)) return { redirect: to(`developers/requests/${searched}`) };
  const onlyFailed = query.get('show') === 'rejected';
  const after = query.get('after') ?? undefined;
  const page = { onlyFailed, limit: PAGE_SIZE + 1, after: after !== undefined && isId(after) ? after : undefined };
  const found = await listRequests(deps.database.query, merchant.id, page);
  const rows = found.slice(0, PAGE_SIZE);
  const isFirst = !onlyFailed && page.after === undefined;
  const show = onlyFailed ? 'rejected' : undefined;
  return {
    title: 'Requests',
    content: html`<p class="lead">POST, PUT and DELETE requests with your keys in the last ${REQUEST_DAYS} days. Of rejected ones, at most 20 a minute are listed and counted for each error.</p>
    ${isFirst ? await requestFigures(request) : nothing}
    ${list({
      caption: 'Requests',
      rows,
      empty: 'There is no request here.',
      tabs: [
        { label: 'All', address: to('developers/requests'), isCurrent: !onlyFailed },
        { label: 'Rejected', address: to('developers/requests', { show: 'rejected' }), isCurrent: onlyFailed },
      ],
      filters: search(request, searched),
      next: found.length > PAGE_SIZE ? to('developers/requests', { show, after: rows.at(-1)!.id }) : undefined,
      columns: [
        {
          label: 'Request',
          cell: ({ id, method, path }) => html`<a href="${to(`developers/requests/${id}`)}"><code>${method} ${path}</code></a>`,
        },
        { label: 'Time', cell: ({ id }) => time(timeOfId(id)) },
        { label: 'Status', cell: requestResult },
        { label: 'Key', cell: ({ keyId }) => html`<code>…${keyId}</code>` },
      ],
    })}`,
  };
};

/** @param typed - A text that is not an id; empty if nothing was searched. */
function search({ to }: ConsoleRequest, typed: string): Html {
  return html`<form class="filters" method="get" action="${to('developers/requests')}">
    <label for="id">Request id, the header X-Request-Id of a response</label>
    <input id="id" type="search" name="id" value="${typed}" autocomplete="off" aria-describedby="${typed ? 'id-error' : nothing}" aria-invalid="${typed ? 'true' : nothing}" />
    ${submitButton('Find', 'quiet')} ${typed ? html`<p class="error" id="id-error">Enter an id such as 01937f3a-5c1e-7b2a-9d4e-2f6a8b1c3d5e</p>` : nothing}
  </form>`;
}

function requestResult({ status, code }: MerchantRequest): Html {
  return html`<span>${badge(String(status), code === null ? 'good' : 'bad')} ${code === null ? nothing : html`<code>${code}</code>`}</span>`;
}

export const showRequest: Show = async ({ deps, merchant, id, time, to }) => {
  const found = isId(id) ? await findRequest(deps.database.query, merchant.id, id) : undefined;
  if (!found) return undefined;
  // The description of the error code, as the documentation has it.
  const meaning = found.code !== null && isErrorCode(found.code) ? ERRORS[found.code][1] : undefined;
  return {
    title: `${found.method} ${found.path}`,
    content: html`<p><a href="${to('developers/requests')}">Back to the requests</a></p>
      ${details([
        ['Request id', copyable(found.id)],
        ['Time', html`${time(timeOfId(found.id))} <small>${timeOfId(found.id)}</small>`],
        ['Status', requestResult(found)],
        ['Meaning', meaning],
        ['Key', html`<code>…${found.keyId}</code>`],
      ])}
      <p>Bodies, queries and headers are not stored.</p>`,
  };
};
