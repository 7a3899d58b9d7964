import { LRUCache } from 'lru-cache';
import { v5 } from 'uuid';
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
