import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';
import type { Json } from '../document.ts';
import { frame } from './frame.ts';
import { bodyFields, type Call, operationArticle, reasonsIn } from './operation.ts';
import { json, listing, paragraphs, prose } from './prose.ts';
import { entries, schemaList } from './schemas.ts';

/** An OpenAPI document of ours, for people. @param stylesheet - Its address. */
export function docsPage(document: Json, stylesheet: string): Html {
  const { info, servers, tags, webhooks, components } = document;
  const calls = callsOf(document);
  const body = html`<div class="columns">
      <nav aria-label="Contents">
        <ul>
          ${tags.map(({ name }: Json) => contents(name, calls))}
          <li><a href="#callback">Callback</a></li>
          <li><a href="#refusals">Refusals</a></li>
          <li><a href="#headers">Headers</a></li>
          <li><a href="#schemas">Schemas</a></li>
        </ul>
      </nav>
      <main id="content" tabindex="-1">
        <h1>The API</h1>
        ${paragraphs(info.description)}
        <p class="server"><code>${servers[0].url}</code> <span>${servers[0].description}</span></p>
        ${tags.map(
          ({ name, description }: Json) =>
            html`<section aria-labelledby="${idOf(name)}">
              <h2 id="${idOf(name)}">${name}</h2>
              <p class="lead">${prose(description)}</p>
              ${calls.filter(({ operation }) => operation.tags.includes(name)).map((call) => operationArticle(document, call))}
            </section>`,
        )}
        ${callback(document, webhooks.checkoutCompleted.post)} ${refusals(calls)} ${headerSection(components.headers)}
        <section aria-labelledby="schemas">
          <h2 id="schemas">Schemas</h2>
          ${schemaList(components.schemas)}
        </section>
      </main>
    </div>`;
  return frame({ title: `${info.title}: the API`, stylesheet, version: info.version, kind: 'docs', body });
}

function callsOf({ paths }: Json): Call[] {
  return Object.entries<Json>(paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ path, method, operation })),
  );
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

function callback(document: Json, { summary, description, parameters, requestBody }: Json): Html {
  const { schema, example } = requestBody.content['application/json'];
  return html`<section aria-labelledby="callback">
    <h2 id="callback">Callback</h2>
    <p class="lead">${prose(summary)}</p>
    ${paragraphs(description)}
    <article class="operation">
      <h3>What your server receives</h3>
      <h4>Headers</h4>
      ${entries(parameters.map((header: Json) => ({ ...header, isRequired: true })))}
      <h4>Body</h4>
      ${bodyFields(document, schema)} ${listing(json(example))}
    </article>
  </section>`;
}

/** By the schema of the error body. */
const apis: readonly [schema: string, name: string][] = [
  ['ErrorBody', 'In the merchant API, and everywhere else'],
  ['PlatformError', 'In the platform API, below `/api`'],
  ['OAuthError', 'In OAuth 2, below `/oauth`'],
];

/** Every code with its meaning, each once. */
function refusals(calls: readonly Call[]): Html {
  return html`<section aria-labelledby="refusals">
    <h2 id="refusals">Refusals</h2>
    <p class="lead">A code never changes its meaning.</p>
    ${apis.map(
      ([schema, name]) =>
        html`<h3>${prose(name)}</h3>
          <dl class="entries">${refusalsIn(calls, schema).map(([code, said]) => refusalEntry(code, said))}</dl>`,
    )}
  </section>`;
}

interface Said {
  statuses: Set<string>;
  texts: Set<string>;
}

/** What is said with one kind of body, the lowest status first. */
function refusalsIn(calls: readonly Call[], schema: string): [code: string, said: Said][] {
  const found = new Map<string, Said>();
  const responses = calls.flatMap(({ operation }) => Object.entries<Json>(operation.responses));
  for (const [status, { description, content }] of responses) {
    if (!content?.['application/json']?.schema.$ref?.endsWith(`/${schema}`)) continue;
    for (const { code, text } of reasonsIn(description)) {
      if (!code) continue;
      const said = found.get(code) ?? { statuses: new Set(), texts: new Set() };
      found.set(code, { statuses: said.statuses.add(status), texts: said.texts.add(text) });
    }
  }
  const least = ({ statuses }: Said) => Math.min(...[...statuses].map(Number));
  return [...found].sort(([, a], [, b]) => least(a) - least(b));
}

function refusalEntry(code: string, { statuses, texts }: Said): Html {
  return html`<div id="refusal-${code}">
    <dt><code>${code}</code> <span class="type">${[...statuses].sort().join(', ')}</span></dt>
    <dd>${prose([...texts].join(' '))}</dd>
  </div>`;
}

function headerSection(headers: Record<string, Json>): Html {
  const all = Object.entries(headers).map(([name, { required, schema, description }]) => ({
    name,
    schema,
    isRequired: required === true,
    description,
  }));
  return html`<section aria-labelledby="headers">
    <h2 id="headers">Headers</h2>
    <p class="lead">What answers carry beside their body.</p>
    ${all.length > 0 ? entries(all) : nothing}
  </section>`;
}
