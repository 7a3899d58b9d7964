import { LRUCache } from 'lru-cache';
import { v5 } from 'uuid';
import { aprFraction } from '../../../shared/as-low-as.ts';
import type { Plan } from '../../../shared/plans.ts';
import type { Offer } from '../../../shared/wire/application.ts';
import type { StoredOffer } from '../../db/schema.ts';

/**
 * Ids of offers and products. Deriving one takes 8 µs: without this, they are a fifth of the time of a page of applications, whose products
 * are the same, and whose agreements have one of the offers.
 */
const ids = new LRUCache<string, string>({ max: 5_000 });

/**
 * Returns an offer as the platform API presents it. The ids are derived, so that stored offers and their hashes do not change: that of the
 * offer from the application and the plan, and that of the payment product from the program and the plan.
 */
export function presentOffer({ id: planID, ...offer }: StoredOffer, applicationId: string): Offer {
  return {
    id: idWithin(applicationId, planID),
    planID,
    ...offer,
    // What this offer finances, not the limit of the buyer.
    capacity: offer.amountFinanced,
    paymentProduct: { id: idWithin(offer.programID, planID), type: 'INSTALLMENTS' },
  };
}

/** Returns the UUID, version 5, of a plan within an application or a program. */
function idWithin(namespaceId: string, planID: string): string {
  const name = `${namespaceId}/${planID}`;
  const known = ids.get(name);
  if (known !== undefined) return known;
  const id = v5(planID, namespaceId);
  ids.set(name, id);
  return id;
}

/**
 * Returns a plan as applications store it, without a card portion. The platform API derives its ids from it (decisions/0030).
 *
 * @param under.programId - The platform API's `programID`.
 * @param under.currency - ISO 4217 code.
 */
export function offerOf(plan: Plan, { programId, currency }: { programId: string; currency: string }): StoredOffer {
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
