import { type Infer, object, string } from 'superstruct';

/**
 * Body of the POST request to a cart's `callbackUrl` after a successful checkout.
 *
 * @see Interface, "Events".
 */
export const Callback = object({ transactionId: string(), orderRef: string() });
export type Callback = Infer<typeof Callback>;
