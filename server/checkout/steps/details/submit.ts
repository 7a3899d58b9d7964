import type { Language } from '../../../../shared/disclosure/texts.ts';
import type { ApplicationStatus } from '../../../../shared/wire/application.ts';
import { addressHashOf, type BuyerContact } from '../../../applications/contact.ts';
import { superseded, undecidedUntil } from '../../../applications/expiry.ts';
import { statusAfter } from '../../../applications/lifecycle.ts';
import { addApplication, type ApplicationRow, saveApplication } from '../../../applications/store.ts';
import { sheetOf } from '../../../as-low-as/parsed.ts';
import { ServiceError } from '../../../errors.ts';
import { newId } from '../../../ids.ts';
import type { Instant } from '../../../time.ts';
import { NOT_ASKED } from '../../decision/decide.ts';
import { lockLinkSession, lockSessionAt, type Shown } from '../../session/load.ts';
import type { CheckoutMeans } from '../../deps.ts';
import { orderOf } from '../../session/order.ts';
import { plansAt } from '../../session/prices.ts';
import { purchaseOf } from '../../session/purchase.ts';
import type { Session } from '../../session/session.ts';

/** What a buyer says of themselves before a lender is asked. */
export interface BuyerDetails {
  billing: BuyerContact;
  shipping: BuyerContact;
  /** The chosen shipping option, when the cart has any. */
  shippingTypeId: string | undefined;
  language: Language;
}

/** Whose the checkout is from here on. */
export interface Start {
  /** Hash of the secret that only the answer to this form names; empty when no browser takes part. */
  sessionHash?: string;
  /** Whether the application takes the place of one that was started elsewhere and is not signed. */
  isRestart?: boolean;
}

/**
 * Starts an application for a cart. Where nothing is sold to residents of the buyer's state it is INELIGIBLE, until they name
 * another.
 *
 * An application that is replaced ends in the same database transaction. A lender that is still deciding about it is not waited for,
 * and its answer is dropped.
 *
 * @returns The application.
 * @throws ServiceError `cart-not-found`, `cart-closed` - there is an application already, a replaced one is signed, or the cart's
 *   link has expired.
 */
export async function startApplication(
  { database }: Pick<CheckoutMeans, 'database'>,
  code: string,
  details: BuyerDetails,
  now: Instant,
  { sessionHash = '', isRestart = false }: Start = {},
): Promise<ApplicationRow> {
  const [applicationId, ownBuyerId] = [newId(), newId()];
  const chosenAt = await detailsRow(details, now);
  return database.write(async (tx) => {
    const { session, current } = await lockLinkSession(tx, code, now);
    const { merchant, cart } = session;
    const { options } = session.purchase;
    if (session.reached !== (isRestart ? 'in-progress' : 'details')) {
      throw new ServiceError('cart-closed', `This checkout is at the step "${session.reached}".`);
    }
    if (current) await saveApplication(tx, superseded(current, now));
    const added: ApplicationRow = {
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
      session_hash: sessionHash,
      superseded_at: null,
      created_at: now,
      expires_at: undecidedUntil(cart),
      revision: 1,
      ...NOT_ASKED,
      ...chosenAt(session, 'STARTED'),
    };
    await addApplication(tx, added);
    return added;
  });
}

/**
 * Changes the details of an application that no lender has decided about.
 *
 * @param sessionHash - Of the secret that the checkout continues under.
 * @throws ServiceError `cart-closed` - the checkout is not, or no longer, at this step, or continues in another browser.
 */
export async function changeDetails(
  { database }: Pick<CheckoutMeans, 'database'>,
  shown: Shown,
  details: BuyerDetails,
  sessionHash: string,
  now: Instant,
): Promise<void> {
  const chosenAt = await detailsRow(details, now);
  await database.write(async (tx) => {
    const session = await lockSessionAt(tx, shown, 'details', now);
    const { application } = session;
    await saveApplication(tx, {
      ...application,
      ...NOT_ASKED,
      ...chosenAt(session, application.status),
      session_hash: sessionHash,
    });
  });
}

/** The columns that follow from the details, for an application of a given status. */
async function detailsRow(details: BuyerDetails, now: Instant) {
  const addressHash = await addressHashOf(details.billing);
  return ({ program, purchase: { options }, prices }: Session, status: ApplicationStatus) => {
    const purchase = purchaseOf(options, details.shippingTypeId);
    const inState = { ...prices, sheet: sheetOf(program, details.billing.state) };
    const isSold = plansAt(inState, purchase.totals.totalCents).length > 0;
    return {
      ...(isSold ? statusAfter('restart', status) : statusAfter('ruleOut', status, 'no-plan-in-state')),
      billing_contact_json: JSON.stringify(details.billing),
      shipping_contact_json: JSON.stringify(details.shipping),
      normalized_address_hash: addressHash,
      shipping_type_id: purchase.shipping?.typeId ?? null,
      order_json: JSON.stringify(orderOf(purchase, program.currency)),
      language: details.language,
      updated_at: now,
    };
  };
}
