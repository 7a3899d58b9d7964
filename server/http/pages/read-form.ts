import { isObject, propertyOf } from '../../../shared/objects.ts';
import { define, refine, type Struct } from 'superstruct';
import type { CheckoutTexts } from '../../../shared/languages/en/checkout.ts';
import { fill } from '../../../shared/languages/texts.ts';
import { isPersonName, refusedCharacterOf } from '../../../shared/person-name.ts';
import { line } from '../../../shared/wire/fields.ts';
import type { Texts } from '../../base/texts.ts';

/** Returns the error message of a field, in the language of the page. */
export type Message = (t: Texts) => string;

/** Validation of a field, and its error messages. */
export interface Field<T> {
  struct: Pick<Struct<T, null>, 'validate'>;
  message: (t: Texts, text: string) => string;
  /** For an empty field. Defaults to `message`. */
  emptyMessage?: (t: Texts, text: string) => string;
  /** True for an identifier of another system, such as a tracking number, whose digits may look like those of a card. */
  isIdentifier?: boolean;
}
type Fields = Record<string, Field<string> | Field<number>>;

/** A posted form: its parsed values, or the typed values with a message for each invalid field. */
export type FormResult<F extends Fields> =
  | { ok: true; values: { [Name in keyof F]: F[Name] extends Field<infer T> ? T : never } }
  | FormFailure;
export type FormFailure = { ok: false; values: Record<string, string>; errors: Record<string, Message> };

/**
 * Validates every field of a posted form. A missing or repeated field is read as empty. Text that `readText` does not accept is invalid
 * in every field, and a card number in every field but an identifier: cards are entered on the gateway's page only.
 */
export function readForm<F extends Fields>(fields: F, body: unknown): FormResult<F> {
  const shown: Record<string, string> = {};
  const errors: Record<string, Message> = {};
  const values: Record<string, unknown> = {};
  for (const [name, { struct, message, emptyMessage = message, isIdentifier = false }] of Object.entries(fields)) {
    const sent = propertyOf(body, name);
    const { text, isAccepted } = readText(typeof sent === 'string' ? sent : '');
    const [error, value] = struct.validate(text, { coerce: true });
    if (!isIdentifier && containsCardNumber(text)) errors[name] = (t) => t.form.cardNumber;
    else if (error || !isAccepted) errors[name] = (t) => (text === '' ? emptyMessage(t, text) : message(t, text));
    else values[name] = value;
    shown[name] = isIdentifier ? cut(text) : redisplayed(text);
  }
  if (Object.keys(errors).length > 0) return { ok: false, values: shown, errors };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each name has its value, or an error
  return { ok: true, values: values as Extract<FormResult<F>, { ok: true }>['values'] };
}

/** Returns the value of a hidden field; empty if it is missing or repeated. */
export function hiddenField(body: unknown, name: string): string {
  const value = propertyOf(body, name);
  return typeof value === 'string' ? value : '';
}

/** Returns what was typed, to show the form again. The digits of the tax number are never sent back. */
export function redisplayedForm(body: unknown): Record<string, string> {
  const typed = Object.entries(isObject(body) ? body : {}).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, redisplayed(readText(value).text)] as const] : [],
  );
  return { ...Object.fromEntries(typed), ...WITHOUT_TAX_ID };
}

/** Values of the fields for the tax number when a form is shown again. */
export const WITHOUT_TAX_ID = { taxIdLast4: '', taxId: '' };

/** A name of a place, with at least one letter of any script. */
export const PlaceName = (maxLength: number) => refine(line(maxLength, 1), 'place', (value) => /\p{L}/u.test(value));

/** A field of the checkout, with the messages that the texts have under `name`. */
export const field = <T>(struct: Field<T>['struct'], name: keyof CheckoutTexts['messages']): Field<T> => ({
  struct,
  message: (t) => t.messages[name],
  emptyMessage: (t) => {
    const emptyMessages: Partial<CheckoutTexts['messages']> = t.emptyMessages;
    return emptyMessages[name] ?? t.messages[name];
  },
});

/** A name of a person, which may be sent by e-mail. The message names the first character that is refused. */
export function personField(
  maxLength: number,
  name: keyof CheckoutTexts['messages'] & keyof CheckoutTexts['emptyMessages'],
): Field<string> {
  return {
    ...field(refine(line(maxLength, 1), 'person', isPersonName), name),
    message: (t, text) => withRefusedCharacter(t, t.emptyMessages[name], text) ?? t.messages[name],
  };
}

/** Returns a message that names the first character that the name of a person must not contain, or undefined. */
export function withRefusedCharacter(t: Texts, message: string, text: string): string | undefined {
  const character = refusedCharacterOf(text);
  return character === undefined ? undefined : fill(t.form.withoutCharacter, { message, character });
}

/** A checked box. */
export const Checked = define<string>('checked', (value) => value === 'yes');

/**
 * Invisible characters, such as direction marks and zero-width spaces. Joiners and variation selectors change how adjacent letters look,
 * and are not removed.
 */
const INVISIBLE = /(?!\p{Variation_Selector}|\u200c|\u200d)\p{Default_Ignorable_Code_Point}/gu;

/** Control characters, lone surrogates and noncharacters, which no keyboard types. Line breaks and tabs are white space. */
const UNTYPABLE = /(?!\s)[\p{Cc}\p{Surrogate}\p{Noncharacter_Code_Point}]/gu;

/** More accents on one letter than in any language: UAX #15, section 13 (Stream-Safe Text Format). */
const EXCESSIVE_MARKS = /(\p{M}{30})\p{M}+/gu;

/** 13 to 19 digits with separators, as on cards. */
const CARD_DIGITS = /(?<!\d)\d(?:[ .-]?\d){12,18}(?![ .-]?\d)/g;

/** UTF-16 code units. Longer than any field, even with several accents on each letter. */
const MAX_READ_LENGTH = 1_000;

/** Longer than any field. */
const MAX_SHOWN_LENGTH = 500;

/**
 * Returns a typed text as it is stored and shown again: composed, with single spaces, and without characters that are invisible or that no
 * keyboard types.
 *
 * Unicode normalization takes quadratic time for the accents of one letter, so it runs once, on text with a limited number of them.
 *
 * @returns `isAccepted` is false if anything but invisible characters was removed.
 * @see server/decisions/0022-form-input.md
 */
export function readText(typed: string): { text: string; isAccepted: boolean } {
  const visible = typed.slice(0, MAX_READ_LENGTH).replace(INVISIBLE, '');
  const typable = visible.replace(UNTYPABLE, '').replace(EXCESSIVE_MARKS, '$1');
  const text = typable.normalize('NFC').replace(/\s+/g, ' ').trim();
  return { text, isAccepted: typed.length <= MAX_READ_LENGTH && typable === visible };
}

/** Returns an amount in cents, typed as `1299`, `1,299.00` or `$1,299`; undefined for another text. */
export function centsOf(text: string): number | undefined {
  const [, dollars, cents = ''] = /^\$?\s*(\d{1,9}|\d{1,3}(?:,\d{3}){1,2})(?:\.(\d{1,2}))?$/.exec(text) ?? [];
  return dollars === undefined ? undefined : Number(dollars.replaceAll(',', '') + cents.padEnd(2, '0'));
}

/** Returns true if a text contains a card number. Digits of an e-mail address before its @ do not count. */
export function containsCardNumber(text: string): boolean {
  return Array.from(text.matchAll(CARD_DIGITS)).some(
    ({ 0: number, index }) => passesLuhn(number.replace(/\D/g, '')) && !isMailbox(number, text.slice(index + number.length)),
  );
}

function isMailbox(number: string, rest: string): boolean {
  return !number.includes(' ') && /^[^\s@,;]*@[^\s@]*[a-z]/i.test(rest);
}

/** Returns what a form shows of a text when it is shown again. */
function redisplayed(text: string): string {
  return containsCardNumber(text) ? '' : cut(text);
}

function cut(text: string): string {
  // The cut may leave a lone surrogate.
  return text.slice(0, MAX_SHOWN_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** The check digit of card numbers: ISO/IEC 7812-1, annex B. */
function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const value = Number(digits.at(-1 - index)) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
