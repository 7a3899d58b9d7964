import type { CartOptions } from '../../shared/wire/cart.ts';
import { prefilledDetails, readDetails, fixedShipping } from '../checkout/steps/details/form.ts';
import type { BuyerDetails } from '../checkout/steps/details/submit.ts';

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
 * the values of the test buyer. A rejected ZIP code is replaced with one of the state's capital.
 */
export function testBuyerDetails(options: CartOptions): Omit<BuyerDetails, 'language'> {
  const shown: Record<string, string> = prefilledDetails(options, undefined).values;
  const form = { ...shown, shippingTypeId: options.shippingOptions?.[0]?.typeId };
  const read = readDetails(options, form);
  if (read.ok) return read.details;

  const typed: Record<string, string | undefined> = {
    ...VALUES,
    zip: ZIPS_OF_CAPITALS[shown['state'] || VALUES['state']!],
    shippingZip: ZIPS_OF_CAPITALS[fixedShipping(options)?.state ?? shown['shippingState'] ?? ''],
  };
  const corrected = Object.fromEntries(Object.keys(read.errors).map((name) => [name, typed[name]]));
  const again = readDetails(options, { ...form, ...corrected });
  if (!again.ok) throw new Error(`The test buyer cannot fill in ${Object.keys(again.errors).join(', ')}.`);
  return again.details;
}

const ZIPS_OF_CAPITALS: Readonly<Record<string, string>> = {
  AL: '36104',
  AK: '99801',
  AZ: '85007',
  AR: '72201',
  CA: '95814',
  CO: '80203',
  CT: '06106',
  DC: '20001',
  DE: '19901',
  FL: '32301',
  GA: '30334',
  HI: '96813',
  IA: '50319',
  ID: '83702',
  IL: '62701',
  IN: '46204',
  KS: '66603',
  KY: '40601',
  LA: '70802',
  MA: '02108',
  MD: '21401',
  ME: '04330',
  MI: '48933',
  MN: '55101',
  MO: '65101',
  MS: '39201',
  MT: '59601',
  NC: '27601',
  ND: '58501',
  NE: '68508',
  NH: '03301',
  NJ: '08608',
  NM: '87501',
  NV: '89701',
  NY: '12207',
  OH: '43215',
  OK: '73102',
  OR: '97301',
  PA: '17101',
  RI: '02903',
  SC: '29201',
  SD: '57501',
  TN: '37219',
  TX: '78701',
  UT: '84103',
  VA: '23219',
  VT: '05602',
  WA: '98501',
  WI: '53703',
  WV: '25301',
  WY: '82001',
};
