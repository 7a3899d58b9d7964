import type { Application } from '../../../shared/wire/application.ts';
import { presentAgreements } from '../../agreements/agreement.ts';
import { findShipping } from '../../purchases/carts/totals.ts';
import { toPlatformContact } from '../../base/contact.ts';
import { statusAt } from '../../lending/applications/expiry.ts';
import { presentOffer } from '../../lending/applications/offers.ts';
import type { Instant } from '../../base/time.ts';
import { orderOf } from './order.ts';
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
