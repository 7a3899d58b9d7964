import type { PricedCart } from '../../carts/carts.ts';
import { statusOf } from '../../carts/status.ts';
import type { Html } from '../../http/html.ts';
import type { Instant } from '../../time.ts';
import { badge, type Tone } from '../web/elements.ts';
import type { ConsoleRequest } from '../web/screen.ts';

/** The status of a cart, or that its link was opened before the buyer has started. */
export type LinkState = ReturnType<typeof linkStateOf>;

/** Returns how far a buyer is. */
export function linkStateOf(priced: PricedCart, now: Instant) {
  const { status } = statusOf(priced, now);
  return status === 'open' && priced.cart.openedAt !== null ? 'opened' : status;
}

const tones = {
  open: 'neutral',
  opened: 'waiting',
  'in-progress': 'waiting',
  completed: 'good',
  ended: 'bad',
  expired: 'bad',
} as const satisfies Record<LinkState, Tone>;

export function linkBadge({ t, now }: ConsoleRequest, priced: PricedCart): Html {
  const state = linkStateOf(priced, now);
  return badge(t.console.links.states[state], tones[state]);
}
