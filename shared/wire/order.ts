import { array, type Infer, object, string } from 'superstruct';
import { optional, ruled, whole } from './bricks.ts';
import { line } from './fields.ts';
import { PersonName, PlatformAddress } from './platform-contact.ts';
import { Money } from './platform-money.ts';

/** An article of an order: `quantity` of it at `unitPrice` each, and `unitTax` on each. */
export const OrderItem = object({
  name: string(),
  sku: string(),
  quantity: whole(1),
  unitPrice: Money,
  unitTax: Money,
  imageUrl: string(),
  detailUrl: string(),
});
export type OrderItem = Infer<typeof OrderItem>;

/** Who fetches an order, and where. */
export const PickupInformation = object({ name: PersonName, address: PlatformAddress, phone: optional(line(20, 1)) });
export type PickupInformation = Infer<typeof PickupInformation>;

const amounts = { subTotal: Money, totalDiscounts: Money, totalShipping: Money, totalTax: Money, totalPrice: Money };

/**
 * What the buyer wants to purchase.
 *
 * `items` is empty for an order that was priced as a whole. Otherwise `subTotal` is the sum of unit prices, and `totalTax` that of
 * unit taxes, each times its quantity. `totalPrice` is `subTotal + totalShipping + totalTax - totalDiscounts`, and more than 0.
 *
 * @see Interface, "Order rules".
 */
export const Order = ruled(
  object({
    ...amounts,
    items: array(OrderItem),
    discountCode: optional(string()),
    pickupInformation: optional(PickupInformation),
  }),
  'sums',
  ({ subTotal, totalDiscounts, totalShipping, totalTax, totalPrice, items }) => {
    const sum = subTotal.value + totalShipping.value + totalTax.value - totalDiscounts.value;
    const sumOf = (of: 'unitPrice' | 'unitTax') => items.reduce((all, item) => all + item[of].value * item.quantity, 0);
    if (totalPrice.value <= 0 || totalPrice.value !== sum) return `Expected a totalPrice above 0 that is the sum, ${sum}`;
    if (items.length === 0) return true;
    if (subTotal.value !== sumOf('unitPrice')) return `Expected a subTotal that is the sum of the items, ${sumOf('unitPrice')}`;
    return totalTax.value === sumOf('unitTax') || `Expected a totalTax that is the sum of the items, ${sumOf('unitTax')}`;
  },
);
export type Order = Infer<typeof Order>;
