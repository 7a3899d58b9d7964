import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';
import { curlOf, parametersOf } from '../curl.ts';
import type { Json } from '../document.ts';
import { json, listing, paragraphs, prose } from './prose.ts';
import { entries, fieldList, typeOf } from './schemas.ts';

/** Headers that every answer of its kind has; they are described once. */
const COMMON_HEADERS = new Set(['x-request-id', 'idempotency-replayed', 'www-authenticate', 'retry-after']);

export interface Call {
  path: string;
  method: string;
  operation: Json;
}

/** One call: what it takes, what it answers, how it is typed. */
export function operationArticle(document: Json, { path, method, operation }: Call): Html {
  const parameters = parametersOf(document, operation);
  const [body] = Object.values<Json>(operation.requestBody?.content ?? {});
  return html`<article class="operation" id="${operation.operationId}">
    <h3><a href="#${operation.operationId}">${operation.summary}</a></h3>
    <p class="call"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
    ${operation.description ? paragraphs(operation.description) : nothing}
    ${parameters.length > 0 ? [html`<h4>Parameters</h4>`, entries(parameters.map(parameterEntry))] : nothing}
    ${body ? [html`<h4>Body</h4>`, bodyNote(operation.requestBody), bodyFields(document, body.schema)] : nothing}
    <h4>Example</h4>
    ${
      body
        ? Object.values<Json>(body.examples).map(
            ({ summary, value }, index) =>
              html`<details ?open=${index === 0}>
                <summary>${summary}</summary>
                ${listing(curlOf(document, path, method, operation, value))}
              </details>`,
          )
        : listing(curlOf(document, path, method, operation))
    }
    ${
      body && !operation.requestBody.required
        ? html`<details>
            <summary>Without a body</summary>
            ${listing(curlOf(document, path, method, operation))}
          </details>`
        : nothing
    }
    <h4>Answers</h4>
    <dl class="answers">${Object.entries<Json>(operation.responses).map(([status, response]) => answer(status, response))}</dl>
  </article>`;
}

/** The fields of a body: of each object it may be, and of those that must be in it. */
export function bodyFields({ components }: Json, schema: Json): unknown {
  const resolved = (one: Json) => components.schemas[one.$ref.split('/').at(-1)];
  const object = resolved(schema);
  if (object.oneOf) {
    const { propertyName, mapping } = object.discriminator;
    return Object.entries<string>(mapping).map(([value, $ref]) => {
      const { properties, ...rest } = resolved({ $ref });
      const { [propertyName]: _, ...others } = properties;
      return html`<h5><code>${propertyName}</code> <code>"${value}"</code></h5>
        <p>${prose(rest.description)}</p>
        ${Object.keys(others).length > 0 ? fieldList({ ...rest, properties: others }) : nothing}`;
    });
  }
  const inner = Object.entries<Json>(object.properties).filter(([name, { $ref }]) => $ref && object.required?.includes(name));
  return [
    fieldList(object),
    ...inner.map(
      ([name, field]) =>
        html`<h5>In <code>${name}</code></h5>
          ${resolved(field).properties ? fieldList(resolved(field)) : nothing}`,
    ),
  ];
}

/** What is not so of most bodies. */
function bodyNote({ content, required }: Json): unknown {
  const kind = Object.keys(content)[0] === 'application/json' ? '' : 'A form. ';
  const note = `${kind}${required ? '' : 'It may be left out.'}`.trim();
  return note === '' ? nothing : html`<p class="type">${note}</p>`;
}

function parameterEntry({ name, schema, required, description, in: place }: Json) {
  return { name, schema, isRequired: required === true, description, place: `in the ${place}` };
}

function answer(status: string, { description, headers, content }: Json): Html {
  const isRefusal =
    Number(status) >= 400 && /\/(ErrorBody|PlatformError|OAuthError)$/.test(content?.['application/json']?.schema.$ref);
  const { schema, example } = content?.['application/json'] ?? {};
  const own = Object.keys(headers).filter((name) => !COMMON_HEADERS.has(name));
  return html`<div>
    <dt class="${isRefusal ? 'refusal' : ''}">${status}</dt>
    <dd>
      ${isRefusal ? reasons(description) : html`<p>${prose(description)} ${schema ? typeOf(schema) : nothing}</p>`}
      ${own.length > 0 ? html`<p class="type">With ${own.map((name, index) => [index === 0 ? '' : ', ', html`<code>${name}</code>`])}</p>` : nothing}
      ${
        example === undefined
          ? nothing
          : html`<details>
            <summary>Example</summary>
            ${listing(json(example))}
          </details>`
      }
    </dd>
  </div>`;
}

/** The reasons of a refusal: its codes, which are explained in one place, and what else is said. */
function reasons(description: string): Html[] {
  const all = reasonsIn(description);
  const codes = all.flatMap(({ code }) => (code ? [code] : []));
  return [
    ...(codes.length > 0
      ? [html`<p class="codes">${codes.map((code) => html`<a href="#refusal-${code}"><code>${code}</code></a> `)}</p>`]
      : []),
    ...all.flatMap(({ code, text }) => (code ? [] : [html`<p>${prose(text)}</p>`])),
  ];
}

/** A refusal's description names its codes one by one. */
export function reasonsIn(description: string): { code?: string; text: string }[] {
  return description.split('\n\n').map((paragraph) => {
    const [, code, text] = /^`([\w-]+)`: ([^]*)$/.exec(paragraph) ?? [];
    return code && text ? { code, text } : { text: paragraph };
  });
}
