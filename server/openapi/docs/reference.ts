import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';
import { errorResponsesOf } from '../document.ts';
import type { Operation, ErrorStyle } from '../operation.ts';
import type { HeaderObject, OpenApiDocument, WebhookObject } from '../types.ts';
import { type ContentsItem, docsPage, type Site } from './layout.ts';
import { bodyFields, type Call, errorId, operationArticle } from './operation.ts';
import { entries, json, listing, paragraphs, prose, schemaList } from './schema.ts';

/** Renders the API reference. */
export function referencePage(site: Site, document: OpenApiDocument, calls: readonly Call[]): Html {
  const { info, servers, tags, webhooks, components } = document;
  const contents: ContentsItem[] = [
    ...tags.map(({ name }) => ({
      href: `#${idOf(name)}`,
      title: name,
      children: callsWithTag(calls, name).map(({ operation }) => ({
        href: `#${operation.operationId}`,
        title: operation.summary,
      })),
    })),
    { href: '#callback', title: 'Callback' },
    { href: '#errors', title: 'Errors' },
    { href: '#headers', title: 'Headers' },
    { href: '#schemas', title: 'Schemas' },
  ];
  const main = html`<h1>API reference</h1>
    ${paragraphs(info.description)}
    <p class="server"><code>${servers[0].url}</code> <span>${servers[0].description}</span></p>
    ${tags.map(({ name, description }) =>
      section(
        idOf(name),
        name,
        html`<p class="lead">${prose(description)}</p>
          ${callsWithTag(calls, name).map((call) => operationArticle(document, call))}`,
      ),
    )}
    ${callback(document, webhooks.checkoutCompleted.post)} ${errorSection(calls)} ${headerSection(components.headers)}
    ${section('schemas', 'Schemas', html`${schemaList(components.schemas)}`)}`;
  return docsPage(site, { title: 'API reference', contents, main });
}

function section(id: string, title: string, content: Html): Html {
  return html`<section aria-labelledby="${id}">
    <h2 id="${id}"><a href="#${id}">${title}</a></h2>
    ${content}
  </section>`;
}

/** Returns the operations of the document with their errors. */
export function callsOf({ paths }: OpenApiDocument, operations: readonly Operation[]): Call[] {
  return operations.flatMap((described) => {
    const { path, method } = described;
    const operation = paths[path]?.[method];
    return operation
      ? [{ path, method, operation, errors: errorResponsesOf(described), errorStyle: described.errorStyle ?? 'merchant' }]
      : [];
  });
}

const idOf = (tag: string) => tag.toLowerCase().replaceAll(' ', '-');

const callsWithTag = (calls: readonly Call[], tag: string) => calls.filter(({ operation }) => operation.tags.includes(tag));

function callback(document: OpenApiDocument, { summary, description, parameters, requestBody }: WebhookObject): Html {
  const { schema, example } = requestBody.content['application/json']!;
  return section(
    'callback',
    'Callback',
    html`<p class="lead">${prose(summary)}</p>
      ${paragraphs(description)}
      <article class="operation">
        <h3>What your server receives</h3>
        <h4>Headers</h4>
        ${entries(
          parameters.map((header) => ({ ...header, isRequired: true })),
          'callback',
        )}
        <h4>Body</h4>
        ${bodyFields(document, schema, 'callback')} ${listing(json(example))}
      </article>`,
  );
}

const apis: Readonly<Record<ErrorStyle, string>> = {
  merchant: 'In the merchant API, and everywhere else',
  platform: 'In the platform API, below `/api`',
  oauth: 'In OAuth 2.0, below `/oauth`',
};

/** Renders every error code, once for each API. */
function errorSection(calls: readonly Call[]): Html {
  return section(
    'errors',
    'Errors',
    html`<p class="lead">The meaning of a code never changes.</p>
      ${(Object.keys(apis) as ErrorStyle[]).map(
        (errorStyle) =>
          html`<h3>${prose(apis[errorStyle])}</h3>
            <dl class="entries">
              ${errorsOf(calls.filter((call) => call.errorStyle === errorStyle)).map(([code, found]) => errorEntry(code, found))}
            </dl>`,
      )}`,
  );
}

interface FoundError {
  statuses: Set<number>;
  descriptions: Set<string>;
}

/** Returns the error codes of all calls, the lowest status first. */
export function errorsOf(calls: readonly Call[]): [code: string, found: FoundError][] {
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
  return html`<div id="${errorId(code)}">
    <dt><a href="#${errorId(code)}"><code>${code}</code></a> <span class="type">${[...statuses].toSorted((a, b) => a - b).join(', ')}</span></dt>
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
  return section(
    'headers',
    'Headers',
    html`<p class="lead">Headers of responses.</p>
      ${all.length > 0 ? entries(all, 'header') : nothing}`,
  );
}
