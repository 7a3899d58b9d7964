import type { Database } from '../db/database.ts';
import { closeCart, getCart } from './store.ts';

/**
 * Ends a cart's link, for whoever has it, in whatever step of the checkout they are. One that is closed already stays as it is.
 *
 * @throws ServiceError `cart-not-found`
 */
export function expireCart(database: Database, merchantId: string, id: string): Promise<void> {
  return database.write(async (tx) => {
    const cart = await getCart(tx, merchantId, id);
    await closeCart(tx, cart.id);
  });
}
