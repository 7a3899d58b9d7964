import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';
import { errorResponsesOf } from '../document.ts';
import type { Operation, Wording } from '../operation.ts';
import type { HeaderObject, OpenApiDocument, WebhookObject } from '../types.ts';
import { frame } from './frame.ts';
import { bodyFields, type Call, operationArticle } from './operation.ts';
import { entries, json, listing, paragraphs, prose, schemaList } from './schema.ts';

/** The API reference as a page. */
export function docsPage(document: OpenApiDocument, operations: readonly Operation[], stylesheetUrl: string): Html {
  const { info, servers, tags, webhooks, components } = document;
  const calls = callsOf(document, operations);
  const body = html`<div class="columns">
      <nav aria-label="Contents">
        <ul>
          ${tags.map(({ name }) => contents(name, calls))}
          <li><a href="#callback">Callback</a></li>
          <li><a href="#refusals">Errors</a></li>
          <li><a href="#headers">Headers</a></li>
          <li><a href="#schemas">Schemas</a></li>
        </ul>
      </nav>
      <main id="content" tabindex="-1">
        <h1>The API</h1>
        ${paragraphs(info.description)}
        <p class="server"><code>${servers[0].url}</code> <span>${servers[0].description}</span></p>
        ${tags.map(
          ({ name, description }) =>
            html`<section aria-labelledby="${idOf(name)}">
              <h2 id="${idOf(name)}">${name}</h2>
              <p class="lead">${prose(description)}</p>
              ${calls.filter(({ operation }) => operation.tags.includes(name)).map((call) => operationArticle(document, call))}
            </section>`,
        )}
        ${callback(document, webhooks.checkoutCompleted.post)} ${errorSection(calls)} ${headerSection(components.headers)}
        <section aria-labelledby="schemas">
          <h2 id="schemas">Schemas</h2>
          ${schemaList(components.schemas)}
        </section>
      </main>
    </div>`;
  return frame({ title: `${info.title}: the API`, stylesheet: stylesheetUrl, version: info.version, kind: 'docs', body });
}

function callsOf({ paths }: OpenApiDocument, operations: readonly Operation[]): Call[] {
  return operations.flatMap((described) => {
    const { path, method } = described;
    const operation = paths[path]?.[method];
    return operation
      ? [{ path, method, operation, errors: errorResponsesOf(described), wording: described.wording ?? 'merchant' }]
      : [];
  });
}

const idOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-');

function contents(tag: string, calls: readonly Call[]): Html {
  return html`<li>
    <a href="#${idOf(tag)}">${tag}</a>
    <ul>
      ${calls
        .filter(({ operation }) => operation.tags.includes(tag))
        .map(({ operation }) => html`<li><a href="#${operation.operationId}">${operation.summary}</a></li>`)}
    </ul>
  </li>`;
}

function callback(document: OpenApiDocument, { summary, description, parameters, requestBody }: WebhookObject): Html {
  const { schema, example } = requestBody.content['application/json']!;
  return html`<section aria-labelledby="callback">
    <h2 id="callback">Callback</h2>
    <p class="lead">${prose(summary)}</p>
    ${paragraphs(description)}
    <article class="operation">
      <h3>What your server receives</h3>
      <h4>Headers</h4>
      ${entries(parameters.map((header) => ({ ...header, isRequired: true })))}
      <h4>Body</h4>
      ${bodyFields(document, schema)} ${listing(json(example))}
    </article>
  </section>`;
}

const apis: Readonly<Record<Wording, string>> = {
  merchant: 'In the merchant API, and everywhere else',
  platform: 'In the platform API, below `/api`',
  oauth: 'In OAuth 2.0, below `/oauth`',
};

/** Every error code, once for each API. */
function errorSection(calls: readonly Call[]): Html {
  return html`<section aria-labelledby="refusals">
    <h2 id="refusals">Errors</h2>
    <p class="lead">The meaning of a code never changes.</p>
    ${(Object.keys(apis) as Wording[]).map(
      (wording) =>
        html`<h3>${prose(apis[wording])}</h3>
          <dl class="entries">
            ${errorsOf(calls.filter((call) => call.wording === wording)).map(([code, found]) => errorEntry(code, found))}
          </dl>`,
    )}
  </section>`;
}

interface FoundError {
  statuses: Set<number>;
  descriptions: Set<string>;
}

/** Returns the error codes of all calls, the lowest status first. */
function errorsOf(calls: readonly Call[]): [code: string, found: FoundError][] {
  const all = new Map<string, FoundError>();
  for (const { status, errors } of calls.flatMap((call) => call.errors)) {
    for (const { code, description } of errors) {
      if (code === undefined) continue;
      const found = all.get(code) ?? { statuses: new Set(), descriptions: new Set() };
      all.set(code, { statuses: found.statuses.add(status), descriptions: found.descriptions.add(description) });
    }
  }
  const lowest = ({ statuses }: FoundError) => Math.min(...statuses);
  return [...all].sort(([, a], [, b]) => lowest(a) - lowest(b));
}

function errorEntry(code: string, { statuses, descriptions }: FoundError): Html {
  return html`<div id="refusal-${code}">
    <dt><code>${code}</code> <span class="type">${[...statuses].toSorted((a, b) => a - b).join(', ')}</span></dt>
    <dd>${prose([...descriptions].join(' '))}</dd>
  </div>`;
}

function headerSection(headers: Readonly<Record<string, HeaderObject>>): Html {
  const all = Object.entries(headers).map(([name, { required, schema, description }]) => ({
    name,
    schema,
    isRequired: required === true,
    description,
  }));
  return html`<section aria-labelledby="headers">
    <h2 id="headers">Headers</h2>
    <p class="lead">Headers of responses.</p>
    ${all.length > 0 ? entries(all) : nothing}
  </section>`;
}
