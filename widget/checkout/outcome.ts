/** What the page of a checkout says of its end to the page that opened it. A hint: the shop's server asks the service. */
export interface Outcome {
  type: 'completed' | 'not-completed';
  /** A UUID; only of what is completed. */
  transactionId?: string;
  /** That of the cart; empty when it has none. */
  orderRef: string;
  /** Where the buyer goes who leaves without a purchase; left out while they are reading why. */
  errorUrl?: unknown;
}

/**
 * Whether it is an outcome that a window said. Who said it must have been looked at before.
 *
 * Written out, strings have quotes and nothing else has. Fields that are not known here are passed over: the service may be newer
 * than a script that a shop serves itself.
 *
 * @param data - A structured clone of anything: it has no getters.
 */
export function isOutcome(data: unknown): data is Outcome {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing is taken for granted of any of it
  const { source, type, transactionId, orderRef } = (data ?? {}) as Record<string, unknown>;
  return OUTCOME.test(JSON.stringify([source, type, transactionId, orderRef]));
}

const OUTCOME = /^\["fairterm",("completed","[\da-f-]{36}"|"not-completed",null),".{0,999}"\]$/;
