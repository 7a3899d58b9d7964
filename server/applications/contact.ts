import { normalizedAddressHash } from '../../shared/normalized-address.ts';
import type { ContactInput } from '../../shared/wire/contact.ts';
import type { PlatformAddress, PlatformContact } from '../../shared/wire/platform-contact.ts';
import type { TransactionContact } from '../../shared/wire/transaction.ts';

/** A buyer as the checkout knows them: every field there, an unknown one empty. */
export interface BuyerContact {
  firstName: string;
  lastName: string;
  email: string;
  phone: string;
  address: string;
  address2: string;
  city: string;
  state: string;
  zip: string;
}

export const NO_CONTACT: BuyerContact = {
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

/** Who buys, as an application has it. */
export function buyerOf({ billing_contact_json }: { billing_contact_json: string }): BuyerContact {
  return JSON.parse(billing_contact_json) as BuyerContact;
}

/** What a merchant's cart says about a person. A full name alone is parted at its last space. */
export function fromCart(contact: ContactInput): BuyerContact {
  const { fullName: whole = '', ...rest } = contact;
  const parted = /^(.*\S)\s+(\S+)$/.exec(whole.trim());
  const defined = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined));
  return {
    ...NO_CONTACT,
    firstName: parted?.[1] ?? whole.trim(),
    lastName: parted?.[2] ?? '',
    ...defined,
  };
}

export function toTransactionContact(contact: BuyerContact): TransactionContact {
  const { firstName, lastName, ...rest } = contact;
  return { fullName: fullName({ firstName, lastName }), ...rest };
}

/** A buyer as the platform API answers them; undefined while nobody is named. What is not known is left out, of an address all of it. */
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

/** What applications at one address are found by; empty while the address is not known. */
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
    region: `US-${state}`,
    country: 'US',
  };
}

/** Name and address as on an envelope, without what is unknown. */
export function addressLines(contact: BuyerContact): string[] {
  const { address, address2, city, state, zip } = contact;
  const place = [city, `${state} ${zip}`.trim()].filter(Boolean).join(', ');
  return [fullName(contact), address, address2, place].filter(Boolean);
}

export function fullName({ firstName, lastName }: Pick<BuyerContact, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim();
}
