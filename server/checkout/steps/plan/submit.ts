import { statusAfter } from '../../../applications/lifecycle.ts';
import { type ApplicationRow, saveApplication } from '../../../applications/store.ts';
import type { CardOnFile } from '../../../cards/gateway.ts';
import type { Database } from '../../../db/database.ts';
import { ServiceError } from '../../../errors.ts';
import { newId } from '../../../ids.ts';
import type { Instant } from '../../../time.ts';
import { lockSessionAt, type Shown } from '../../session/load.ts';

/**
 * Saves the plan that the buyer chose; until it is signed, another may be chosen. A buyer who pays a part by card is asked for the
 * card next.
 *
 * @returns The application.
 * @throws ServiceError `cart-closed`, or `invalid-request` - the buyer was not approved for such an offer.
 */
export function choosePlan(database: Database, shown: Shown, offerId: string, now: Instant): Promise<ApplicationRow> {
  return database.write(async (tx) => {
    const { plans, application, parts } = await lockSessionAt(tx, shown, 'plans', now);
    if (!plans.some((plan) => plan.offerId === offerId)) {
      throw new ServiceError('invalid-request', 'Expected one of the plans the buyer was approved for.');
    }
    const isReady = parts.cardCents === 0 || application.card_reference !== '';
    return saveApplication(tx, { ...application, ...chosen(application, isReady), offer_id: offerId, updated_at: now });
  });
}

/**
 * Notes the card that pays what is not lent; until the agreement is signed, another may be named.
 *
 * @throws ServiceError `cart-closed`
 */
export async function noteCard(database: Database, shown: Shown, card: CardOnFile, now: Instant): Promise<void> {
  const paymentMethodId = newId();
  await database.write(async (tx) => {
    const { application } = await lockSessionAt(tx, shown, 'card', now);
    await saveApplication(tx, {
      ...application,
      ...chosen(application, true),
      card_reference: card.reference,
      card_label: card.label,
      payment_method_id: paymentMethodId,
      updated_at: now,
    });
  });
}

function chosen({ status }: ApplicationRow, isReady: boolean) {
  if (status === 'CHECKOUT_EXTENDED') return statusAfter('prepareAgain', status);
  return isReady ? statusAfter('prepare', status) : statusAfter('attemptPrepare', status);
}
