/** Error codes in this version. Their meaning never changes; README.md describes each. */
const knownCodes = [
  'https-required',
  'unauthenticated',
  'invalid-request',
  'unknown-path',
  'method-not-allowed',
  'body-too-large',
  'unsupported-encoding',
  'request-timeout',
  'headers-too-large',
  'expectation-failed',
  'program-not-found',
  'cart-not-found',
  'cart-closed',
  'wrong-state',
  'amount-too-large',
  'quantity-too-large',
  'line-items-in-use',
  'card-declined',
  'card-unavailable',
  'not-approved',
  'not-configured',
  'changed-meanwhile',
  'idempotency-key-in-use',
  'idempotency-key-reused',
  // The service's own fault, which refuses nothing.
  'fault',
] as const;

export type KnownRefusalCode = (typeof knownCodes)[number];

/** A known code, or one of a newer service. */
export type RefusalCode = KnownRefusalCode | (string & {});

const known: ReadonlySet<string | undefined> = new Set<string | undefined>(knownCodes);

export function isKnown(code: RefusalCode | undefined): code is KnownRefusalCode {
  return known.has(code);
}
