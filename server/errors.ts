import { propertyOf } from '../shared/objects.ts';
/** Error codes of the service. `http/` maps them to statuses. */
export type ErrorCode =
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
  | 'amount-mismatch'
  | 'amount-too-large'
  | 'quantity-too-large'
  | 'line-items-in-use'
  | 'card-declined'
  | 'card-unavailable'
  | 'not-approved'
  | 'lender-unavailable'
  | 'not-configured'
  | 'changed-meanwhile'
  | PlatformErrorCode
  | OAuthErrorCode;

/** Codes that only the platform API returns. */
export type PlatformErrorCode =
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
export type OAuthErrorCode = 'unsupported-grant-type' | 'invalid-scope';

/**
 * An error that is returned to the caller. Any other error is a bug: it is logged, and the caller receives a generic message.
 *
 * `message` is written for the merchant's engineer: the path, what was expected, and what was received.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: ErrorCode;
  /** Machine-readable parts of the message: `parameter`, `expected`, `received`. Returned by the platform API. */
  readonly details: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, { details = {}, ...options }: ServiceErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

interface ServiceErrorOptions extends ErrorOptions {
  details?: Readonly<Record<string, string>>;
}

/** Returns true for a conflict with a concurrent change: nothing was saved, and the operation can be retried. */
export function isConflict(thrown: unknown): boolean {
  return thrown instanceof ServiceError && thrown.code === 'changed-meanwhile';
}

/** Returns the message of a caught error. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Returns the code of a caught error, such as `ENOENT` or an SQLSTATE; an empty string if it has none. */
export function codeOf(thrown: unknown): string {
  return textIn(thrown, 'code') ?? '';
}

/** Returns the code of a failed request, or the name of the error: texts of the network stack can contain addresses. */
export function failureOf(thrown: unknown): string {
  return textIn(thrown, 'code') ?? textIn(thrown, 'name') ?? 'unknown';
}

function textIn(thrown: unknown, name: string): string | undefined {
  const value = propertyOf(thrown, name);
  return typeof value === 'string' ? value : undefined;
}

/** Returns the log fields of an error: its name, code and stack frames. Messages are not logged, because they can contain personal data. */
export function errorLogFields(thrown: unknown): { error: string; code: string | undefined; stack: string[] } {
  const message = textIn(thrown, 'message') ?? '';
  const stack = textIn(thrown, 'stack') ?? '';
  // The stack begins with the message, which may itself contain lines that look like stack frames.
  const frames = stack.slice(Math.max(0, stack.indexOf(message)) + message.length).split('\n');
  return {
    error: textIn(thrown, 'name') ?? typeof thrown,
    code: textIn(thrown, 'code'),
    stack: frames.filter((line) => line.trimStart().startsWith('at ')),
  };
}
