import { extendedTo } from '../../applications/expiry.ts';
import { statusAfter } from '../../applications/lifecycle.ts';
import { saveApplication } from '../../applications/store.ts';
import type { Instant } from '../../time.ts';
import { lockShownSession, type Shown } from './load.ts';
import type { CheckoutMeans } from '../deps.ts';
import type { Session } from './session.ts';

/**
 * Keeps an approval for some more days, once, shortly before it ends. When it cannot be kept it stays as it is.
 *
 * @throws ServiceError `cart-closed` - the checkout continues in another browser.
 */
export async function extendApproval(
  { database, approvals }: Pick<CheckoutMeans, 'database' | 'approvals'>,
  shown: Shown,
  now: Instant,
): Promise<void> {
  await database.write(async (tx) => {
    const session = await lockShownSession(tx, shown, now);
    const until = keepableUntil(session, approvals, now);
    const { application } = session;
    if (!until) return;
    await saveApplication(tx, {
      ...application,
      ...statusAfter('extend', application.status),
      expires_at: until,
      updated_at: now,
    });
  });
}

/** Until when the buyer may keep the approval they have; undefined when they may not. */
export function keepableUntil(
  { application, cart, reached }: Session,
  approvals: CheckoutMeans['approvals'],
  now: Instant,
): Instant | undefined {
  return application && reached === 'agreement' ? extendedTo(application, approvals, cart, now) : undefined;
}
