import { type Infer, object } from 'superstruct';
import { optional, ruled } from './bricks.ts';
import { Email, Phone, UsState, Zip } from './contact-fields.ts';
import { blankable, replacing, text } from './fields.ts';
import { noted } from './notes.ts';

/**
 * A person and where they live, as merchants send it: a `fullName`, or `firstName` and `lastName`, or all three.
 *
 * Lenient where production clients differ (see decisions/0004): phone, e-mail, address2 and zip may be left out.
 */
export const ContactInput = ruled(
  object({
    fullName: blankable(text(200)),
    firstName: blankable(text(100)),
    lastName: blankable(text(100)),
    address: text(200, 1),
    address2: blankable(text(200)),
    city: text(100, 1),
    state: UsState,
    zip: blankable(Zip),
    email: blankable(Email),
    phone: blankable(Phone),
  }),
  'named',
  ({ fullName, firstName, lastName }) =>
    fullName !== undefined ||
    (firstName !== undefined && lastName !== undefined) ||
    'Expected `fullName`, or `firstName` and `lastName`, but received neither',
);
export type ContactInput = Infer<typeof ContactInput>;

/**
 * A contact that may be left out. Clients that have none send an object without a name and a place as well, with every field
 * blank or none at all, or false; such a contact arrives as undefined, too.
 */
export const OptionalContact = noted(
  replacing(optional(ContactInput), (value) => (isNobody(value) ? undefined : value)),
  { is: 'absentable', of: ContactInput, blanks: [null] },
);

const WHO_AND_WHERE = ['fullName', 'firstName', 'lastName', 'address', 'city'];

function isNobody(value: unknown): boolean {
  if (value === null || value === false) return true;
  if (typeof value !== 'object' || Array.isArray(value)) return false;
  return WHO_AND_WHERE.every((field) => {
    const said = (value as Record<string, unknown>)[field] ?? '';
    return typeof said === 'string' && said.trim() === '';
  });
}
