import { define, refine, type Struct, validate } from 'superstruct';
import { isPersonName } from '../../../shared/person-name.ts';
import { line } from '../../../shared/wire/fields.ts';
import type { CheckoutTexts } from '../texts/en.ts';

/** Returns the error message of a field, in the language of the page. */
export type Message = (t: CheckoutTexts) => string;

/** Validation of a field, and its error message. */
export interface Field<T> {
  struct: Struct<T, null>;
  message: Message;
}
type Fields = Record<string, Field<string> | Field<number>>;

/** A posted form: its parsed values, or the typed values with a message for each invalid field. */
export type FormResult<F extends Fields> =
  | { ok: true; values: { [Name in keyof F]: F[Name] extends Field<infer T> ? T : never } }
  | FormFailure;
export type FormFailure = { ok: false; values: Record<string, string>; errors: Record<string, Message> };

/**
 * Validates every field of a posted form. A missing or repeated field is read as empty. No field may contain control characters or a card
 * number.
 */
export function readForm<F extends Fields>(fields: F, body: unknown): FormResult<F> {
  const shown: Record<string, string> = {};
  const errors: Record<string, Message> = {};
  const values: Record<string, unknown> = {};
  for (const [name, { struct, message }] of Object.entries(fields)) {
    const sent = (body as Record<string, unknown> | null | undefined)?.[name];
    const whole = typeof sent === 'string' ? sent : '';
    const text = normalizedText(whole);
    shown[name] = redisplayedText(text);
    const [error, value] = validate(text, struct as Struct<unknown, null>, { coerce: true });
    if (error || isOverlong(whole) || isUntypable(text) || containsCardNumber(text)) errors[name] = message;
    else values[name] = value;
  }
  if (Object.keys(errors).length > 0) return { ok: false, values: shown, errors };
  return { ok: true, values: values as Extract<FormResult<F>, { ok: true }>['values'] };
}

/** Returns the value of a hidden field; empty if it is missing or repeated. */
export function hiddenField(body: unknown, name: string): string {
  const value = (body as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : '';
}

/** Returns what was typed, to show the form again. The digits of the tax number are never sent back. */
export function redisplayedForm(body: unknown): Record<string, string> {
  const entries = Object.entries((body ?? {}) as Record<string, unknown>);
  const typed = entries.flatMap(([name, value]) => (typeof value === 'string' ? [[name, redisplayedText(value)] as const] : []));
  return { ...Object.fromEntries(typed), ...WITHOUT_TAX_ID };
}

/** Values of the fields for the tax number when a form is shown again. */
export const WITHOUT_TAX_ID = { taxIdLast4: '', taxId: '' };

/** A name of a place, with at least one letter of any script. */
export const PlaceName = (maxLength: number) => refine(line(maxLength, 1), 'place', (value) => /\p{L}/u.test(value));

/** A name of a person, which may be sent by e-mail. */
export const PersonName = (maxLength: number) => refine(line(maxLength, 1), 'person', isPersonName);

export const field = <T>(struct: Struct<T, null>, name: keyof CheckoutTexts['messages']): Field<T> => ({
  struct,
  message: (t) => t.messages[name],
});

/** A checked box. */
export const Checked = define<string>('checked', (value) => value === 'yes');

/**
 * Normalization of typed text: letters of every script with their accents, and nothing invisible.
 *
 * @see decisions/0022-form-input.md
 */

/**
 * Invisible characters, such as direction marks and zero-width spaces. Joiners and variation selectors change how adjacent letters look,
 * and are not removed.
 */
const INVISIBLE = /(?!\p{Variation_Selector}|\u200c|\u200d)\p{Default_Ignorable_Code_Point}/gu;

/** Control characters, lone surrogates and noncharacters, which no keyboard types. */
const UNTYPABLE = /[\p{Cc}\p{Surrogate}\p{Noncharacter_Code_Point}]/gu;

/** 13 to 19 digits with separators, as on cards. */
const CARD_DIGITS = /(?<!\d)\d(?:[ .-]?\d){12,18}(?![ .-]?\d)/g;

/**
 * Longer than any field, including removed characters. Limits the time of Unicode normalization, which is quadratic in the accents of a
 * letter.
 */
const MAX_READ_LENGTH = 4_000;

/** Returns true if a text is longer than what is read. */
export function isOverlong(text: string): boolean {
  return text.length > MAX_READ_LENGTH;
}

/** Returns the normalized text: composed, with single spaces, without invisible characters. Untypable characters remain. */
export function normalizedText(text: string): string {
  return text.slice(0, MAX_READ_LENGTH).normalize('NFC').replace(INVISIBLE, '').replace(/\s+/g, ' ').trim();
}

/** Returns true if a text contains characters that no keyboard types. */
export function isUntypable(text: string): boolean {
  return text.search(UNTYPABLE) >= 0;
}

/** Returns true if a text contains a card number. Cards are entered on the gateway's page only. */
export function containsCardNumber(text: string): boolean {
  return (text.match(CARD_DIGITS) ?? []).some((number) => passesLuhn(number.replace(/\D/g, '')));
}

/** Returns what a form shows of a typed text when it is shown again. */
export function redisplayedText(text: string): string {
  if (containsCardNumber(text)) return '';
  const typable = normalizedText(normalizedText(text).replace(UNTYPABLE, ''));
  // The cut may leave a lone surrogate.
  return typable.slice(0, MAX_SHOWN_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** Longer than any field. */
const MAX_SHOWN_LENGTH = 500;

/** The check digit of card numbers: ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place++) {
    const worth = Number(digits.at(-1 - place)) * (place % 2 === 0 ? 1 : 2);
    sum += worth > 9 ? worth - 9 : worth;
  }
  return sum % 10 === 0;
}
