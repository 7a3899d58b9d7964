import { cancelled } from '../applications/expiry.ts';
import { isOpenApplication } from '../applications/lifecycle.ts';
import { findApplicationOfCart, saveApplication } from '../applications/store.ts';
import type { Database } from '../db/database.ts';
import type { Instant } from '../time.ts';
import { closeCart, lockCart } from './store.ts';

/**
 * Ends a cart's link for everyone, in any step of the checkout, and its application unless that has ended or was signed. Does
 * nothing if the link has already ended.
 *
 * @throws ServiceError `cart-not-found`
 */
export function expireCart(database: Database, merchantId: string, id: string, now: Instant): Promise<void> {
  return database.write(async (tx) => {
    const cart = await lockCart(tx, merchantId, id);
    await closeCart(tx, cart.id);
    const application = await findApplicationOfCart(tx, cart.id);
    if (!application || !isOpenApplication(application)) return;
    await saveApplication(tx, application, cancelled(application, 'by-merchant', now));
  });
}
