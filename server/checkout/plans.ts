import { statusAfter } from '../applications/lifecycle.ts';
import { saveApplication } from '../applications/store.ts';
import type { Database } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import type { Instant } from '../time.ts';
import { plansOf, sessionAt } from './session.ts';

/**
 * Notes the plan the buyer wants; until it is signed, another may be chosen.
 *
 * @throws ServiceError `cart-closed`, or `invalid-request` - the buyer was not approved for such an offer.
 */
export async function choosePlan(database: Database, code: string, offerId: string, now: Instant): Promise<void> {
  await database.write(async (tx) => {
    const session = await sessionAt(tx, code, 'plans', now);
    if (!plansOf(session).some((plan) => plan.offerId === offerId)) {
      throw new ServiceError('invalid-request', 'Expected one of the plans the buyer was approved for.');
    }
    const application = session.application!;
    await saveApplication(tx, {
      ...application,
      ...statusAfter('prepare', application.status),
      offer_id: offerId,
      updated_at: now,
    });
  });
}
