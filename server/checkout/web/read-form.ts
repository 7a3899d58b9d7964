import { define, refine, type Struct, validate } from 'superstruct';
import { line } from '../../../shared/wire/fields.ts';
import type { CheckoutTexts } from '../texts/en.ts';
import { holdsCardNumber, isOverlong, isUntypable, shownAgain, tidied } from './typed-text.ts';

/** What is said of a field that must be mended, in the language of the page. */
export type Message = (t: CheckoutTexts) => string;

/** What must be typed into a field, and what is said when it was not. */
export interface Field<T> {
  struct: Struct<T, null>;
  message: Message;
}
type Fields = Record<string, Field<string> | Field<number>>;

/** A form as it came back: its values, or what was typed with a message for each field that must be mended. */
export type FormResult<F extends Fields> =
  | { ok: true; values: { [Name in keyof F]: F[Name] extends Field<infer T> ? T : never } }
  | FormFailure;
export type FormFailure = { ok: false; typed: Record<string, string>; errors: Record<string, Message> };

/**
 * Reads every field of a posted form. A field that is missing or came twice counts as empty; in none may there be control
 * characters or the number of a card.
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

/** What was typed into a form that is shown again, whatever it was. The digits of the tax number are typed again rather than sent back. */
export function typedAgain(body: unknown): Record<string, string> {
  const entries = Object.entries((body ?? {}) as Record<string, unknown>);
  const typed = entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, shownAgain(value)] as const] : []));
  return { ...Object.fromEntries(typed), taxIdLast4: '' };
}

/** What somebody, or a place, is called: there is a letter in it, of whatever script. */
export const Name = (maxLength: number) => refine(line(maxLength, 1), 'name', (value) => /\p{L}/u.test(value));

export const field = <T>(struct: Struct<T, null>, name: keyof CheckoutTexts['messages']): Field<T> => ({
  struct,
  message: (t) => t.messages[name],
});

/** A box that was ticked. */
export const Ticked = define<string>('ticked', (value) => value === 'yes');
