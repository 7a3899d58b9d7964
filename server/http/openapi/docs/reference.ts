import { keysOf } from '../../../../shared/objects.ts';
import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { unsafeHTML } from 'lit/directives/unsafe-html.js';
import type { JsonSchema } from '../../../../shared/wire/annotations.ts';
import type { Html } from '../../pages/html.ts';
import { type OpenApiDocument, type OperationObject, type ResponseObject, rules } from '../document.ts';
import type { ParameterObject } from '../parameters.ts';
import type { WebhookObject } from '../resources/events.ts';
import { keyPair } from '../resources/tokens.ts';
import { type SampleCall, samplesOf } from './call-samples.ts';
import { languageSelection } from './guides.ts';
import { type ContentsItem, docsPage, SAMPLE_URL, type Site } from './layout.ts';
import { sampleLanguages } from './markdown.ts';
import type { SearchableSection } from './search.ts';
import { sequenceDiagram } from './sequence-diagram.ts';
import { componentName, fieldList, type Field, fieldsOf, paragraphs, prose, typeOf } from './schema.ts';

/** An operation with its path, and the address of its description. */
interface Call {
  path: string;
  /** `GET` */
  method: string;
  operation: OperationObject;
  href: string;
}

/** A page, and the operations on it. */
interface Page {
  href: string;
  title: string;
  calls?: Call[];
  main(): Html;
}

const RULES = '/docs/api/rules';

/** Returns the pages of the API reference by their paths: the overview, each resource, and what operations have in common. */
export function referencePages(site: Site, document: OpenApiDocument): Map<string, () => Html> {
  const { webhooks, components } = document;
  const groups = groupsOf(document);
  const pages: Page[] = [
    { href: '/docs', title: 'API reference', main: () => overview(document, groups) },
    { href: RULES, title: 'Errors, versions and retries', main: () => rulesOf(document) },
    ...groups.map((group) => ({
      ...group,
      main: () =>
        html`<p>${prose(group.description)}</p>
          ${languageSelection(keysOf(sampleLanguages))} ${group.calls.map((call) => operationArticle(site, document, call))}`,
    })),
    {
      href: '/docs/api/payloads',
      title: 'Callback and events',
      main: () =>
        html`<p>What the service sends to your server. <a href="/docs/webhooks">How to verify and answer it</a></p>
          ${Object.values(webhooks).map(({ post }) => callbackArticle(site, document, post))}`,
    },
    {
      href: '/docs/api/schemas',
      title: 'Schemas',
      main: () => html`${Object.entries(components.schemas).map(([name, schema]) => schemaArticle(name, schema))}`,
    },
  ];
  const render = ({ href, title, main }: Page) =>
    docsPage(site, { title, contents: contentsOf(pages, href), main: html`<h1>${title}</h1> ${main()}` });
  return new Map(pages.map((page) => [page.href, () => render(page)]));
}

/** Returns the resources with their operations, each of which has a page. */
function groupsOf({ tags, paths }: OpenApiDocument) {
  return tags.map(({ name: title, description }) => {
    const href = `/docs/api/${title.toLowerCase().replaceAll(' ', '-')}`;
    const calls = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item)
        .filter(([, operation]) => operation.tags[0] === title)
        .map(([verb, operation]): Call => {
          return { path, method: verb.toUpperCase(), operation, href: `${href}#${operation.operationId}` };
        }),
    );
    return { href, title, description, calls };
  });
}

function contentsOf(pages: readonly Page[], current: string): ContentsItem[] {
  return pages.map(({ href, title, calls = [] }) => ({
    href,
    title,
    ...(href === current && {
      isCurrent: true,
      children: calls.map(({ operation }) => ({ href: `#${operation.operationId}`, title: operation.summary })),
    }),
  }));
}

/** The calls of a purchase, each with what it is for. */
const PURCHASE = [
  ['createCart', 'Create a cart', 'and redirect the buyer to its `url`. The buyer chooses a plan and signs.'],
  ['getTransaction', 'Retrieve the transaction', 'after the callback, and compare it with your order.'],
  ['actOnTransaction', 'Authorize it', 'to accept the order.'],
  ['actOnTransaction', 'Settle it', 'when you ship. You are paid for what is settled.'],
  ['actOnTransaction', 'Refund it', 'completely or in part, when the buyer returns something.'],
] as const;

const PURCHASE_DIAGRAM = `
  accTitle: A purchase
  participant buyer as Buyer
  participant shop as Your server
  participant fairterm as Fairterm
  shop->>fairterm: 1 create a cart
  fairterm-->>shop: its url
  shop-->>buyer: redirect to the url
  buyer->>fairterm: details, plan, signature
  fairterm->>shop: callback with its id
  shop->>fairterm: 2 retrieve it
  shop->>fairterm: 3 authorize
  fairterm-->>buyer: redirect to your page
  shop->>fairterm: 4 settle
  shop->>fairterm: 5 refund`;

/** Renders the calls of a purchase, and a list of all operations. Each has its id, because links to this page name operations. */
function overview(document: OpenApiDocument, groups: ReturnType<typeof groupsOf>): Html {
  const { info, servers } = document;
  const all = groups.flatMap(({ calls }) => calls);
  return html`<div class="columns">
      <div>
        <h2 id="purchase">A purchase in five calls</h2>
        <ol class="steps">
          ${PURCHASE.map(([id, title, text]) => {
            const { method, path, href } = all.find(({ operation }) => operation.operationId === id)!;
            return html`<li><code class="call">${method} ${path}</code> <a href="${href}">${title}</a> ${prose(text)}</li>`;
          })}
        </ol>
        <p>
          As programs: <a href="/docs/code-samples">code samples</a>. Every call can fail and be repeated:
          <a href="${RULES}">errors, versions and retries</a>.
        </p>
      </div>
      ${unsafeHTML(sequenceDiagram(PURCHASE_DIAGRAM))}
    </div>
    <h2 id="introduction">Introduction</h2>
    <p><code>${servers[0].url}</code> ${servers[0].description}</p>
    ${paragraphs(info.description.slice(0, info.description.indexOf(`\n\n${rules.Errors}`)))}
    ${groups.map(
      ({ href, title, description, calls }) =>
        html`<section class="card">
          <h2><a href="${href}">${title}</a></h2>
          <p>${prose(description)}</p>
          <ul class="links">
            ${calls.map(
              ({ method, path, operation, href: address }) =>
                html`<li id="${operation.operationId}"><a href="${address}">${operation.summary}</a> <span><code>${method} ${path}</code></span></li>`,
            )}
          </ul>
        </section>`,
    )}`;
}

function rulesOf({ components }: OpenApiDocument): Html {
  const headers = Object.entries(components.headers).map(([name, header]) => ({ ...header, name }));
  return html`${Object.entries(rules).map(
    ([title, text]) =>
      html`<h2 id="${title.toLowerCase()}">${title}</h2>
          <p>${prose(text)}</p>`,
  )}
    <p>What to do after each error: <a href="/docs/merchant-api#errors">errors of the merchant API</a></p>
    <h2 id="headers">Headers of responses</h2>
    ${fieldList(headers, 'header')}`;
}

/** Returns the operations for the search. */
export function referenceSections(document: OpenApiDocument): SearchableSection[] {
  return groupsOf(document).flatMap(({ calls }) =>
    calls.map(({ path, method, href, operation: { summary, description } }) => ({
      href,
      page: 'API reference',
      title: summary,
      text: `${method} ${path} ${description.replaceAll('`', '')}`,
    })),
  );
}

/** Renders an operation: its parameters, body and responses, and next to them requests and a response. */
function operationArticle(site: Site, document: OpenApiDocument, call: Call): Html {
  const { path, method, operation } = call;
  const { operationId: id, summary, description, requestBody } = operation;
  const parameters = parametersOf(document, operation);
  const [[type, body] = []] = Object.entries(requestBody?.content ?? {});
  const isOptional = requestBody?.required === false;
  const examples = Object.values(body?.examples ?? {}).map((example) => [example.summary, example.value] as const);
  if (!body || isOptional) examples.push([body ? 'Without a body' : 'Request', undefined]);
  const responses = Object.entries(operation.responses);
  const errors = responses.filter(([status]) => Number(status) >= 400);
  const response = responses.find(([, { content }]) => content?.['application/json']?.example !== undefined)?.[1];
  return html`<article class="card columns" id="${id}">
    <div>
      <h2><a href="#${id}">${summary}</a></h2>
      <p><code class="call">${method} ${path}</code></p>
      ${paragraphs(description)}
      ${parameters.length > 0 ? [html`<h3>Parameters</h3>`, fieldList(parameters, id)] : nothing}
      ${body ? bodyFields(document, body, id, `${type === 'application/json' ? 'Body' : 'Form'}${isOptional ? ', optional' : ''}`) : nothing}
      <h3>Responses</h3>
      ${responseList(responses.filter((each) => !errors.includes(each)))}
      ${errors.length > 0 ? expandable('Errors', responseList(errors)) : nothing}
    </div>
    <div class="samples">
      ${examples.map(([title, value], index) => expandable(title, samples(site, describeCall(document, call, value)), index === 0))}
      ${response ? expandable('Response', listing(site, response.content?.['application/json']?.example), true) : nothing}
    </div>
  </article>`;
}

function callbackArticle(site: Site, document: OpenApiDocument, webhook: WebhookObject): Html {
  const { operationId, summary, description, parameters, requestBody } = webhook;
  const body = requestBody.content['application/json'];
  return html`<article class="card columns">
    <div>
      <h2>${summary}</h2>
      ${paragraphs(description)}
      <h3>Headers</h3>
      ${fieldList(parameters, operationId)} ${bodyFields(document, body, operationId, 'Body')}
    </div>
    <div class="samples">${expandable('Body', listing(site, body.example), true)}</div>
  </article>`;
}

function schemaArticle(name: string, schema: JsonSchema): Html {
  const id = `schema-${name}`;
  return html`<article class="card" id="${id}">
    <h2><a href="#${id}">${name}</a></h2>
    ${paragraphs(schema.description ?? '')}
    ${schema.properties ? fieldList(fieldsOf(schema), id) : html`<p class="type">${typeOf(schema)}</p>`}
  </article>`;
}

/** Renders the fields of a body, of each of its variants, and of required objects in it. @param id - Prefix of their ids. */
function bodyFields({ components }: OpenApiDocument, { schema }: { schema: JsonSchema }, id: string, title: string): Html[] {
  const resolved = ({ $ref = '' }: JsonSchema): JsonSchema => components.schemas[componentName($ref)] ?? {};
  const { discriminator, ...object } = resolved(schema);
  if (discriminator) {
    return Object.entries(discriminator.mapping).map(([value, $ref]) => {
      const variant = resolved({ $ref });
      const fields = fieldsOf(variant).filter(({ name }) => name !== discriminator.propertyName);
      return html`<h3>${title} with <code>"${discriminator.propertyName}": "${value}"</code></h3>
        ${paragraphs(variant.description ?? '')} ${fieldList(fields, `${id}-${value}`)}`;
    });
  }
  const fields = fieldsOf(object);
  const inner = fields.filter((field) => field.required && resolved(field.schema).properties);
  return [
    html`<h3>${title}</h3>`,
    fieldList(fields, id),
    ...inner.map(
      ({ name, schema: field }) =>
        html`<h3>Object <code>${name}</code></h3>
          ${fieldList(fieldsOf(resolved(field)), `${id}-${name}`)}`,
    ),
  ];
}

function responseList(responses: readonly [status: string, response: ResponseObject][]): Html {
  return html`<dl class="entries">
    ${responses.map(([status, { description, content }]) => {
      const { schema } = content?.['application/json'] ?? {};
      return html`<div>
        <dt>${status} ${schema?.$ref && Number(status) < 400 ? typeOf(schema) : nothing}</dt>
        <dd>${paragraphs(description)}</dd>
      </div>`;
    })}
  </dl>`;
}

function expandable(summary: string, content: Html | Html[], isOpen = false): Html {
  return html`<details ?open=${isOpen}>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

const listing = ({ color }: Site, value: unknown) =>
  html`<pre><code>${unsafeHTML(color(JSON.stringify(value, null, 2), 'json'))}</code></pre>`;

/** Renders a call in each language, of which the reader selects one. */
function samples({ color }: Site, call: SampleCall): Html[] {
  const code = samplesOf(call);
  return keysOf(code).map(
    (language) =>
      html`<div class="sample" data-language="${language}">
        <p>${sampleLanguages[language]}</p>
        <pre><code>${unsafeHTML(color(code[language], language))}</code></pre>
      </div>`,
  );
}

/** Describes a call with an example of its body. Ids, keys and tokens are environment variables. */
function describeCall(document: OpenApiDocument, { path, method, operation }: Call, example?: unknown): SampleCall {
  const { security, requestBody } = operation;
  const parameters = parametersOf(document, operation);
  const origin = parameters.find(({ name }) => name === 'origin');
  const mayBeInBody = security.some((requirement) => Object.keys(requirement).length === 0);
  const takesToken = security.some(({ bearerAuthApplication }) => bearerAuthApplication);
  const { apiKey, secret } = keyPair;
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || parameter.example !== undefined))
    .map(({ name, example: value = '$KEY' }) => `${name}=${String(value)}`)
    .join('&');
  return {
    method,
    url: SAMPLE_URL + path.replace(/\{(\w+)Id\}/g, (_, name: string) => `$${name.toUpperCase()}`) + (query && `?${query}`),
    headers: {
      ...(parameters.some(({ name }) => name === 'fairterm-version') && { 'fairterm-version': '2' }),
      ...(takesToken && { authorization: 'Bearer $TOKEN' }),
      ...(origin && { origin: String(origin.example) }),
    },
    hasKeyPair: security.length > 0 && !takesToken && !(mayBeInBody && example !== undefined),
    ...(example !== undefined && {
      body: JSON.parse(JSON.stringify(example).replaceAll(apiKey, '$KEY').replaceAll(secret, '$SECRET')) as unknown,
    }),
    isForm: requestBody !== undefined && !requestBody.content['application/json'],
  };
}

/** Returns the parameters of an operation, with references resolved. */
function parametersOf({ components }: OpenApiDocument, { parameters = [] }: OperationObject): (ParameterObject & Field)[] {
  const shared: Readonly<Record<string, ParameterObject>> = components.parameters;
  return parameters.map((parameter) => ('$ref' in parameter ? shared[componentName(parameter.$ref)]! : parameter));
}
