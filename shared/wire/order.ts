import { array, type Infer, object, string } from 'superstruct';
import { optional, refine, boundedInteger } from './structs.ts';
import { line, text } from './fields.ts';
import { Email } from './contact-fields.ts';

/** An amount in the platform API: `value` in the minor unit of `currency`, an ISO 4217 code. */
export const Money = object({ currency: line(3, 3), value: boundedInteger(0) });
export type Money = Infer<typeof Money>;

/** A person's name. `familyName` is empty for a person with a single name. */
export const PersonName = object({ givenName: text(200), familyName: text(200), additionalName: optional(text(200)) });
export type PersonName = Infer<typeof PersonName>;

/** A postal address, as entered. `region` is an ISO 3166-2 code, `US-CA`, or AA, AE or AP for a military address; `country` is an ISO 3166-1 alpha-2 code. */
export const PlatformAddress = object({
  address1: text(200, 1),
  address2: optional(text(200, 1)),
  locality: text(200, 1),
  postalCode: line(20, 1),
  region: line(6, 2),
  country: line(2, 2),
});
export type PlatformAddress = Infer<typeof PlatformAddress>;

/** A contact in the platform API. `phone` includes the country code: `+12025550123`. */
export const PlatformContact = object({
  name: PersonName,
  phone: optional(line(20, 1)),
  address: optional(PlatformAddress),
  email: optional(Email),
});
export type PlatformContact = Infer<typeof PlatformContact>;

/** A line item of an order. `unitPrice` and `unitTax` are per unit. `shippingCost` is 0: shipping belongs to the order. `itemUrl` equals `detailUrl`. */
export const OrderItem = object({
  name: string(),
  sku: string(),
  quantity: boundedInteger(1),
  unitPrice: Money,
  unitTax: Money,
  shippingCost: Money,
  imageUrl: string(),
  detailUrl: string(),
  itemUrl: string(),
});
export type OrderItem = Infer<typeof OrderItem>;

/** The person who picks up an order, and the place. */
export const PickupInformation = object({ name: PersonName, address: PlatformAddress, phone: optional(line(20, 1)) });
export type PickupInformation = Infer<typeof PickupInformation>;

const amounts = { subTotal: Money, totalDiscounts: Money, totalShipping: Money, totalTax: Money, totalPrice: Money };

/**
 * The order of an application.
 *
 * `items` is empty for an order with a custom total. Otherwise `subTotal` is the sum of unit prices and `totalTax` the sum of
 * unit taxes, each times the quantity. `totalPrice` is `subTotal + totalShipping + totalTax - totalDiscounts`, and positive.
 *
 * @see server/docs/platform-api.md.
 */
export const Order = refine(
  object({
    ...amounts,
    items: array(OrderItem),
    discountCode: optional(string()),
    pickupInformation: optional(PickupInformation),
  }),
  'sums',
  ({ subTotal, totalDiscounts, totalShipping, totalTax, totalPrice, items }) => {
    const sum = subTotal.value + totalShipping.value + totalTax.value - totalDiscounts.value;
    const sumOf = (field: 'unitPrice' | 'unitTax') => items.reduce((total, item) => total + item[field].value * item.quantity, 0);
    if (totalPrice.value <= 0 || totalPrice.value !== sum)
      return `Expected totalPrice to be positive and equal to subTotal + totalShipping + totalTax - totalDiscounts, ${sum}, but received ${totalPrice.value}`;
    if (items.length === 0) return true;
    if (subTotal.value !== sumOf('unitPrice'))
      return `Expected subTotal to equal the sum of unitPrice × quantity, ${sumOf('unitPrice')}, but received ${subTotal.value}`;
    return (
      totalTax.value === sumOf('unitTax') ||
      `Expected totalTax to equal the sum of unitTax × quantity, ${sumOf('unitTax')}, but received ${totalTax.value}`
    );
  },
);
export type Order = Infer<typeof Order>;
