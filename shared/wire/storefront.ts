import { type Infer, object, string } from 'superstruct';
import { CartOptions } from './cart.ts';
import { CalendarDate, line, Uuid } from './fields.ts';

/**
 * Body of `POST /storefront/carts`: a cart that a page opens with the public half of a key pair.
 *
 * `options` are those of `POST /carts`, but for `createdBy` and `cartName`, which a page has no say in (decisions/0025).
 * `idempotencyKey` is chance, a new one for each intention: whoever sends it again with the same body is answered with the same cart.
 */
export const OpenCartRequest = object({ key: line(80, 1), idempotencyKey: Uuid, options: CartOptions });
export type OpenCartRequest = Infer<typeof OpenCartRequest>;

/** What the page is told of its cart. `expiration` is the last day on which the link works. */
export const OpenedCart = object({ id: string(), url: string(), expiration: CalendarDate });
export type OpenedCart = Infer<typeof OpenedCart>;
