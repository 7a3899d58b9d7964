import { normalizedAddressHash } from '../../shared/normalized-address.ts';
import { splitFullName } from '../../shared/person-name.ts';
import type { ContactInput } from '../../shared/wire/contact.ts';
import type { PlatformAddress, PlatformContact } from '../../shared/wire/order.ts';
import type { TransactionContact } from '../../shared/wire/transaction.ts';
import { US_STATES } from '../../shared/wire/us-states.ts';

export const NO_CONTACT = {
  firstName: '',
  lastName: '',
  email: '',
  phone: '',
  address: '',
  address2: '',
  city: '',
  state: '',
  zip: '',
};

/** Contact details of a buyer in the checkout. Every field is present; unknown fields are empty. A phone number has ten digits. */
export type BuyerContact = typeof NO_CONTACT;

/** Converts a contact of a merchant's cart. A full name is split if there are no separate names. */
export function fromCart(contact: ContactInput): BuyerContact {
  const { fullName: whole = '', ...rest } = contact;
  const { firstName, lastName } = splitFullName(whole);
  const defined = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return { ...NO_CONTACT, firstName, lastName, ...defined };
}

/** Returns true if the first and the last name of a merchant's contact are known, not guessed from a full name of several words. */
export function hasCertainName({ fullName: whole = '', firstName, lastName }: ContactInput): boolean {
  return (firstName !== undefined && lastName !== undefined) || splitFullName(whole).isCertain;
}

export function toTransactionContact(contact: BuyerContact): TransactionContact {
  // By name: a new field of the buyer does not become one of the transaction.
  const { address, address2, city, state, zip, phone, email } = contact;
  return { fullName: fullName(contact), address, address2, city, state, zip, phone, email };
}

/** Presents a buyer in the platform API; undefined without a name. Omits unknown fields and incomplete addresses. */
export function toPlatformContact(contact: BuyerContact): PlatformContact | undefined {
  const { firstName, lastName, phone, email } = contact;
  const address = platformAddressOf(contact);
  if (firstName === '' && lastName === '') return undefined;
  return {
    name: { givenName: firstName, familyName: lastName },
    ...(phone !== '' && { phone: `+1${phone}` }),
    ...(address && { address }),
    ...(email !== '' && { email }),
  };
}

/** Returns the hash that finds applications by address; empty if the address is incomplete. */
export async function addressHashOf(contact: BuyerContact): Promise<string> {
  const address = platformAddressOf(contact);
  return address ? normalizedAddressHash(address) : '';
}

function platformAddressOf({ address, address2, city, state, zip }: BuyerContact): PlatformAddress | undefined {
  if (address === '' || city === '' || state === '' || zip === '') return undefined;
  return {
    address1: address,
    ...(address2 !== '' && { address2 }),
    locality: city,
    postalCode: zip,
    // Military addresses have no subdivision of ISO 3166-2.
    region: Object.hasOwn(US_STATES, state) ? `US-${state}` : state,
    country: 'US',
  };
}

/** Returns the name and address as the lines of an envelope, without unknown parts. */
export function addressLines(contact: BuyerContact): string[] {
  const { address, address2, city, state, zip } = contact;
  const place = [city, `${state} ${zip}`.trim()].filter(Boolean).join(', ');
  return [fullName(contact), address, address2, place].filter(Boolean);
}

export function fullName({ firstName, lastName }: Pick<BuyerContact, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim();
}
