import { OpenCartRequest, OpenedCart } from '../../../shared/wire/storefront.ts';
import { cartOfPage, openedCart } from '../examples/storefront.ts';
import type { Operation } from './operation.ts';

export const storefrontOperations: readonly Operation[] = [
  {
    id: 'openCart',
    method: 'post',
    path: '/storefront/carts',
    tag: 'Service',
    summary: 'Open a cart, for pages',
    description:
      "What `<financing-button>` does when it is pressed and has no `cart-url`. It takes any content type, so that a page can send `text/plain`, which browsers do not ask about first. The same body sent again, with its `idempotencyKey`, is answered with the same cart for 72 hours.\n\nWhoever sees the page can edit it: amounts, articles and `orderRef` are the visitor's word. Read the transaction from your server, and compare its total with your order's before you authorize it. A body is at most 128 KiB.",
    caller: 'anyone',
    parameters: ['origin'],
    request: { body: OpenCartRequest, examples: { chair: { summary: 'One article', value: cartOfPage } } },
    answers: {
      200: { description: 'The cart.', body: OpenedCart, headers: ['access-control-allow-origin'], example: openedCart },
    },
    refusals: ['unauthenticated', 'origin-not-registered', 'program-not-found', 'rate-limited', 'changed-meanwhile'],
  },
];
