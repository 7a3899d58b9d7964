import { type Instant, lastUsDate } from '../time.ts';

/** How long the link of a cart works when the merchant names no day. */
export const DEFAULT_CART_DAYS = 7;

/** What can be done with a cart at a moment. An open one is expired once its last day has ended in every US time zone. */
export function cartStateAt(
  cart: { status: 'OPEN' | 'EXPIRED' | 'COMPLETED'; expires_on: string },
  now: Instant,
): 'OPEN' | 'EXPIRED' | 'COMPLETED' {
  return cart.status === 'OPEN' && cart.expires_on < lastUsDate(now) ? 'EXPIRED' : cart.status;
}
