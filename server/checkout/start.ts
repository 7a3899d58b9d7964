import type { Language } from '../../shared/disclosure/texts.ts';
import { addressHashOf, type BuyerContact } from '../applications/contact.ts';
import { undecidedUntil } from '../applications/expiry.ts';
import { statusAfter } from '../applications/lifecycle.ts';
import { addApplication, saveApplication } from '../applications/store.ts';
import { sheetOf } from '../as-low-as/parsed.ts';
import { newId } from '../ids.ts';
import type { Instant } from '../time.ts';
import { NOT_ASKED } from './decide.ts';
import { lockSessionAt } from './load-session.ts';
import type { CheckoutMeans } from './means.ts';
import { orderOf } from './order.ts';
import { plansAt } from './prices.ts';
import { purchaseOf } from './purchase.ts';

/** What a buyer says of themselves before a lender is asked. */
export interface BuyerDetails {
  billing: BuyerContact;
  shipping: BuyerContact;
  /** The chosen shipping option, when the cart has any. */
  shippingTypeId: string | undefined;
  language: Language;
}

/**
 * Starts the cart's application, or changes the details of one that nobody has decided yet. Where nothing is sold to residents
 * of the buyer's state it is INELIGIBLE, until they name another.
 *
 * @throws ServiceError `cart-closed` - the checkout is not, or no longer, at this step.
 */
export async function startApplication(
  { database }: Pick<CheckoutMeans, 'database'>,
  code: string,
  details: BuyerDetails,
  now: Instant,
): Promise<void> {
  const [applicationId, ownBuyerId] = [newId(), newId()];
  const addressHash = await addressHashOf(details.billing);
  await database.write(async (tx) => {
    const session = await lockSessionAt(tx, code, 'details', now);
    const { application, merchant, cart, program } = session;
    const { options } = session.purchase;
    const purchase = purchaseOf(options, details.shippingTypeId);
    const prices = { ...session.prices, sheet: sheetOf(program, details.billing.state) };
    const isSold = plansAt(prices, purchase.totals.totalCents).length > 0;
    const before = application?.status ?? 'STARTED';
    const chosen = {
      ...(isSold ? statusAfter('restart', before) : statusAfter('ruleOut', before, 'no-plan-in-state')),
      billing_contact_json: JSON.stringify(details.billing),
      shipping_contact_json: JSON.stringify(details.shipping),
      normalized_address_hash: addressHash,
      shipping_type_id: purchase.shipping?.typeId ?? null,
      order_json: JSON.stringify(orderOf(purchase, program.currency)),
      language: details.language,
      updated_at: now,
    };
    if (application) {
      await saveApplication(tx, { ...application, ...NOT_ASKED, ...chosen });
      return;
    }
    await addApplication(tx, {
      id: applicationId,
      tenant_id: merchant.tenant_id,
      merchant_id: merchant.id,
      buyer_id: options.buyerId ?? ownBuyerId,
      program_id: cart.program_id,
      cart_id: cart.id,
      tier_id: null,
      offer_id: null,
      financed_cents: null,
      card_reference: '',
      card_label: '',
      denial_reasons_json: '[]',
      totals_json: '{}',
      metadata_json: JSON.stringify(options.metadata ?? {}),
      payment_method_id: null,
      offers_json: '[]',
      payment_agreements_json: '[]',
      shown_agreements_json: '[]',
      notice_code: '',
      created_at: now,
      expires_at: undecidedUntil(cart),
      revision: 1,
      ...NOT_ASKED,
      ...chosen,
    });
  });
}
