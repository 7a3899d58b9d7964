import { coerce, define, refine, string, type Struct, validate } from 'superstruct';
import { ageOn } from '../../shared/dates.ts';
import { fill } from '../../shared/disclosure/texts.ts';
import { Email, Phone, UsState, Zip } from '../../shared/wire/contact-fields.ts';
import { CalendarDate, line } from '../../shared/wire/fields.ts';
import type { CheckoutTexts } from './texts/english.ts';
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
  | { ok: false; typed: Record<string, string>; errors: Record<string, Message> };

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
const Name = (maxLength: number) => refine(line(maxLength, 1), 'name', (value) => /\p{L}/u.test(value));

const field = <T>(struct: Struct<T, null>, name: keyof CheckoutTexts['messages']): Field<T> => ({
  struct,
  message: (t) => t.messages[name],
});

/** A person's name and address as a buyer types it. */
export const contactFields = {
  firstName: field(Name(100), 'firstName'),
  lastName: field(Name(100), 'lastName'),
  email: field(Email, 'email'),
  phone: field(Phone, 'phone'),
  address: field(line(200, 1), 'address'),
  address2: field(line(200), 'address2'),
  city: field(Name(100), 'city'),
  state: field(UsState, 'state'),
  zip: field(Zip, 'zip'),
};

/** Where to ship, when that is elsewhere. */
export const shippingFields = {
  shippingFirstName: field(Name(100), 'shippingFirstName'),
  shippingLastName: field(Name(100), 'shippingLastName'),
  shippingAddress: field(contactFields.address.struct, 'shippingAddress'),
  shippingAddress2: contactFields.address2,
  shippingCity: field(contactFields.city.struct, 'shippingCity'),
  shippingState: field(contactFields.state.struct, 'shippingState'),
  shippingZip: field(contactFields.zip.struct, 'shippingZip'),
};

/** `04/23/1990`, as it is written in the US, becomes `1990-04-23`; so does `04231990`, since keypads of phones have no slash. */
const DateOfBirth = coerce(CalendarDate, string(), (value) => {
  const parts = /^(\d{1,2})[/. -]+(\d{1,2})[/. -]+(\d{4})$/.exec(value) ?? /^(\d\d)(\d\d)(\d{4})$/.exec(value);
  if (!parts) return value;
  const [, month = '', day = '', year = ''] = parts;
  return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
});

/** Whole dollars as people type them, `$84,000` or `84000.00`, in cents. */
const DollarsInCents = coerce(
  define<number>('dollars', (value) => Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= 1e11),
  string(),
  (value) => {
    const dollars = value.replace(/[$,\s]|\.00?$/g, '');
    return /^\d{1,9}$/.test(dollars) ? Number(dollars) * 100 : Number.NaN;
  },
);

const Ticked = define<string>('ticked', (value) => value === 'yes');

/**
 * What the lender asks.
 *
 * @param today  - Civil date on which the buyer must be of age.
 * @param minAge - Years at which they are, in their state.
 */
export function applicationFields(today: string, minAge: number) {
  const Adult = define<string>(
    'adult',
    (value) => typeof value === 'string' && ageOn(value, today) >= minAge && ageOn(value, today) < 120,
  );
  return {
    dateOfBirth: {
      struct: coerce(Adult, string(), (value) => {
        const [error, date] = validate(value, DateOfBirth, { coerce: true });
        return error ? '' : date;
      }),
      message: (t: CheckoutTexts) => fill(t.messages.dateOfBirth, { age: minAge }),
    },
    taxIdLast4: field(
      define<string>('last4', (value) => typeof value === 'string' && /^\d{4}$/.test(value)),
      'taxIdLast4',
    ),
    annualIncome: field(DollarsInCents, 'annualIncome'),
    consent: field(Ticked, 'consent'),
    electronic: field(Ticked, 'notices'),
  };
}

/** What signing takes. */
export const signatureFields = {
  electronic: field(Ticked, 'electronic'),
  agree: field(Ticked, 'agree'),
  signedName: field(Name(200), 'signedName'),
};
