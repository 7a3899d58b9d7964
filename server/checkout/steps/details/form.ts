import type { CartOptions } from '../../../../shared/wire/cart.ts';
import { Email, Phone, UsState, Zip } from '../../../../shared/wire/contact-fields.ts';
import { line } from '../../../../shared/wire/fields.ts';
import type { BuyerDetails } from './submit.ts';
import { type BuyerContact, fromCart, NO_CONTACT } from '../../../applications/contact.ts';
import { field, type FormFailure, Name, readForm, typedAgain } from '../../web/forms.ts';
import type { CheckoutTexts } from '../../texts/english.ts';

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

/**
 * Reads the details a buyer posted. What the cart fixed is not asked for, and not taken from the form.
 *
 * The person at the shipping address gets the buyer's phone and e-mail where neither the cart nor the form names others: shops rely on
 * both to deliver.
 */
export function readDetails(
  options: CartOptions,
  body: unknown,
): { ok: true; details: Omit<BuyerDetails, 'language'> } | FormFailure {
  const contact = readForm(contactFields, body);
  const asksShipping = asksWhereToShip(options) && (body as Record<string, unknown> | undefined)?.['shipElsewhere'] === 'yes';
  const elsewhere = asksShipping ? readForm(shippingFields, body) : undefined;
  const fixed = fixedShipping(options);
  const fixedZip = fixed?.zip === '' ? readForm({ shippingZip: shippingFields.shippingZip }, body) : undefined;
  const shippingTypeId = chosenShipping(options, body);

  if (contact.ok && elsewhere?.ok !== false && fixedZip?.ok !== false && shippingTypeId !== null) {
    const billing: BuyerContact = contact.values;
    const fixedContact = fixed && { ...fixed, zip: fixedZip?.values.shippingZip ?? fixed.zip };
    const shipping = elsewhere ? contactElsewhere(elsewhere.values, options) : (fixedContact ?? billing);
    const { email, phone } = billing;
    const reachable = { ...shipping, email: shipping.email || email, phone: shipping.phone || phone };
    return { ok: true, details: { billing, shipping: reachable, shippingTypeId } };
  }
  return {
    ok: false,
    typed: { ...typedAgain(body), ...(asksShipping && { shipElsewhere: 'yes' }) },
    errors: {
      ...(!contact.ok && contact.errors),
      ...(shippingTypeId === null && { shippingTypeId: ({ messages }: CheckoutTexts) => messages.shippingType }),
      ...(elsewhere?.ok === false && elsewhere.errors),
      ...(fixedZip?.ok === false && fixedZip.errors),
    },
  };
}

/** What the form shows before anything is typed: what is known from an earlier visit, or from the merchant's cart. */
export function prefilledDetails(
  options: CartOptions,
  known: { billing: BuyerContact; shipping: BuyerContact; shippingTypeId: string | null } | undefined,
): { typed: Record<string, string>; errors: Record<string, never> } {
  const shipTo = known?.shipping ?? (options.shippingContact && fromCart(options.shippingContact));
  // An address that the merchant hides from the buyer is not theirs to edit as their home.
  const fixed = fixedShipping(options);
  const shownShipTo = fixed ? undefined : shipTo;
  const billTo = known?.billing ?? (options.billingContact ? fromCart(options.billingContact) : (shownShipTo ?? NO_CONTACT));
  const isElsewhere = shipTo !== undefined && asksWhereToShip(options) && !isSamePlace(shipTo, billTo);
  return {
    typed: {
      ...billTo,
      ...(isElsewhere && { shipElsewhere: 'yes', ...prefixed(shipTo) }),
      ...(fixed?.zip === '' && known && { shippingZip: known.shipping.zip }),
      ...(known?.shippingTypeId && { shippingTypeId: known.shippingTypeId }),
    },
    errors: {},
  };
}

/** Whether the buyer says where to ship: when something ships, and the merchant has not fixed where. What hides nothing fixes nothing. */
export function asksWhereToShip(options: CartOptions): boolean {
  return needsShipping(options) && !fixedShipping(options);
}

/** Whether anything ships. */
export function needsShipping({ requireShippingContact, shippingContact, shippingOptions = [] }: CartOptions): boolean {
  return (requireShippingContact ?? false) || shippingContact !== undefined || shippingOptions.length > 0;
}

/** The shipping address that the merchant fixed and hides; undefined where the buyer says where to ship. A ZIP it lacks is asked for. */
export function fixedShipping({ disableEditShipping, shippingContact }: CartOptions): BuyerContact | undefined {
  return disableEditShipping && shippingContact ? fromCart(shippingContact) : undefined;
}

/** The type id of the option that was picked, undefined when there is none to pick, null when there should be one. */
function chosenShipping({ shippingOptions = [] }: CartOptions, body: unknown): string | undefined | null {
  if (shippingOptions.length === 0) return undefined;
  if (shippingOptions.length === 1) return shippingOptions[0]!.typeId;
  const sent = (body as Record<string, unknown> | undefined)?.['shippingTypeId'];
  return shippingOptions.find(({ typeId }) => typeId === sent)?.typeId ?? null;
}

/** The contact at another address. Its phone and e-mail are those of the cart's contact where that is the same person, else empty. */
function contactElsewhere(values: Record<keyof typeof shippingFields, string>, options: CartOptions): BuyerContact {
  const { shippingFirstName: firstName, shippingLastName: lastName } = values;
  const inCart = options.shippingContact ? fromCart(options.shippingContact) : NO_CONTACT;
  const isInCart = inCart.firstName === firstName && inCart.lastName === lastName;
  const { email, phone } = isInCart ? inCart : NO_CONTACT;
  return {
    firstName,
    lastName,
    email,
    phone,
    address: values.shippingAddress,
    address2: values.shippingAddress2,
    city: values.shippingCity,
    state: values.shippingState,
    zip: values.shippingZip,
  };
}

function prefixed({ firstName, lastName, address, address2, city, state, zip }: BuyerContact): Record<string, string> {
  return {
    shippingFirstName: firstName,
    shippingLastName: lastName,
    shippingAddress: address,
    shippingAddress2: address2,
    shippingCity: city,
    shippingState: state,
    shippingZip: zip,
  };
}

function isSamePlace(one: BuyerContact, other: BuyerContact): boolean {
  const parts = ['firstName', 'lastName', 'address', 'address2', 'city', 'state', 'zip'] as const;
  return parts.every((part) => one[part] === other[part]);
}
