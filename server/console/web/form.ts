import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { define, Struct } from 'superstruct';
import type { Html } from '../../http/pages/html.ts';
import { errorMessage, errorSummary, type FormState } from '../../http/pages/elements.ts';
import type { Field, Message } from '../../http/pages/read-form.ts';
import { t } from './texts.ts';

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

/** A field for an identifier that others have issued, or a way to reach them, for `readForm`. Its digits may look like those of a card. */
export function identifierRule(accepts: TextCheck, message: Message): Field<string> {
  return { ...textRule(accepts, message), isIdentifier: true };
}

/** A field that accepts one of these values, for `readForm`. */
export function choiceRule<T extends string>(values: readonly T[], message: Message): Field<T> {
  return { struct: define<T>('choice', (value) => values.some((each) => each === value)), message };
}
