import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { counted } from '../../../shared/disclosure/texts.ts';
import type { Html } from '../../http/html.ts';
import type { Texts } from '../texts/index.ts';
import type { Message } from './read-form.ts';

/** What a form shows: the values of its fields and their error messages. */
export interface FormState {
  typed: Record<string, string>;
  errors: Record<string, Message>;
  /** A problem that is not an invalid field. */
  notice?: Message;
}

export interface FieldOptions {
  name: string;
  label: string;
  autocomplete: string;
  type?: string;
  inputmode?: string;
  hint?: string;
  optional?: boolean;
  half?: boolean;
  /** The client script inserts the slashes, which numeric keypads do not have. */
  isDate?: boolean;
}

/** A text field with its label, hint and error message. */
export function textField(
  t: Texts,
  form: FormState,
  { name, label, autocomplete, type = 'text', inputmode, hint, optional, half, isDate }: FieldOptions,
): Html {
  const error = form.errors[name]?.(t);
  return html`<div class="field ${half ? 'half' : ''}">
    <label for="${name}">${label}${optional ? html` <span class="optional">${t.form.optional}</span>` : nothing}</label>
    ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : nothing}
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      inputmode="${inputmode ?? nothing}"
      autocomplete="${autocomplete}"
      value="${form.typed[name] ?? ''}"
      dir="auto"
      maxlength="254"
      data-date="${isDate ? '' : nothing}"
      ?required=${!optional}
      aria-invalid="${error ? 'true' : nothing}"
      aria-describedby="${describedBy(name, hint, error)}"
    />
    ${errorText(name, error)}
  </div>`;
}

/** A checkbox with its sentence. */
export function tickBox(t: Texts, form: FormState, name: string, sentence: unknown): Html {
  const error = form.errors[name]?.(t);
  return html`<div class="field tick">
    <input
      type="checkbox"
      id="${name}"
      name="${name}"
      value="yes"
      required
      ?checked=${form.typed[name] === 'yes'}
      aria-invalid="${error ? 'true' : nothing}"
      aria-describedby="${describedBy(name, undefined, error)}"
    />
    <label for="${name}">${sentence}</label>
    ${errorText(name, error)}
  </div>`;
}

/** A select field. Its first choice is empty. */
export function selectField(
  t: Texts,
  form: FormState,
  { name, label, autocomplete, half, choices }: FieldOptions & { choices: readonly (readonly [value: string, label: string])[] },
): Html {
  const error = form.errors[name]?.(t);
  return html`<div class="field ${half ? 'half' : ''}">
    <label for="${name}">${label}</label>
    <select
      id="${name}"
      name="${name}"
      autocomplete="${autocomplete}"
      required
      aria-invalid="${error ? 'true' : nothing}"
      aria-describedby="${describedBy(name, undefined, error)}"
    >
      <option value="">${t.form.choose}</option>
      ${choices.map(
        ([value, text]) => html`<option value="${value}" ?selected=${form.typed[name]?.toUpperCase() === value}>${text}</option>`,
      )}
    </select>
    ${errorText(name, error)}
  </div>`;
}

/** The errors of a form, each with a link to its field. */
export function errorSummary(t: Texts, { errors }: FormState): Html | typeof nothing {
  const entries = Object.entries(errors);
  if (entries.length === 0) return nothing;
  return html`<div class="error-summary" role="alert" tabindex="-1" autofocus>
    <p>${counted(t.form.check, entries.length)}</p>
    <ul>
      ${entries.map(([name, message]) => html`<li><a href="#${name}">${message(t)}</a></li>`)}
    </ul>
  </div>`;
}

function errorText(name: string, error: string | undefined): Html | typeof nothing {
  return error ? html`<p class="error" id="${name}-error">${error}</p>` : nothing;
}

function describedBy(name: string, hint: string | undefined, error: string | undefined): string | typeof nothing {
  return [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ') || nothing;
}
