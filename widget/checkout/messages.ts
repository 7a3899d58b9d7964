/** Message of the checkout page to its opener when the checkout ends. A hint: the shop's server verifies the transaction. */
export interface CheckoutMessage {
  type: 'completed' | 'not-completed';
  /** A UUID; only if completed. */
  transactionId?: string;
  /** The cart's `orderRef`; empty if it has none. */
  orderRef: string;
  /** Where a buyer goes who leaves without a purchase. Missing while they read why. */
  errorUrl?: unknown;
}

const MESSAGE = /^\["fairterm",("completed","[\da-f-]{36}"|"not-completed",null),".{0,999}"\]$/;

/**
 * Returns true for a valid checkout message. The caller must have checked the origin and the source.
 *
 * Serialized as JSON, only strings have quotes. Unknown fields are ignored: the service may be newer than a script that a shop
 * hosts itself.
 *
 * @param data - A structured clone, which has no getters.
 */
export function isCheckoutMessage(data: unknown): data is CheckoutMessage {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every field is checked
  const { source, type, transactionId, orderRef } = (data ?? {}) as Record<string, unknown>;
  return MESSAGE.test(JSON.stringify([source, type, transactionId, orderRef]));
}
