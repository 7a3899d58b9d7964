import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { define, Struct } from 'superstruct';
import type { Html } from '../../http/pages/html.ts';
import { labeledValue, errorMessage, errorSummary, type FormState } from '../../http/pages/elements.ts';
import type { Field, Message } from '../../http/pages/read-form.ts';
import { t } from './texts.ts';

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

/**
 * A text with a button that copies it, where scripts run.
 *
 * @param what - Names what is copied; by default the text. For a secret, such as a link that signs in, it must be another text.
 */
export function copyable(text: string, what = text): Html {
  return html`<span class="copyable"><code>${text}</code> <button type="button" class="scripted quiet" data-copies="${text}" data-copied="Copied" aria-label="Copy ${what}">Copy</button></span>`;
}

/** The request of the API that does the same. @param body - Undefined for a request without one. */
export function apiCall(url: string, body?: unknown): Html {
  const json = JSON.stringify(body)?.replaceAll("'", String.raw`'\''`);
  const data = json === undefined ? '-X POST' : `-H 'content-type: application/json' -d '${json}'`;
  const command = `curl -u "$KEY:$SECRET" ${data} ${url}`;
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

/** The button that submits a form. @param kind - `quiet`: secondary; `danger`: cannot be undone. */
export function submitButton(label: string, kind: 'main' | 'quiet' | 'danger' = 'main'): Html {
  return html`<button class="${kind}">${label}</button>`;
}

/** The button of a form that downloads a file, as often as it is submitted. */
export function downloadButton(label: string): Html {
  return html`<button class="quiet" data-downloads>${label}</button>`;
}

/** The message of a rejected form, or the list of its invalid fields. Empty if there is nothing to correct. */
export function formErrors(state: FormState): Html | typeof nothing {
  return state.formError ? errorMessage(state.formError(t)) : errorSummary(t, state);
}

/** A field of a form that accepts some texts, for `readForm`. @param message - Of any other value. */
export function textRule(accepts: TextCheck, message: Field<string>['message']): Field<string> {
  const isValid = accepts instanceof Struct ? (text: string) => accepts.is(text) : accepts;
  return { struct: define<string>('text', (value) => typeof value === 'string' && isValid(value)), message };
}

type TextCheck = Struct<string> | ((text: string) => boolean);

/** A field for an identifier or a contact, for `readForm`, which rejects digits like those of a card in other fields. */
export function identifierRule(accepts: TextCheck, message: Message): Field<string> {
  return { ...textRule(accepts, message), isIdentifier: true };
}

/** A field that accepts one of these values, for `readForm`. */
export function choiceRule<T extends string>(values: readonly T[], message: Message): Field<T> {
  return { struct: define<T>('choice', (value) => values.some((each) => each === value)), message };
}
