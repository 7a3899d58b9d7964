import { allocate } from '../../../shared/allocate.ts';
import { aprFraction } from '../../../shared/as-low-as.ts';
import type { Plan } from '../../../shared/plans.ts';
import type { Offer } from '../../../shared/wire/application.ts';
import type { CartItem } from '../../../shared/wire/cart.ts';
import type { Order, OrderItem } from '../../../shared/wire/order.ts';
import type { Purchase } from './purchase.ts';

/**
 * Returns the order of a purchase as the platform API presents it.
 *
 * A cart has one tax: it is allocated to the items by their price, and an item whose share is not divisible by its quantity becomes two
 * items that differ by one cent of unit tax. If the items do not add up to the total, the order has no items, and the same shipping and
 * tax as the transaction (decisions/0030).
 *
 * @param purchase - With the chosen shipping option. Its `totalCents` is above 0.
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

/** Returns an item with its share of the tax: as two items when the share is not divisible by the quantity. */
function taxed(item: CartItem, shareCents: number, money: (value: number) => OrderItem['unitTax']): OrderItem[] {
  const { name = '', sku, price, quantity, imageUrl, detailUrl } = item;
  const unitTaxCents = Math.floor(shareCents / quantity);
  const unitsWithExtraCent = shareCents % quantity;
  const units = (count: number, unitTax: number): OrderItem[] =>
    count === 0 ? [] : [{ name, sku, quantity: count, unitPrice: money(price), unitTax: money(unitTax), imageUrl, detailUrl }];
  return [...units(quantity - unitsWithExtraCent, unitTaxCents), ...units(unitsWithExtraCent, unitTaxCents + 1)];
}

export interface OfferedUnder {
  /** The platform API's `programID`. */
  programId: string;
  /** ISO 4217 code. */
  currency: string;
}

/** Returns a plan as the platform API presents it, without a card portion. Applications store it in this form (decisions/0030). */
export function presentOffer(plan: Plan, { programId, currency }: OfferedUnder): Offer {
  const { offerId, termLength, aprBps, financing, schedule, financeChargeCents } = plan;
  const money = (value: number) => ({ currency, value });
  return {
    id: offerId,
    programID: programId,
    termLength,
    termInterval: 'Month',
    apr: aprFraction(aprBps),
    monthly: money(schedule.levelPaymentCents),
    amountFinanced: money(financing.amountFinancedCents),
    totalOfPayments: money(schedule.totalOfPaymentsCents),
    financeCharge: money(financeChargeCents),
  };
}
