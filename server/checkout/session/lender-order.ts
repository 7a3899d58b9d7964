import type { LenderMerchant, LenderOrder } from '../../lending/lenders/lender.ts';
import { needsShipping } from '../../purchases/carts/totals.ts';
import type { Application } from '../../lending/applications/store.ts';
import type { Session } from './session.ts';

/** The parts of a checkout that a lender receives. */
export type LenderFacts = Pick<Session, 'merchant' | 'purchase'> & { application: Application };

/** Returns the merchant and the order of a checkout, as lenders receive them. */
export function lenderOrder({ merchant, purchase, application }: LenderFacts): {
  merchant: LenderMerchant;
  order: LenderOrder;
} {
  const { options, totals } = purchase;
  const { firstName, lastName, address, address2, city, state, zip } = application.shippingContact;
  return {
    merchant: { id: merchant.id, name: merchant.name, category: merchant.category },
    order: {
      reference: options.orderRef ?? '',
      totalCents: totals.totalCents,
      shippingCents: totals.shippingCents,
      taxCents: totals.taxCents,
      lines: (options.items ?? []).map(({ sku, name = '', quantity, price }) => ({ sku, name, quantity, priceCents: price })),
      shippingAddress: needsShipping(options) ? { firstName, lastName, address, address2, city, state, zip } : null,
    },
  };
}
