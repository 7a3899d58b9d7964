import { allocate } from '../../../shared/allocate.ts';
import type { CartItem } from '../../../shared/wire/cart.ts';
import type { Order, OrderItem } from '../../../shared/wire/order.ts';
import type { Purchase } from './purchase.ts';

/**
 * What a buyer wants to purchase, as the platform API answers it.
 *
 * A cart has one tax for all of it: the lines share it by what they cost, and a line whose share does not divide by its quantity is
 * told in two, which differ by a cent of tax on each piece. A total that the articles do not add up to is an order of one price,
 * without articles, with the same shipping and tax as the transaction (decisions/0030).
 *
 * @param purchase - With the shipping that was chosen. Its `totalCents` is above 0.
 * @param currency - ISO 4217 code of every amount.
 * @see Interface, "Order rules".
 */
export function orderOf({ options, totals }: Pick<Purchase, 'options' | 'totals'>, currency: string): Order {
  const { items = [], customTotal } = options;
  const { itemsCents, discountsCents, shippingCents, totalCents } = totals;
  const taxCents = totals.taxCents ?? 0;
  const money = (value: number) => ({ currency, value });
  const isSum = itemsCents + shippingCents + taxCents - discountsCents === totalCents;

  if (items.length === 0 || (customTotal !== undefined && !isSum)) {
    const goodsCents = totalCents - shippingCents - taxCents;
    return {
      subTotal: money(Math.max(0, goodsCents)),
      totalDiscounts: money(Math.max(0, -goodsCents)),
      totalShipping: money(shippingCents),
      totalTax: money(taxCents),
      totalPrice: money(totalCents),
      items: [],
    };
  }
  const taxes = allocate(
    taxCents,
    items.map(({ price, quantity }) => price * quantity),
  );
  return {
    subTotal: money(itemsCents),
    totalDiscounts: money(discountsCents),
    totalShipping: money(shippingCents),
    totalTax: money(taxCents),
    totalPrice: money(totalCents),
    items: items.flatMap((item, index) => taxed(item, taxes[index]!, money)),
  };
}

/** An article with its share of the tax on it, told in two where the pieces cannot all bear the same. */
function taxed(item: CartItem, shareCents: number, money: (value: number) => OrderItem['unitTax']): OrderItem[] {
  const { name = '', sku, price, quantity, imageUrl, detailUrl } = item;
  const least = Math.floor(shareCents / quantity);
  const dearer = shareCents % quantity;
  const pieces = (count: number, unitTaxCents: number): OrderItem[] =>
    count === 0
      ? []
      : [{ name, sku, quantity: count, unitPrice: money(price), unitTax: money(unitTaxCents), imageUrl, detailUrl }];
  return [...pieces(quantity - dearer, least), ...pieces(dearer, least + 1)];
}
