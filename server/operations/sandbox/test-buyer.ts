import type { CartOptions } from '../../../shared/wire/cart.ts';
import { CAPITAL_ZIPS } from '../../../shared/wire/us-states.ts';
import { prefilledDetails, readDetails, fixedShipping } from '../../checkout/steps/details/form.ts';
import type { BuyerDetails } from '../../checkout/steps/details/submit.ts';

/** Replaces the values of fields that are empty or invalid in the prefilled form. */
const VALUES: Readonly<Record<string, string>> = {
  firstName: 'Ada',
  lastName: 'Lovelace',
  email: 'ada@example.com',
  phone: '5550100100',
  address: '12 Analytical Way',
  address2: '',
  city: 'Springfield',
  state: 'IL',
  shippingFirstName: 'Ada',
  shippingLastName: 'Lovelace',
  shippingAddress: '12 Analytical Way',
  shippingAddress2: '',
  shippingCity: 'Springfield',
};

/**
 * Returns the details of the test buyer: the prefilled form with the first shipping option. Fields that the form rejects get
 * the values of the test buyer. A rejected ZIP code is replaced with one of the state's capital. A state that contradicts its ZIP code is
 * confirmed.
 */
export function testBuyerDetails(options: CartOptions): Omit<BuyerDetails, 'language'> {
  const shown: Record<string, string> = prefilledDetails(options, undefined).values;
  const typed = { ...shown, shippingTypeId: options.shippingOptions?.[0]?.typeId };
  const first = readDetails(options, typed);
  if (first.ok) return first.details;
  const form = { ...typed, asked: first.values['asked'] };
  const read = readDetails(options, form);
  if (read.ok) return read.details;

  const replacements: Record<string, string | undefined> = {
    ...VALUES,
    zip: CAPITAL_ZIPS[shown['state'] || VALUES['state']!],
    shippingZip: CAPITAL_ZIPS[fixedShipping(options)?.state ?? shown['shippingState'] ?? ''],
  };
  const corrected = Object.fromEntries(Object.keys(read.errors).map((name) => [name, replacements[name]]));
  const again = readDetails(options, { ...form, ...corrected });
  if (!again.ok) throw new Error(`The test buyer cannot fill in ${Object.keys(again.errors).join(', ')}.`);
  return again.details;
}
