import type { ContactInput } from '../../shared/wire/contact.ts';
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

export function fullName({ firstName, lastName }: Pick<BuyerContact, 'firstName' | 'lastName'>): string {
  return `${firstName} ${lastName}`.trim();
}
