import type { Application } from '../../shared/wire/application.ts';
import type { PlatformContact } from '../../shared/wire/order.ts';
import { findShipping } from '../carts/totals.ts';
import { type BuyerContact, toPlatformContact } from '../applications/contact.ts';
import { orderOf } from './order.ts';
import type { Scope } from './scope.ts';
import { visibleCode } from './status-codes.ts';
import type { ListedRow } from './store.ts';

/** Presents an application in the platform API. */
export function presentApplication(row: ListedRow, scope: Scope, withMetadata: boolean): Application {
  return {
    id: row.id,
    buyerID: row.buyer_id,
    tenantID: row.tenant_id,
    merchantID: row.merchant_id,
    programID: row.program_id,
    ...(row.payment_method_id !== null && { paymentMethodID: row.payment_method_id }),
    cartID: row.cart_id,
    status: row.status,
    statusCode: visibleCode(row.status_code, scope),
    // A merchant gets the buyer's contact details with the purchase, as the pages state (decisions/0043).
    ...(row.status === 'CHECKOUT_COMPLETED' && {
      ...contact('billingContact', row.billing_contact_json),
      ...contact('shippingContact', row.shipping_contact_json),
    }),
    order: orderOf(row.options, findShipping(row.options, row.shipping_type_id), row.currency),
    offers: JSON.parse(row.offers_json) as Application['offers'],
    paymentAgreements: JSON.parse(row.shown_agreements_json) as Application['paymentAgreements'],
    ...(withMetadata && { metadata: JSON.parse(row.metadata_json) as Record<string, string> }),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  };
}

function contact<Name extends string>(name: Name, json: string): { [Key in Name]?: PlatformContact } {
  const presented = toPlatformContact(JSON.parse(json) as BuyerContact);
  return (presented ? { [name]: presented } : {}) as { [Key in Name]?: PlatformContact };
}
