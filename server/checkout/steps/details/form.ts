import { isObject, propertyOf } from '../../../../shared/objects.ts';
import type { CheckoutTexts } from '../../../../shared/languages/en/checkout.ts';
import { fill } from '../../../../shared/languages/texts.ts';
import type { CartOptions } from '../../../../shared/wire/cart.ts';
import { Email, TypedPhone, UsState, Zip } from '../../../../shared/wire/contact-fields.ts';
import { line } from '../../../../shared/wire/fields.ts';
import { MILITARY_STATES, POSTAL_STATES, stateOfZip } from '../../../../shared/wire/us-states.ts';
import { type BuyerContact, fromCart, fullName, hasCertainName, NO_CONTACT } from '../../../base/contact.ts';
import { needsShipping } from '../../../purchases/carts/totals.ts';
import {
  field,
  type FormFailure,
  type FormResult,
  personField,
  PlaceName,
  hiddenField,
  readForm,
  readText,
  redisplayedForm,
} from '../../../http/pages/read-form.ts';
import type { FormState } from '../../../http/pages/elements.ts';
import type { BuyerDetails } from './submit.ts';

const reachFields = {
  email: field(Email, 'email'),
  phone: field(TypedPhone, 'phone'),
};

const homeFields = {
  firstName: personField(100, 'firstName'),
  lastName: personField(100, 'lastName'),
  address: field(line(200, 1), 'address'),
  address2: field(line(200), 'address2'),
  city: field(PlaceName(100), 'city'),
  zip: field(Zip, 'zip'),
  state: field(UsState, 'state'),
};

/** The buyer's name, contact and home address. */
export const contactFields = { ...reachFields, ...homeFields };

/** The shipping address, if it is another one. */
export const shippingFields = {
  shippingFirstName: personField(100, 'shippingFirstName'),
  shippingLastName: personField(100, 'shippingLastName'),
  shippingAddress: field(contactFields.address.struct, 'shippingAddress'),
  shippingAddress2: contactFields.address2,
  shippingCity: field(contactFields.city.struct, 'shippingCity'),
  shippingZip: field(contactFields.zip.struct, 'shippingZip'),
  shippingState: field(contactFields.state.struct, 'shippingState'),
};

/**
 * Reads the posted details. Values that the cart fixes are not read from the form. A missing state is that of the ZIP code. A state that
 * contradicts its ZIP code is an error once: a buyer who submits both again has answered, because some ZIP codes cross borders.
 *
 * A shipping contact without phone or e-mail gets the buyer's, because shops need both to deliver.
 */
export function readDetails(
  options: CartOptions,
  posted: unknown,
): { ok: true; details: Omit<BuyerDetails, 'language'> } | FormFailure {
  const body = withStates(posted);
  const contact = withoutBox(readForm(contactFields, body));
  const asksShipping = asksShippingAddress(options, body);
  const elsewhere = asksShipping ? readForm(shippingFields, body) : undefined;
  const fixed = fixedShipping(options);
  const fixedZip = fixed?.zip === '' ? readForm({ shippingZip: shippingFields.shippingZip }, body) : undefined;
  const shippingTypeId = chosenShipping(options, body);
  const contradictions = contradictionsIn(options, body);
  const questions = questionsAbout(contradictions, hiddenField(body, 'asked'));

  if (
    contact.ok &&
    elsewhere?.ok !== false &&
    fixedZip?.ok !== false &&
    shippingTypeId !== null &&
    Object.keys(questions).length === 0
  ) {
    const billing: BuyerContact = contact.values;
    const fixedContact = fixed && { ...fixed, zip: fixedZip?.values.shippingZip ?? fixed.zip };
    const shipping = elsewhere ? contactElsewhere(elsewhere.values, options) : (fixedContact ?? billing);
    const { email, phone } = billing;
    const reachable = { ...shipping, email: shipping.email || email, phone: shipping.phone || phone };
    return { ok: true, details: { billing, shipping: reachable, shippingTypeId } };
  }
  return {
    ok: false,
    values: { ...redisplayedForm(body), ...(asksShipping && { shipElsewhere: 'yes' }), asked: askedAbout(contradictions) },
    errors: {
      ...(!contact.ok && contact.errors),
      ...questions,
      ...(shippingTypeId === null && { shippingTypeId: ({ messages }: CheckoutTexts) => messages.shippingType }),
      ...(elsewhere?.ok === false && elsewhere.errors),
      ...(fixedZip?.ok === false && fixedZip.errors),
    },
  };
}

/** Returns the posted form with the states of its ZIP codes, where no state is chosen. */
function withStates(posted: unknown): unknown {
  const derived = (['state', 'shippingState'] as const).flatMap((name) => {
    const isEmpty = readText(hiddenField(posted, name)).text === '';
    const [, zip] = Zip.validate(hiddenField(posted, name === 'state' ? 'zip' : 'shippingZip'), { coerce: true });
    const state = isEmpty && zip !== undefined ? stateOfZip(zip) : undefined;
    return state ? [[name, state] as const] : [];
  });
  return isObject(posted) ? { ...posted, ...Object.fromEntries(derived) } : posted;
}

/** Returns the states that contradict their ZIP codes, such as `WI 62701`, by the field that a question is about. */
function contradictionsIn(options: CartOptions, body: unknown): Record<string, string> {
  const valueOf = (struct: typeof Zip, name: string) =>
    struct.validate(readText(hiddenField(body, name)).text, { coerce: true })[1];
  const fixed = fixedShipping(options);
  const places = {
    state: { state: valueOf(UsState, 'state'), zip: valueOf(Zip, 'zip') },
    ...(asksShippingAddress(options, body) && {
      shippingState: { state: valueOf(UsState, 'shippingState'), zip: valueOf(Zip, 'shippingZip') },
    }),
    ...(fixed?.zip === '' && { shippingZip: { state: fixed.state, zip: valueOf(Zip, 'shippingZip') } }),
  };
  return Object.fromEntries(
    Object.entries(places).flatMap(([name, { state, zip }]) => {
      const usual = zip && stateOfZip(zip);
      return state && usual && usual !== state ? [[name, `${state} ${zip}`]] : [];
    }),
  );
}

/** Returns the value of the hidden field `asked`, so that the buyer is asked about each contradiction once. */
const askedAbout = (contradictions: Record<string, string>) => Object.values(contradictions).join(', ');

function questionsAbout(contradictions: Record<string, string>, asked: string): FormFailure['errors'] {
  const answered = asked.split(', ');
  const open = Object.entries(contradictions).filter(([, contradiction]) => !answered.includes(contradiction));
  return Object.fromEntries(
    open.map(([name, contradiction]) => {
      const [state = '', zip = ''] = contradiction.split(' ');
      const values = { zip, usual: POSTAL_STATES[stateOfZip(zip) ?? '']!, state: POSTAL_STATES[state]! };
      return [name, ({ messages }: CheckoutTexts) => fill(messages.otherState, values)];
    }),
  );
}

/** Fields of the form that are folded together if they are complete. */
const GROUPS = { contact: reachFields, home: homeFields, shipping: shippingFields };
export type FieldGroup = keyof typeof GROUPS;

/** Returns true if a group of fields has valid values that need no look, so that it can be folded to one line. */
export function isComplete(group: FieldGroup, { values, errors, unfolded = [] }: FormState): boolean {
  if (unfolded.includes(group) || Object.keys(GROUPS[group]).some((name) => name in errors)) return false;
  return group === 'home' ? withoutBox(readForm(homeFields, values)).ok : readForm(GROUPS[group], values).ok;
}

/**
 * Rejects a post office box as home address, because a lender must obtain a residential or business street address: 31 CFR
 * 1020.220(a)(2)(i)(A)(3). Military addresses have box numbers and are accepted, and so are rural routes and highway contracts.
 */
function withoutBox<R extends FormResult<Pick<typeof contactFields, 'address' | 'address2' | 'state'>>>(
  contact: R,
): R | FormFailure {
  if (Object.hasOwn(MILITARY_STATES, contact.values.state ?? '')) return contact;
  const boxes = (['address', 'address2'] as const).filter((name) => isPostOfficeBox(contact.values[name] ?? ''));
  if (boxes.length === 0) return contact;
  const rejected = boxes.map((name) => [name, ({ messages }: CheckoutTexts) => messages.postOfficeBox] as const);
  return { ok: false, values: contact.values, errors: { ...(!contact.ok && contact.errors), ...Object.fromEntries(rejected) } };
}

/**
 * Returns the form as it is first shown: prefilled with the application's details, or those of the merchant's cart. The cart's shipping
 * address is never shown as the home address, which the buyer would overwrite.
 *
 * @param known - The details of the application; undefined before there is one, or after they were deleted.
 */
export function prefilledDetails(
  options: CartOptions,
  known: { billing: BuyerContact; shipping: BuyerContact; shippingTypeId: string | null } | undefined,
): FormState {
  const shipTo = known?.shipping ?? (options.shippingContact && fromCart(options.shippingContact));
  const fixed = fixedShipping(options);
  const billTo = known?.billing ?? (options.billingContact ? fromCart(options.billingContact) : NO_CONTACT);
  const isElsewhere = shipTo !== undefined && canEditShippingAddress(options) && !isSamePlace(shipTo, billTo);
  const values = {
    ...billTo,
    ...(isElsewhere && { shipElsewhere: 'yes', ...shippingValues(shipTo) }),
    ...(fixed?.zip === '' && known && { shippingZip: known.shipping.zip }),
    ...(known?.shippingTypeId && { shippingTypeId: known.shippingTypeId }),
  };
  const contradictions = contradictionsIn(options, values);
  if (known) return { values: { ...values, asked: askedAbout(contradictions) }, errors: {} };
  // A name that was split may be split wrongly, and a contradiction becomes a question.
  const isHomeCertain = !('state' in contradictions) && (!options.billingContact || hasCertainName(options.billingContact));
  const isShippingCertain =
    !('shippingState' in contradictions) && (!options.shippingContact || hasCertainName(options.shippingContact));
  return { values, errors: {}, unfolded: [...(isHomeCertain ? [] : ['home']), ...(isShippingCertain ? [] : ['shipping'])] };
}

/** Returns the type id of the picked option; undefined without options; null when no valid option is picked. */
function chosenShipping({ shippingOptions = [] }: CartOptions, body: unknown): string | undefined | null {
  if (shippingOptions.length === 0) return undefined;
  if (shippingOptions.length === 1) return shippingOptions[0]!.typeId;
  const sent = propertyOf(body, 'shippingTypeId');
  return shippingOptions.find(({ typeId }) => typeId === sent)?.typeId ?? null;
}

/** Returns the contact at another address, with the phone and e-mail of the cart's contact if it has the same name. */
function contactElsewhere(values: Record<keyof typeof shippingFields, string>, options: CartOptions): BuyerContact {
  const entered = placeIn(values, 'shipping');
  const inCart = options.shippingContact ? fromCart(options.shippingContact) : NO_CONTACT;
  // The buyer may have split the name elsewhere.
  const { email, phone } = fullName(inCart) === fullName(entered) ? inCart : NO_CONTACT;
  return { ...entered, email, phone };
}

/** The parts of a name and an address, which the form has twice. */
const PLACE = ['firstName', 'lastName', 'address', 'address2', 'city', 'state', 'zip'] as const;

/** Returns the name of a field of the shipping address: `shippingZip` for `zip`. */
export function shippingName(name: string): string {
  return `shipping${name[0]!.toUpperCase()}${name.slice(1)}`;
}

/** Returns the name and the address in the values of a form. */
export function placeIn(values: Readonly<Record<string, string>>, group: 'home' | 'shipping'): BuyerContact {
  const parts = PLACE.map((name) => [name, values[group === 'home' ? name : shippingName(name)] ?? ''] as const);
  return { ...NO_CONTACT, ...Object.fromEntries(parts) };
}

/** Returns the values of the shipping address. */
function shippingValues(contact: BuyerContact): Record<string, string> {
  return Object.fromEntries(PLACE.map((name) => [shippingName(name), contact[name]]));
}

function isSamePlace(one: BuyerContact, other: BuyerContact): boolean {
  return PLACE.every((name) => one[name] === other[name]);
}

/** Returns true if the buyer can enter a shipping address: the purchase has one, and the merchant has not fixed it. */
export function canEditShippingAddress(options: CartOptions): boolean {
  return needsShipping(options) && !fixedShipping(options);
}

function asksShippingAddress(options: CartOptions, body: unknown): boolean {
  return canEditShippingAddress(options) && propertyOf(body, 'shipElsewhere') === 'yes';
}

/** Returns the shipping address that the merchant fixed and hides, or undefined. If it lacks a ZIP code, the buyer enters it. */
export function fixedShipping({ disableEditShipping, shippingContact }: CartOptions): BuyerContact | undefined {
  return disableEditShipping && shippingContact ? fromCart(shippingContact) : undefined;
}

/**
 * Addresses at a post office in the forms of USPS Publication 28, section 28: `PO BOX`, also with the designations CALLER, FIRM CALLER,
 * BIN, LOCKBOX and DRAWER, a private mailbox (`PMB`), and General Delivery. Compared are lower-case letters, digits and single spaces.
 */
const BOX_DESIGNATIONS = '(?:firm )?caller(?: service| box)?|call box|bin|lock ?box|drawer';

/** Anywhere in a line. */
const BOX_IN_LINE = new RegExp(
  `(?:^| )(?:${[
    `(?:p ?[o0]|post ?off(?:ice)?) ?(?:box|bx|${BOX_DESIGNATIONS})(?![a-z])`,
    'p ?o ?b ?\\d',
    '(?:post|postal) ?box ?\\d',
    '(?:p ?m ?b|private mail ?box) ?\\d',
    '(?:apartado|apdo)(?: postal| no)* ?\\d',
    'casilla (?:postal|de correo)(?![a-z])',
  ].join('|')})`,
);

/** A whole part of a line. Streets begin with such words, too, and `Box 4` may be a unit of a house. */
const BOX_AS_PART = new RegExp(
  `^(?:${[
    'p ?[o0](?: no| number)? ?\\d+ ?[a-z]?',
    `(?:${BOX_DESIGNATIONS})(?: no| number)? ?(?:\\d+ ?[a-z]?|[a-z])`,
    '(?:c o )?(?:general|gen) del(?:ivery)?(?: \\d+)?',
    'lista de correos',
  ].join('|')})$`,
);

/** Returns true if a line of an address is a box of a post office, or is for collection there. */
export function isPostOfficeBox(text: string): boolean {
  return text.split(',').some((part) => {
    const words = part
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, ' ')
      .trim();
    return BOX_IN_LINE.test(words) || BOX_AS_PART.test(words);
  });
}
