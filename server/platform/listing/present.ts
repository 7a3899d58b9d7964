import type { Order, OrderItem } from '../../../shared/wire/order.ts';
import type { CartItem, CartOptions, ShippingOption } from '../../../shared/wire/cart.ts';
import { allocate } from '../../../shared/allocate.ts';
import type { Application } from '../../../shared/wire/application.ts';
import { presentAgreements } from '../../agreements/agreement.ts';
import { findShipping, cartTotals } from '../../purchases/carts/totals.ts';
import { toPlatformContact } from '../../base/contact.ts';
import { statusAt } from '../../lending/applications/expiry.ts';
import { presentOffer } from '../../lending/applications/offers.ts';
import type { Instant } from '../../base/time.ts';
import { visibleCode } from './status-codes.ts';
import type { ListedApplication } from './store.ts';

/** Presents an application in the platform API, with its status at `now`. */
export function presentApplication(row: ListedApplication, withMetadata: boolean, now: Instant): Application {
  const { status, statusCode } = statusAt(row, now);
  return {
    id: row.id,
    buyerID: row.buyerId,
    tenantID: row.tenantId,
    merchantID: row.merchantId,
    programID: row.programId,
    ...(row.paymentMethodId !== null && { paymentMethodID: row.paymentMethodId }),
    cartID: row.cartId,
    ...(row.options.orderRef !== undefined && { orderRef: row.options.orderRef }),
    ...(status === 'CHECKOUT_COMPLETED' && row.transactionId !== null && { transactionID: row.transactionId }),
    status,
    statusCode: visibleCode(statusCode),
    // A merchant gets the buyer's contact details with the purchase, as the pages state (decisions/0043).
    ...(status === 'CHECKOUT_COMPLETED' && {
      billingContact: toPlatformContact(row.billingContact),
      shippingContact: toPlatformContact(row.shippingContact),
    }),
    order: orderOf(row.options, findShipping(row.options, row.shippingTypeId), row.currency),
    offers: row.offers.map((offer) => presentOffer(offer, row.id)),
    paymentAgreements: presentAgreements(row),
    ...(withMetadata && { metadata: row.metadata }),
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    expiresAt: row.expiresAt,
  };
}

/**
 * Returns the order of a cart with a shipping option, as the platform API presents it.
 *
 * A cart has one tax: it is allocated to the items by their price, and an item whose share is not divisible by its quantity becomes two
 * items that differ by one cent of unit tax. If the items do not add up to a custom total, the order has no items. Its tax and its shipping
 * are at most what the custom total leaves for them, so that it has no discount that the cart does not have (decisions/0030).
 *
 * @param options - Their total with the shipping option is above 0.
 * @param currency - ISO 4217 code of every amount.
 * @see server/docs/platform-api.md, "Read every page".
 */
export function orderOf(options: CartOptions, shipping: ShippingOption | undefined, currency: string): Order {
  const { items = [], customTotal } = options;
  const totals = cartTotals(options, shipping);
  const { itemsCents, discountsCents, shippingCents, totalCents } = totals;
  const taxCents = totals.taxCents ?? 0;
  const money = (value: number) => ({ currency, value });
  const isSum = itemsCents + shippingCents + taxCents - discountsCents === totalCents;

  if (items.length === 0 || (customTotal !== undefined && !isSum)) {
    const statedTaxCents = Math.min(taxCents, totalCents + discountsCents);
    const statedDiscountsCents = Math.max(0, statedTaxCents - totalCents);
    const beforeShippingCents = totalCents + statedDiscountsCents - statedTaxCents;
    const statedShippingCents = Math.min(shippingCents, beforeShippingCents);
    return {
      subTotal: money(beforeShippingCents - statedShippingCents),
      totalDiscounts: money(statedDiscountsCents),
      totalShipping: money(statedShippingCents),
      totalTax: money(statedTaxCents),
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
  const shared = { name, sku, unitPrice: money(price), shippingCost: money(0), imageUrl, detailUrl, itemUrl: detailUrl };
  const units = (count: number, unitTax: number): OrderItem[] =>
    count === 0 ? [] : [{ ...shared, quantity: count, unitTax: money(unitTax) }];
  return [...units(quantity - unitsWithExtraCent, unitTaxCents), ...units(unitsWithExtraCent, unitTaxCents + 1)];
}
