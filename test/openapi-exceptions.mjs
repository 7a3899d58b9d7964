/** What the OpenAPI document describes and the service does not do. Nothing, when all is well: each line is a debt. */

/** Operations, by their id, that have no route. */
export const operationsToCome = ['expireCart', 'emailCart', 'textCart', 'listMessages'];

/** Answers that nothing can be made to give, by the code of their refusal. */
export const refusalsToCome = ['idempotency-key-in-use', 'idempotency-key-reused'];

/** Headers that callbacks lack. */
export const callbackHeadersToCome = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
