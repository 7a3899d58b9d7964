import { cancelled } from '../../applications/expiry.ts';
import { isOpenApplication } from '../../applications/lifecycle.ts';
import { saveApplication } from '../../applications/store.ts';
import type { Database } from '../../db/database.ts';
import type { Instant } from '../../time.ts';
import { lockShownSession, type Shown } from './load.ts';
import type { Session, StartedSession } from './session.ts';

/**
 * Ends an application because the buyer wants it no more. One that is over, or signed, stays as it is.
 *
 * @throws ServiceError `cart-closed` - the checkout continues in another browser.
 */
export async function cancelApplication(database: Database, shown: Shown, now: Instant): Promise<void> {
  await database.write(async (tx) => {
    const session = await lockShownSession(tx, shown, now);
    if (isCancellable(session)) await saveApplication(tx, cancelled(session.application, 'by-buyer', now));
  });
}

/** Whether there is an application that the buyer can turn away from. */
export function isCancellable(session: Session): session is StartedSession {
  const { application, reached } = session;
  return application !== undefined && reached !== 'expired' && isOpenApplication(application);
}
