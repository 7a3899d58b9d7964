import { validate } from 'superstruct';
import { ContactInput } from '../wire/contact.ts';
import type { ContactInput as AcceptedContact } from './request-types.ts';

/** Fields without which a contact is accepted. */
const OPTIONAL_FIELDS = ['fullName', 'address2', 'zip', 'email', 'phone'];

/**
 * Returns a contact for a cart from what a shop has stored, or undefined if the service would reject its name, street, city or state. Omits a
 * second line, a ZIP code, an e-mail address and a phone number that the service would reject. The checkout asks for what is missing.
 */
export function acceptedContact(contact: Readonly<Record<string, unknown>>): AcceptedContact | undefined {
  const fields = { ...contact };
  for (;;) {
    const [failure, accepted] = validate(fields, ContactInput, { coerce: true, mask: true });
    if (!failure) return accepted;
    const rejected = OPTIONAL_FIELDS.find((field) => field === failure.path[0]);
    if (!rejected) return undefined;
    delete fields[rejected];
  }
}
