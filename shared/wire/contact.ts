import { type Infer, object } from 'superstruct';
import { ruled } from './bricks.ts';
import { blankable, Email, Phone, text, UsState, Zip } from './fields.ts';

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
