import type { Database } from '../../server/db/database.ts';
import { addApplication, type ApplicationRow } from '../../server/applications/store.ts';
import { addCart, type CartRow } from '../../server/carts/store.ts';
import { newId } from '../../server/ids.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { requireMerchant } from '../../server/merchants/store.ts';
import type { Instant } from '../../server/time.ts';
import { addTransaction, type TransactionRow } from '../../server/transactions/store.ts';

interface References {
  id: string;
  tenantId: string;
  merchantId: string;
  programId: string;
  at: Instant;
}

/** Returns the row of an empty cart that a purchase can refer to. */
export function cartRow({ id, merchantId, programId, at }: References): CartRow {
  return {
    id,
    merchant_id: merchantId,
    code: id,
    status: 'OPEN',
    created_by: '',
    expires_on: '2030-01-01',
    program_id: programId,
    options: { customTotal: 5_000, disableEditShipping: false, requireShippingContact: false },
    transaction_id: null,
    contacts_deleted_at: null,
    submissions: 1,
    created_at: at,
  };
}

/** Returns the row of an application that a purchase can refer to. */
export function applicationRow({ id, tenantId, merchantId, programId, at }: References): ApplicationRow {
  return {
    id,
    tenant_id: tenantId,
    merchant_id: merchantId,
    buyer_id: 'b',
    program_id: programId,
    cart_id: id,
    status: 'CHECKOUT_COMPLETED',
    status_code: '000000',
    language: 'en',
    request_id: null,
    request_leased_until: null,
    financed_cents: null,
    card_reference: '',
    card_label: '',
    decision_json: 'null',
    is_covered_borrower: false,
    program_version: 1,
    approved_on: '2026-11-21',
    tier_id: 'A',
    offer_id: null,
    billing_contact_json: '{}',
    shipping_contact_json: '{}',
    shipping_type_id: null,
    currency: 'USD',
    metadata_json: '{}',
    consents_json: '[]',
    codes_json: '{}',
    normalized_address_hash: '',
    payment_method_id: null,
    offers_json: '[]',
    payment_agreements_json: '[]',
    shown_agreements_json: '[]',
    session_hash: '',
    superseded_at: null,
    card_return_hash: '',
    returned_at: null,
    details_deleted_at: null,
    created_at: at,
    updated_at: at,
    expires_at: at,
    revision: 1,
  };
}

/** Creates a merchant whose purchases are inserted into the database without a checkout, which is faster. */
export async function createBuyer(database: Database, at: Instant) {
  const newMerchant = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
  const { merchantId } = await createMerchant(database, 'sandbox', newMerchant, at);
  const { tenant_id: tenantId, default_program_id: programId } = await requireMerchant(database.query, merchantId);

  return {
    merchantId,
    /** Creates a PENDING transaction of $50.00 without lines. Arguments override the defaults. */
    createPurchase: async (purchase: Partial<TransactionRow> = {}): Promise<string> => {
      const total = purchase.total_cents ?? 5_000;
      const id = newId();
      const row: TransactionRow = {
        id,
        merchant_id: merchantId,
        cart_id: id,
        application_id: id,
        status: 'PENDING',
        status_since: purchase.created_at ?? at,
        order_ref: '',
        merchant_order_id: '',
        total_cents: total,
        adjusted_total_cents: total,
        canceled_cents: 0,
        refunded_cents: 0,
        adjusted_quantities_json: '[]',
        tax_cents: null,
        shipping_cents: 0,
        shipping_method_code: '',
        shipping_method_name: '',
        tracking_number: '',
        carrier_name: '',
        card_cents: 0,
        card_reference: '',
        card_label: '',
        line_items_json: '[]',
        line_items_cents: Math.max(0, total - (purchase.shipping_cents ?? 0)),
        discounts_json: '[]',
        contacts_deleted_at: null,
        billing_contact_json: '{}',
        shipping_contact_json: '{}',
        created_at: at,
        updated_at: at,
        revision: 1,
        ...purchase,
      };
      await database.write(async (tx) => {
        const references = { id, tenantId, merchantId, programId, at };
        await addCart(tx, cartRow(references));
        await addApplication(tx, applicationRow(references));
        await addTransaction(tx, row);
      });
      return id;
    },
  };
}
