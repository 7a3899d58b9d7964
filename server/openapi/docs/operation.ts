import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { JsonSchema } from '../../../shared/wire/annotations.ts';
import type { Html } from '../../http/html.ts';
import type { ErrorResponse } from '../document.ts';
import type { ErrorStyle } from '../operation.ts';
import type {
  OpenApiDocument,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
  SecurityRequirement,
} from '../types.ts';
import { componentName, entries, fieldList, fieldsOf, json, listing, paragraphs, prose, typeOf } from './schema.ts';

/** Headers of many responses, which are described in one section. */
const COMMON_HEADERS = new Set(['x-request-id', 'idempotency-replayed', 'www-authenticate', 'retry-after']);

export interface Call {
  path: string;
  method: string;
  operation: OperationObject;
  errors: readonly ErrorResponse[];
  errorStyle: ErrorStyle;
}

/** Headings of `server/docs/code-samples.md` by operation. */
const samples: Readonly<Record<string, string>> = {
  asLowAs: 'quote-a-price',
  createCart: 'create-a-cart',
  getTransaction: 'retrieve-a-transaction',
  actOnTransaction: 'authorize',
  listApplications: 'list-applications',
};

/** Renders an operation with its parameters, body, examples and responses. */
export function operationArticle(document: OpenApiDocument, { path, method, operation, errors }: Call): Html {
  const { operationId: id } = operation;
  const parameters = parametersOf(document, operation);
  const { requestBody } = operation;
  const [body] = Object.values(requestBody?.content ?? {});
  return html`<article class="operation" id="${id}">
    <h3><a href="#${id}">${operation.summary}</a></h3>
    <p class="call"><span class="method ${method}">${method.toUpperCase()}</span> <code>${path}</code></p>
    ${operation.description ? paragraphs(operation.description) : nothing}
    ${parameters.length > 0 ? [html`<h4>Parameters</h4>`, entries(parameters.map(parameterEntry), id)] : nothing}
    ${requestBody && body ? [html`<h4>Body</h4>`, bodyNote(requestBody), bodyFields(document, body.schema, id)] : nothing}
    <h4>Example</h4>
    ${
      body
        ? Object.values(body.examples ?? {}).map(
            ({ summary, value }, index) =>
              html`<details ?open=${index === 0}>
                <summary>${summary}</summary>
                ${curlListing(curlOf(document, path, method, operation, value))}
              </details>`,
          )
        : curlListing(curlOf(document, path, method, operation))
    }
    ${
      samples[id] === undefined
        ? nothing
        : html`<p><a href="/docs/code-samples#${samples[id]}">${operation.summary} in TypeScript, Python and PHP</a></p>`
    }
    ${
      requestBody && !requestBody.required
        ? html`<details>
            <summary>Without a body</summary>
            ${curlListing(curlOf(document, path, method, operation))}
          </details>`
        : nothing
    }
    <h4>Responses</h4>
    <dl class="responses">${Object.entries(operation.responses).map(([status, response]) =>
      responseEntry(
        status,
        response,
        errors.find((error) => String(error.status) === status),
      ),
    )}</dl>
  </article>`;
}

/** Renders the fields of a body, of each of its variants, and of required objects in it. @param id - Prefix of their ids. */
export function bodyFields({ components }: OpenApiDocument, schema: JsonSchema, id: string): unknown {
  const resolved = ({ $ref }: JsonSchema): JsonSchema =>
    $ref === undefined ? {} : (components.schemas[componentName($ref)] ?? {});
  const object = resolved(schema);
  if (object.discriminator) {
    const { propertyName, mapping } = object.discriminator;
    return Object.entries(mapping).map(([value, $ref]) => {
      const { properties, ...rest } = resolved({ $ref });
      const { [propertyName]: _, ...others } = properties ?? {};
      const variantId = `${id}-${value}`;
      return html`<h5 id="${variantId}"><a href="#${variantId}"><code>${propertyName}</code> <code>"${value}"</code></a></h5>
        <p>${prose(rest.description ?? '')}</p>
        ${Object.keys(others).length > 0 ? fieldList({ ...rest, properties: others }, variantId) : nothing}`;
    });
  }
  const inner = fieldsOf(object.properties ?? {}).filter(
    ([name, { $ref }]) => $ref !== undefined && object.required?.includes(name),
  );
  return [
    fieldList(object, id),
    ...inner.map(
      ([name, field]) =>
        html`<h5>In <code>${name}</code></h5>
          ${resolved(field).properties ? fieldList(resolved(field), `${id}-${name}`) : nothing}`,
    ),
  ];
}

/** Renders a note if a body is a form or optional. */
function bodyNote({ content, required }: RequestBodyObject): unknown {
  const kind = Object.keys(content)[0] === 'application/json' ? '' : 'A form. ';
  const note = `${kind}${required ? '' : 'Optional.'}`.trim();
  return note === '' ? nothing : html`<p class="type">${note}</p>`;
}

function parameterEntry({ name, schema, required, description, in: place }: ParameterObject) {
  return { name, schema, isRequired: required === true, description, place: `in the ${place}` };
}

function responseEntry(
  status: string,
  { description, headers, content }: ResponseObject,
  error: ErrorResponse | undefined,
): Html {
  const { schema, example } = content?.['application/json'] ?? {};
  const own = Object.keys(headers).filter((name) => !COMMON_HEADERS.has(name));
  return html`<div>
    <dt class="${error ? 'error' : ''}">${status}</dt>
    <dd>
      ${error ? errorCodes(error) : html`<p>${prose(description)} ${schema ? typeOf(schema) : nothing}</p>`}
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

/** Renders links to the codes of an error response, and the descriptions of errors without a code. */
function errorCodes({ errors }: ErrorResponse): Html[] {
  const codes = errors.flatMap(({ code }) => code ?? []);
  return [
    ...(codes.length > 0
      ? [html`<p class="codes">${codes.map((code) => html`<a href="#${errorId(code)}"><code>${code}</code></a> `)}</p>`]
      : []),
    ...errors.flatMap(({ code, description }) => (code === undefined ? [html`<p>${prose(description)}</p>`] : [])),
  ];
}

/** Returns the id of an error code's description. */
export function errorId(code: string): string {
  return `error-${code}`;
}

/** Renders a command, to which the script of the page adds a copy button. */
function curlListing(command: string): Html {
  return html`<pre data-copy="Copy as curl"><code>${command}</code></pre>`;
}

/** Returns a curl command with an example of the body. Ids, keys and tokens are shell variables. */
function curlOf(document: OpenApiDocument, path: string, method: string, operation: OperationObject, example?: unknown): string {
  const names: Record<string, string> = { transactionId: '$TRANSACTION', cartId: '$CART' };
  const parameters = parametersOf(document, operation);
  const queryParameters = parameters.filter(
    ({ in: place, required, example: value }) => place === 'query' && (required || value !== undefined),
  );
  const query = queryParameters
    .map(
      ({ name, example: value }, index) =>
        `${index ? '&' : '?'}${name}=${typeof value === 'string' || typeof value === 'number' ? value : '$KEY'}`,
    )
    .join('');
  const url = document.servers[0].url + path.replace(/\{(\w+)\}/g, (_, name: string) => names[name]!) + query;
  const origin = parameters.find(({ name }) => name === 'origin');
  const [type] = Object.keys(operation.requestBody?.content ?? {});
  const parts = [
    'curl',
    ...credentials(operation.security, example !== undefined),
    ...(method === 'get' || (method === 'post' && example !== undefined) ? [] : [`-X ${method.toUpperCase()}`]),
    /[?&]/.test(url) ? `"${url}"` : url,
    ...(origin ? [`-H 'origin: ${String(origin.example)}'`] : []),
    ...(example === undefined ? [] : dataOf(example, type)),
  ];
  return parts.join(' ');
}

function dataOf(example: unknown, type: string | undefined): string[] {
  if (type === 'application/json') return [`-d '${JSON.stringify(example, null, 2).replaceAll("'", String.raw`'\''`)}'`];
  return Object.entries(example as object).map(([name, value]) => `-d ${name}=${value}`);
}

/** Returns the parameters of an operation, with references resolved. */
function parametersOf({ components }: OpenApiDocument, { parameters = [] }: OperationObject): ParameterObject[] {
  return parameters.map((parameter) => ('$ref' in parameter ? components.parameters[componentName(parameter.$ref)]! : parameter));
}

function credentials(security: readonly SecurityRequirement[], isInBody: boolean): string[] {
  const mayBeInBody = security.some((requirement) => Object.keys(requirement).length === 0);
  if (security.length === 0 || (mayBeInBody && isInBody)) return [];
  return [
    security.some((requirement) => requirement['bearerAuthApplication'])
      ? '-H "authorization: Bearer $TOKEN"'
      : '-u $KEY:$SECRET',
  ];
}
