import type { CivilDate } from '../../../shared/dates.ts';
import { type Plan, plansFor } from '../../../shared/plans.ts';
import type { RateSheet } from '../../../shared/programs/rate-sheet.ts';
import type { CartOptions, ShippingOption } from '../../../shared/wire/cart.ts';
import { type BuyerContact, fromCart } from '../../applications/contact.ts';
import { type CartTotals, cartTotals, findShipping } from '../../carts/totals.ts';

/** A cart with the chosen shipping option and its totals. */
export interface Purchase {
  options: CartOptions;
  /** Undefined if the cart has no options, or the buyer has not picked one yet. */
  shipping: ShippingOption | undefined;
  totals: CartTotals;
}

/** @param shippingTypeId - `typeId` of the picked option. */
export function purchaseOf(options: CartOptions, shippingTypeId: string | null | undefined): Purchase {
  const shipping = findShipping(options, shippingTypeId);
  return { options, shipping, totals: cartTotals(options, shipping) };
}

/** Rates and day for which plans are calculated. */
export interface Pricing {
  /** Rate sheet for the buyer's state; for all states before it is known. */
  sheet: RateSheet;
  /** Day of the approval, so that its plans do not change; today, in the program's time zone, if there is no approval. */
  pricedOn: CivilDate;
}

/** Returns the pricing for a covered borrower, whose loans are always limited to a military APR of 36 %: 10 USC 987(b). */
export function forCoveredBorrower(pricing: Pricing): Pricing {
  const { caps } = pricing.sheet;
  if (caps.maprCapBps !== null) return pricing;
  return { ...pricing, sheet: { ...pricing.sheet, caps: { ...caps, maprCapBps: 3_600 } } };
}

/**
 * Returns the plans for an amount, the lowest monthly payment first.
 *
 * @param tierId - The tier that the buyer was approved for; if omitted, plans of all tiers.
 */
export function plansAt({ sheet, pricedOn }: Pricing, amountCents: number, tierId?: string | null): Plan[] {
  return plansFor(sheet, amountCents, pricedOn).filter((plan) => !tierId || plan.tierId === tierId);
}

/** Returns true if the purchase has a shipping address. */
export function needsShipping({ requireShippingContact, shippingContact, shippingOptions = [] }: CartOptions): boolean {
  return (requireShippingContact ?? false) || shippingContact !== undefined || shippingOptions.length > 0;
}

/** Returns true if the buyer can enter a shipping address: the purchase has one, and the merchant has not fixed it. */
export function canEditShippingAddress(options: CartOptions): boolean {
  return needsShipping(options) && !fixedShipping(options);
}

/** Returns the shipping address that the merchant fixed and hides, or undefined. If it lacks a ZIP code, the buyer enters it. */
export function fixedShipping({ disableEditShipping, shippingContact }: CartOptions): BuyerContact | undefined {
  return disableEditShipping && shippingContact ? fromCart(shippingContact) : undefined;
}
