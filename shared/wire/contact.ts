import { propertyOf } from '../objects.ts';
import { type Infer, object } from 'superstruct';
import { optional, refine } from './structs.ts';
import { Email, Phone, UsState, Zip } from './contact-fields.ts';
import { emptyAsAbsent, preprocess, text } from './fields.ts';
import { annotate } from './annotations.ts';

/**
 * A person and their address, as sent by merchants: a `fullName`, or `firstName` and `lastName`, or all three.
 *
 * Lenient where production clients differ (see decisions/0004): phone, email, address2 and zip are optional.
 */
export const ContactInput = refine(
  object({
    fullName: emptyAsAbsent(text(200)),
    firstName: emptyAsAbsent(text(100)),
    lastName: emptyAsAbsent(text(100)),
    address: text(200, 1),
    address2: emptyAsAbsent(text(200)),
    city: text(100, 1),
    state: UsState,
    zip: emptyAsAbsent(Zip),
    email: emptyAsAbsent(Email),
    phone: emptyAsAbsent(Phone),
  }),
  'named',
  ({ fullName, firstName, lastName }) =>
    fullName !== undefined ||
    (firstName !== undefined && lastName !== undefined) ||
    'Expected `fullName`, or `firstName` and `lastName`, but received neither',
);
export type ContactInput = Infer<typeof ContactInput>;

/**
 * An optional contact. Clients also send false, or an object whose name and address fields are blank or missing. Such a contact
 * is parsed as undefined. The OpenAPI document states null only: the others are accepted for clients that exist.
 */
export const OptionalContact = annotate(
  preprocess(optional(ContactInput), (value) => (isBlankContact(value) ? undefined : value)),
  { kind: 'optional', of: ContactInput, blanks: [null] },
);

const IDENTIFYING_FIELDS = ['fullName', 'firstName', 'lastName', 'address', 'city'];

function isBlankContact(value: unknown): boolean {
  if (value === null || value === false) return true;
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  return IDENTIFYING_FIELDS.every((field) => {
    const content = propertyOf(value, field) ?? '';
    return typeof content === 'string' && content.trim() === '';
  });
}
