import { cancelled } from '../applications/expiry.ts';
import { isOpenApplication } from '../applications/lifecycle.ts';
import { saveApplication } from '../applications/store.ts';
import type { Database } from '../db/database.ts';
import type { Instant } from '../time.ts';
import { getSession } from './session.ts';

/**
 * Ends an application because the buyer wants it no more. One that is over, or signed, stays as it is.
 *
 * @throws ServiceError `cart-not-found`
 */
export async function cancelApplication(database: Database, code: string, now: Instant): Promise<void> {
  await database.write(async (tx) => {
    const { application, reached } = await getSession(tx, code, now);
    if (!application || reached === 'expired' || !isOpenApplication(application)) return;
    await saveApplication(tx, cancelled(application, 'by-buyer', now));
  });
}
