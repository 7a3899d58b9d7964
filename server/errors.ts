/** Error codes of the service. `http/` maps them to responses. */
export type Refusal =
  | 'https-required'
  | 'unauthenticated'
  | 'origin-not-registered'
  | 'invalid-request'
  | 'unknown-path'
  | 'method-not-allowed'
  | 'body-too-large'
  | 'unsupported-encoding'
  | 'request-timeout'
  | 'headers-too-large'
  | 'expectation-failed'
  | 'idempotency-key-reused'
  | 'idempotency-key-in-use'
  | 'rate-limited'
  | 'program-not-found'
  | 'cart-not-found'
  | 'cart-closed'
  | 'transaction-not-found'
  | 'wrong-state'
  | 'amount-too-large'
  | 'quantity-too-large'
  | 'line-items-in-use'
  | 'card-declined'
  | 'card-unavailable'
  | 'not-approved'
  | 'lender-unavailable'
  | 'not-configured'
  | 'changed-meanwhile'
  | PlatformRefusal
  | OAuthRefusal;

/** Codes that only the platform API returns. */
export type PlatformRefusal =
  | 'invalid-parameter'
  | 'token-missing'
  | 'token-malformed'
  | 'token-algorithm-refused'
  | 'token-key-unknown'
  | 'token-signature-wrong'
  | 'token-issuer-unknown'
  | 'token-audience-wrong'
  | 'token-expired'
  | 'token-not-yet-valid'
  | 'token-claim-invalid'
  | 'token-tenant-refused'
  | 'issuer-unavailable'
  | 'scope-missing'
  | 'merchant-conflict';

/** Codes that only the OAuth endpoints return. */
export type OAuthRefusal = 'unsupported-grant-type' | 'invalid-scope';

/**
 * A refusal that the caller may read.
 *
 * `message` is written for the merchant's engineer: what was refused, the value that caused it, and what would be
 * accepted. Anything else that is thrown is a bug, and its message never leaves the server.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly refusal: Refusal;
  /** Machine-readable parts of the message: `parameter`, `expected`, `received`. Returned by the platform API. */
  readonly details: Readonly<Record<string, string>>;

  constructor(refusal: Refusal, message: string, { details = {}, ...options }: RefusalOptions = {}) {
    super(message, options);
    this.refusal = refusal;
    this.details = details;
  }
}

/** Whether somebody else changed the same at the same moment: nothing was done, and the same may be tried again. */
export function isLostRace(thrown: unknown): boolean {
  return thrown instanceof ServiceError && thrown.refusal === 'changed-meanwhile';
}

interface RefusalOptions extends ErrorOptions {
  details?: Readonly<Record<string, string>>;
}
