import { define, refine, type Struct, validate } from 'superstruct';
import { line } from '../../../shared/wire/fields.ts';
import type { CheckoutTexts } from '../texts/en.ts';
import { holdsCardNumber, isOverlong, isUntypable, shownAgain, tidied } from './typed-text.ts';

/** Returns the error message of a field, in the language of the page. */
export type Message = (t: CheckoutTexts) => string;

/** Validation of a field, and its error message. */
export interface Field<T> {
  struct: Struct<T, null>;
  message: Message;
}
type Fields = Record<string, Field<string> | Field<number>>;

/** A posted form: its values, or what was typed with a message for each invalid field. */
export type FormResult<F extends Fields> =
  | { ok: true; values: { [Name in keyof F]: F[Name] extends Field<infer T> ? T : never } }
  | FormFailure;
export type FormFailure = { ok: false; typed: Record<string, string>; errors: Record<string, Message> };

/**
 * Validates every field of a posted form. A missing or repeated field is read as empty. No field may contain control characters or a card
 * number.
 */
export function readForm<F extends Fields>(fields: F, body: unknown): FormResult<F> {
  const typed: Record<string, string> = {};
  const errors: Record<string, Message> = {};
  const values: Record<string, unknown> = {};
  for (const [name, { struct, message }] of Object.entries(fields)) {
    const sent = (body as Record<string, unknown> | null | undefined)?.[name];
    const whole = typeof sent === 'string' ? sent : '';
    const text = tidied(whole);
    typed[name] = shownAgain(text);
    const [error, value] = validate(text, struct as Struct<unknown, null>, { coerce: true });
    if (error || isOverlong(whole) || isUntypable(text) || holdsCardNumber(text)) errors[name] = message;
    else values[name] = value;
  }
  if (Object.keys(errors).length > 0) return { ok: false, typed, errors };
  return { ok: true, values: values as Extract<FormResult<F>, { ok: true }>['values'] };
}

/** Returns what was typed, to show the form again. The digits of the tax number are never sent back. */
export function typedAgain(body: unknown): Record<string, string> {
  const entries = Object.entries((body ?? {}) as Record<string, unknown>);
  const typed = entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, shownAgain(value)] as const] : []));
  return { ...Object.fromEntries(typed), taxIdLast4: '' };
}

/** A name of a person or place, with at least one letter of any script. */
export const Name = (maxLength: number) => refine(line(maxLength, 1), 'name', (value) => /\p{L}/u.test(value));

export const field = <T>(struct: Struct<T, null>, name: keyof CheckoutTexts['messages']): Field<T> => ({
  struct,
  message: (t) => t.messages[name],
});

/** A checked box. */
export const Ticked = define<string>('ticked', (value) => value === 'yes');
