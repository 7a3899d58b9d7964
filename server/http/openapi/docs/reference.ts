import { isObject } from '../../../../shared/objects.ts';
import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { JsonSchema } from '../../../../shared/wire/annotations.ts';
import type { Html } from '../../pages/html.ts';
import type { OpenApiDocument, OperationObject, ResponseObject } from '../document.ts';
import type { ParameterObject } from '../parameters.ts';
import type { WebhookObject } from '../resources/events.ts';
import { docsPage, type Site } from './layout.ts';
import type { SearchableSection } from './search.ts';
import { componentName, fieldList, type Field, fieldsOf, paragraphs, prose, typeOf } from './schema.ts';

/** An operation with its path. */
interface Call {
  path: string;
  method: string;
  operation: OperationObject;
}

/** Renders the API reference from the OpenAPI document. */
export function referencePage(site: Site, document: OpenApiDocument): Html {
  const { info, servers, tags, webhooks, components } = document;
  const calls = callsOf(document);
  const groups = tags.map(({ name, description }) => ({
    id: name.toLowerCase().replaceAll(' ', '-'),
    title: name,
    description,
    calls: calls.filter(({ operation }) => operation.tags.some((tag) => tag === name)),
  }));
  const contents = [
    ...groups.map(({ id, title, calls: all }) => ({
      href: `#${id}`,
      title,
      children: all.map(({ operation }) => ({ href: `#${operation.operationId}`, title: operation.summary })),
    })),
    { href: '#callback', title: 'Callback and events' },
    { href: '#headers', title: 'Headers' },
    { href: '#schemas', title: 'Schemas' },
  ];
  const headers = Object.entries(components.headers).map(([name, header]) => ({ ...header, name }));
  const main = html`<h1>API reference</h1>
    ${paragraphs(info.description)}
    <p><code>${servers[0].url}</code> ${servers[0].description}</p>
    <p>Samples in TypeScript, Python and PHP: <a href="/docs/code-samples">code samples</a></p>
    ${groups.map(
      ({ id, title, description, calls: all }) =>
        html`<h2 id="${id}">${title}</h2>
          <p>${prose(description)}</p>
          ${all.map((call) => operationArticle(document, call))}`,
    )}
    <h2 id="callback">Callback and events</h2>
    ${Object.values(webhooks).map(({ post }) => callbackArticle(document, post))}
    <h2 id="headers">Headers</h2>
    <p>Headers of responses.</p>
    ${fieldList(headers, 'header')}
    <h2 id="schemas">Schemas</h2>
    ${Object.entries(components.schemas).map(([name, schema]) => schemaArticle(name, schema))}`;
  return docsPage(site, { title: 'API reference', contents, main });
}

/** Returns the operations for the search. */
export function referenceSections(document: OpenApiDocument): SearchableSection[] {
  return callsOf(document).map(({ path, method, operation: { operationId, summary, description } }) => ({
    href: `/docs#${operationId}`,
    page: 'API reference',
    title: summary,
    text: `${method.toUpperCase()} ${path} ${description.replaceAll('`', '')}`,
  }));
}

function callsOf({ paths }: OpenApiDocument): Call[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
  );
}

/** Renders an operation with its parameters, body, examples and responses. */
function operationArticle(document: OpenApiDocument, call: Call): Html {
  const { path, method, operation } = call;
  const { operationId: id, summary, description, requestBody } = operation;
  const parameters = parametersOf(document, operation);
  const [[type, body] = []] = Object.entries(requestBody?.content ?? {});
  const isOptional = requestBody?.required === false;
  const examples = Object.values(body?.examples ?? {}).map((example) => [example.summary, example.value] as const);
  if (!body || isOptional) examples.push([body ? 'Without a body' : 'Example', undefined]);
  const responses = Object.entries(operation.responses);
  const errors = responses.filter(([status]) => Number(status) >= 400);
  return html`<article class="card" id="${id}">
    <h3><a href="#${id}">${summary}</a></h3>
    <p><code class="call">${method.toUpperCase()} ${path}</code></p>
    ${paragraphs(description)}
    ${parameters.length > 0 ? [html`<h4>Parameters</h4>`, fieldList(parameters, id)] : nothing}
    ${body ? bodyFields(document, body, id, `${type === 'application/json' ? 'Body' : 'Form'}${isOptional ? ', optional' : ''}`) : nothing}
    <h4>${examples.length > 1 ? 'Examples' : 'Example'}</h4>
    ${examples.map(([title, value], index) => expandable(title, listing(curlOf(document, call, value)), index === 0))}
    <h4>Responses</h4>
    ${responseList(responses.filter((response) => !errors.includes(response)))}
    ${errors.length > 0 ? expandable('Errors', responseList(errors)) : nothing}
  </article>`;
}

function callbackArticle(document: OpenApiDocument, webhook: WebhookObject): Html {
  const { operationId, summary, description, parameters, requestBody } = webhook;
  const body = requestBody.content['application/json'];
  return html`<article class="card">
    <h3>${summary}</h3>
    ${paragraphs(description)}
    <h4>Headers</h4>
    ${fieldList(parameters, operationId)} ${bodyFields(document, body, operationId, 'Body')}
    <h4>Example</h4>
    ${listing(json(body.example))}
  </article>`;
}

function schemaArticle(name: string, schema: JsonSchema): Html {
  const id = `schema-${name}`;
  return html`<article class="card" id="${id}">
    <h3><a href="#${id}">${name}</a></h3>
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
      return html`<h4>${title} with <code>"${discriminator.propertyName}": "${value}"</code></h4>
        ${paragraphs(variant.description ?? '')} ${fieldList(fields, `${id}-${value}`)}`;
    });
  }
  const fields = fieldsOf(object);
  const inner = fields.filter((field) => field.required && resolved(field.schema).properties);
  return [
    html`<h4>${title}</h4>`,
    fieldList(fields, id),
    ...inner.map(
      ({ name, schema: field }) =>
        html`<h4>Object <code>${name}</code></h4>
          ${fieldList(fieldsOf(resolved(field)), `${id}-${name}`)}`,
    ),
  ];
}

function responseList(responses: readonly [status: string, response: ResponseObject][]): Html {
  return html`<dl class="entries">
    ${responses.map(([status, { description, content }]) => {
      const { schema, example } = content?.['application/json'] ?? {};
      return html`<div>
        <dt>${status} ${schema?.$ref && Number(status) < 400 ? typeOf(schema) : nothing}</dt>
        <dd>${paragraphs(description)} ${example === undefined ? nothing : expandable('Example', listing(json(example)))}</dd>
      </div>`;
    })}
  </dl>`;
}

function expandable(summary: string, content: Html, isOpen = false): Html {
  return html`<details ?open=${isOpen}>
    <summary>${summary}</summary>
    ${content}
  </details>`;
}

const listing = (text: string) => html`<pre><code>${text}</code></pre>`;

const json = (value: unknown) => JSON.stringify(value, null, 2);

/** Returns a curl command with an example of the body. Ids, keys and tokens are shell variables. */
function curlOf(document: OpenApiDocument, { path, method, operation }: Call, example?: unknown): string {
  const parameters = parametersOf(document, operation);
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (parameter.required || parameter.example !== undefined))
    .map(({ name, example: value }) => `${name}=${typeof value === 'string' || typeof value === 'number' ? value : '$KEY'}`);
  const variables = path.replace(/\{(\w+)Id\}/g, (_, name: string) => `$${name.toUpperCase()}`);
  const url = [document.servers[0].url + variables, ...(query.length > 0 ? [query.join('&')] : [])].join('?');
  const origin = parameters.find(({ name }) => name === 'origin');
  const isDefaultMethod = method === (example === undefined ? 'get' : 'post');
  return [
    'curl',
    ...credentialsOf(operation, example !== undefined),
    ...(isDefaultMethod ? [] : [`-X ${method.toUpperCase()}`]),
    query.length > 0 ? `"${url}"` : url,
    ...(origin ? [`-H 'origin: ${String(origin.example)}'`] : []),
    ...(example === undefined ? [] : dataOf(example, operation)),
  ].join(' ');
}

function dataOf(example: unknown, { requestBody }: OperationObject): string[] {
  if (requestBody?.content['application/json']) return [`-d '${json(example).replaceAll("'", String.raw`'\''`)}'`];
  return Object.entries(isObject(example) ? example : {}).map(([name, value]) => `-d ${name}=${String(value)}`);
}

function credentialsOf({ security }: OperationObject, hasBody: boolean): string[] {
  const mayBeInBody = security.some((requirement) => Object.keys(requirement).length === 0);
  if (security.length === 0 || (mayBeInBody && hasBody)) return [];
  return security.some(({ bearerAuthApplication }) => bearerAuthApplication)
    ? ['-H "authorization: Bearer $TOKEN"']
    : ['-u $KEY:$SECRET'];
}

/** Returns the parameters of an operation, with references resolved. */
function parametersOf({ components }: OpenApiDocument, { parameters = [] }: OperationObject): (ParameterObject & Field)[] {
  const shared: Readonly<Record<string, ParameterObject>> = components.parameters;
  return parameters.map((parameter) => ('$ref' in parameter ? shared[componentName(parameter.$ref)]! : parameter));
}
