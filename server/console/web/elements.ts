import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/pages/html.ts';
import { labeledValue } from '../../http/pages/elements.ts';

export function panel(heading: string, content: unknown): Html {
  return html`<section class="panel">
    <h2>${heading}</h2>
    ${content}
  </section>`;
}

/** Labels and their values. Rows without a value are not shown. */
export function details(rows: readonly (readonly [label: string, value: unknown])[]): Html {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== '');
  return html`<dl class="details">${shown.map(([label, value]) => labeledValue(label, value))}</dl>`;
}

/** A remark after a value; nothing without one. */
export function small(text: string | undefined): Html | typeof nothing {
  return text === undefined ? nothing : html`<small>${text}</small>`;
}

export type Tone = 'good' | 'waiting' | 'bad' | 'neutral';

/** A status in a few words. */
export function badge(label: string, tone: Tone = 'neutral'): Html {
  return html`<span class="badge ${tone}">${label}</span>`;
}

/** A text with a button that copies it, where scripts run. */
export function copyable(text: string): Html {
  return html`<span class="copyable"><code>${text}</code> <button type="button" class="scripted quiet" data-copies="${text}" data-copied="Copied" aria-label="Copy ${text}">Copy</button></span>`;
}

/** The request of the API that does the same. @param body - Undefined for a request without one. */
export function apiCall(url: string, body?: unknown): Html {
  const json = JSON.stringify(body)?.replaceAll("'", String.raw`'\''`);
  const data = json === undefined ? '-X POST' : `-H 'content-type: application/json' -d '${json}'`;
  const command = `curl -u "$API_KEY:$SECRET" ${data} ${url}`;
  return html`<details class="call"><summary>Equivalent API request</summary><pre><code>${command}</code></pre></details>`;
}

/** A link that looks like a button. */
export function buttonLink(label: string, address: string, kind: 'main' | 'quiet' = 'main'): Html {
  return html`<a class="button ${kind}" href="${address}">${label}</a>`;
}

/** A number with its label. */
export interface Tile {
  label: string;
  value: string;
  hint?: string | undefined;
  /** Of the page that shows what was counted. */
  address?: string | undefined;
}

/** Numbers side by side. @param label - Describes all of them. */
export function tiles(label: string, all: readonly Tile[]): Html {
  return html`<ul class="tiles" aria-label="${label}">
    ${all.map(({ label: name, value, hint, address }) => {
      const content = html`<span>${name}</span> <strong>${value}</strong>${hint ? html` <small>${hint}</small>` : nothing}`;
      return html`<li>${address ? html`<a href="${address}">${content}</a>` : html`<div>${content}</div>`}</li>`;
    })}
  </ul>`;
}
