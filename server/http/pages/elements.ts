import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { counted, fill } from '../../../shared/languages/texts.ts';
import { POSTAL_STATES } from '../../../shared/wire/us-states.ts';
import { addressLines, type BuyerContact } from '../../base/contact.ts';
import type { Html } from './html.ts';
import { printedPhone, withPhones } from './phones.ts';
import type { Texts } from '../../base/texts.ts';
import type { Message } from './read-form.ts';

/** Opens the print dialog of the browser, which can also save a PDF. Hidden without scripts. */
export function printButton(label: string): Html {
  return html`<p class="scripted"><button type="button" class="quiet" data-prints>${label}</button></p>`;
}

/** A label and its value in a `<dl>`. */
export function labeledValue(label: unknown, value: unknown): Html {
  return html`<div>
    <dt>${label}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** A table with a heading for each column. */
export function table(headings: readonly (string | Html)[], rows: readonly (readonly unknown[])[], caption?: string): Html {
  return html`<table>
    ${caption ? html`<caption>${caption}</caption>` : nothing}
    <colgroup>${headings.map(() => html`<col />`)}</colgroup>
    <thead>
      <tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr>
    </thead>
    <tbody>
      ${rows.map(row)}
    </tbody>
  </table>`;
}

/** A payment schedule has dozens of rows of five cells: one template per row renders much faster than one per cell. */
function row(cells: readonly unknown[]): Html {
  if (cells.length !== 5) return html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  const [first, second, third, fourth, fifth] = cells;
  return html`<tr><td>${first}</td><td>${second}</td><td>${third}</td><td>${fourth}</td><td>${fifth}</td></tr>`;
}

/** The lines of an address, separated by line breaks. */
export function addressBlock(contact: BuyerContact): Html {
  return html`${addressLines(contact).map((line, index) => html`${index > 0 ? html`<br />` : nothing}<bdi>${line}</bdi>`)}`;
}

/** Notices to the residents of a state. Each line of a notice is a paragraph. */
export function residentNotices(notices: readonly string[], state: string, t: Texts): Html | typeof nothing {
  if (notices.length === 0) return nothing;
  const residents = html`<strong>${fill(t.terms.residents, { state: POSTAL_STATES[state]! })}</strong> `;
  return html`<section class="notices" aria-label="${t.terms.stateNotices}">
    ${notices.map((notice) =>
      notice
        .split(/(?<!\s)\s*\n\s*/)
        .map((paragraph, index) => html`<p>${index === 0 ? residents : nothing}${withPhones(paragraph, printedPhone)}</p>`),
    )}
  </section>`;
}

/** The values of a form's fields and their error messages. */
export interface FormState {
  values: Record<string, string>;
  errors: Record<string, Message>;
  /** Groups of fields that are shown even if they are complete. */
  unfolded?: readonly string[];
  /** An error of the form as a whole. */
  formError?: Message;
}

export const emptyForm = (): FormState => ({ values: {}, errors: {} });

export interface FieldOptions {
  name: string;
  label: string;
  autocomplete: string;
  type?: string;
  inputmode?: string;
  hint?: string | Html;
  isOptional?: boolean;
  isHalfWidth?: boolean;
  /**
   * Action of the client script while the buyer types: inserts the slashes of a `date` or the commas of `dollars`, or selects the state of
   * a ZIP code in the field of this name.
   */
  format?: string;
  /** Shown before the typed text, such as a currency sign. */
  prefix?: string;
  /** Shown after the field, such as a color picker. */
  beside?: Html;
}

/** A text field with its label, hint and error message. */
export function textField(
  t: Texts,
  form: FormState,
  { name, label, autocomplete, type = 'text', inputmode, hint, isOptional, isHalfWidth, format, prefix, beside }: FieldOptions,
): Html {
  const error = form.errors[name]?.(t);
  return html`<div class="field ${isHalfWidth ? 'half' : ''}">
    <label for="${name}">${label}${isOptional ? html` <span class="optional">${t.form.optional}</span>` : nothing}</label>
    ${hint ? html`<p class="hint" id="${name}-hint">${hint}</p>` : nothing}
    ${prefix ? html`<span class="prefix" aria-hidden="true">${prefix}</span>` : nothing}
    <input
      id="${name}"
      name="${name}"
      type="${type}"
      inputmode="${inputmode ?? nothing}"
      autocomplete="${autocomplete}"
      value="${form.values[name] ?? ''}"
      dir="auto"
      maxlength="254"
      data-format="${format ?? nothing}"
      ?required=${!isOptional}
      aria-invalid="${error ? 'true' : nothing}"
      aria-describedby="${describedBy(name, hint, error)}"
    />
    ${beside ?? nothing} ${errorText(name, error)}
  </div>`;
}

/** A field for a one-time code. */
export function codeField(t: Texts, form: FormState, name: string): Html {
  const { label, hint } = t.code;
  return textField(t, form, { name, label, hint, autocomplete: 'one-time-code', inputmode: 'numeric' });
}

/** One of several choices. */
export interface Choice {
  value: string;
  /** A text or a template. */
  label: unknown;
  hint?: string;
}

/** Radio buttons. */
export function choiceField(t: Texts, form: FormState, name: string, legend: string, choices: readonly Choice[]): Html {
  const error = form.errors[name]?.(t);
  return html`<fieldset class="choices" aria-describedby="${describedBy(name, undefined, error)}">
    <legend>${legend}</legend>
    ${choices.map(
      ({ value, label, hint }, index) =>
        html`<label class="choice">
          <input
            type="radio"
            id="${index === 0 ? name : nothing}"
            name="${name}"
            value="${value}"
            required
            ?checked=${form.values[name] === value}
          />
          ${hint === undefined ? label : html`<span>${label}<small>${hint}</small></span>`}
        </label>`,
    )}
    ${errorText(name, error)}
  </fieldset>`;
}

/** A checkbox with its label and error message. */
export function checkboxField(t: Texts, form: FormState, name: string, label: unknown): Html {
  const error = form.errors[name]?.(t);
  return html`<div class="field checkbox">
    <input
      type="checkbox"
      id="${name}"
      name="${name}"
      value="yes"
      required
      ?checked=${form.values[name] === 'yes'}
      aria-invalid="${error ? 'true' : nothing}"
      aria-describedby="${describedBy(name, undefined, error)}"
    />
    <label for="${name}">${label}</label>
    ${errorText(name, error)}
  </div>`;
}

/** A choice of a select field: its value and label, and for a state its ZIP codes. */
type SelectChoice = readonly [value: string, label: string, zips?: string | undefined];

/** A select field. Its first choice is empty. */
export function selectField(
  t: Texts,
  form: FormState,
  { name, label, autocomplete, isHalfWidth, choices }: FieldOptions & { choices: readonly SelectChoice[] },
): Html {
  const error = form.errors[name]?.(t);
  return html`<div class="field ${isHalfWidth ? 'half' : ''}">
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
        ([value, text, zips]) =>
          html`<option value="${value}" data-zips="${zips ?? nothing}" ?selected=${form.values[name]?.toUpperCase() === value}>${text}</option>`,
      )}
    </select>
    ${errorText(name, error)}
  </div>`;
}

/** An error of a form or a request as a whole. */
export function errorMessage(text: string): Html {
  return html`<div class="error-summary" role="alert" tabindex="-1" autofocus><p>${text}</p></div>`;
}

/** Errors of a summary that are shown before it is expanded. */
const SHOWN_ERRORS = 3;

/** The errors of a form, each with a link to its field. All but the first three are folded. */
export function errorSummary(t: Texts, { errors }: FormState): Html | typeof nothing {
  const entries = Object.entries(errors);
  if (entries.length === 0) return nothing;
  return html`<div class="error-summary" role="alert" tabindex="-1" autofocus>
    <p>${counted(t.form.check, entries.length)}</p>
    ${errorLinks(t, entries.slice(0, SHOWN_ERRORS))}
    ${
      entries.length > SHOWN_ERRORS
        ? html`<details>
            <summary>${fill(t.form.moreErrors, { n: entries.length - SHOWN_ERRORS })}</summary>
            ${errorLinks(t, entries.slice(SHOWN_ERRORS))}
          </details>`
        : nothing
    }
  </div>`;
}

function errorLinks(t: Texts, entries: readonly [name: string, message: Message][]): Html {
  return html`<ul>
    ${entries.map(([name, message]) => html`<li><a href="#${name}">${message(t)}</a></li>`)}
  </ul>`;
}

function errorText(name: string, error: string | undefined): Html | typeof nothing {
  return error ? html`<p class="error" id="${name}-error">${error}</p>` : nothing;
}

function describedBy(name: string, hint: unknown, error: string | undefined): string | typeof nothing {
  return [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ') || nothing;
}
