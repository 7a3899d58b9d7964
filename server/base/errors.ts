import { propertyOf } from '../../shared/objects.ts';

/**
 * HTTP status and cause of each error, and its status in version 2 of the merchant API if the interface requires another one in version 1.
 */
type ErrorDescriptions = Readonly<Record<string, readonly [status: number, description: string, status2?: number]>>;

/** Errors of the merchant API, of requests from pages and of the checkout: their HTTP status, and their cause for the API reference. */
const MERCHANT_ERRORS = {
  unauthenticated: [
    401,
    'The key pair is missing, the API key is unknown, retired or of the other mode, or the secret is wrong.',
  ],
  'https-required': [403, 'The request was sent over plain HTTP.'],
  'origin-not-registered': [403, 'The origin of the page is not registered for the merchant.'],
  'invalid-request': [
    400,
    'The body is not JSON, or a field, a query parameter or the `idempotency-key` is invalid; `description` has the path and the reason.',
  ],
  'unknown-path': [404, 'The path does not exist.'],
  'method-not-allowed': [405, 'The path does not support the method; the header `allow` lists the methods that it supports.'],
  'body-too-large': [
    413,
    'The body exceeds 1 MB, or 16 KiB for requests from pages, or 4 KiB for token requests; or its compression ratio exceeds 100.',
  ],
  'unsupported-encoding': [415, 'The content encoding is unknown, or the body must not be compressed.'],
  'idempotency-key-reused': [422, 'This `idempotency-key` was used with another request.'],
  'idempotency-key-in-use': [409, 'A request with this `idempotency-key` is in progress; wait for its response.'],
  'rate-limited': [
    429,
    'Too many requests from this address or merchant, too many at once or in a minute without valid credentials, or too many messages a day; retry after `retry-after` seconds.',
  ],
  'request-timeout': [408, 'The request did not arrive in time.'],
  'headers-too-large': [431, 'The headers of the request are too many or too long.'],
  'expectation-failed': [417, 'The header `expect` has a value other than `100-continue`.'],
  'program-not-found': [400, 'The financing program does not exist, belongs to another merchant, or is not effective today.'],
  'cart-not-found': [404, 'The cart does not exist, or belongs to another merchant.'],
  'cart-closed': [400, 'The cart has expired, or its checkout cannot continue.', 409],
  'recipient-opted-out': [422, 'The recipient has opted out of e-mails with links of this merchant. Nothing was sent.'],
  'transaction-not-found': [
    500,
    'The transaction does not exist, or belongs to another merchant. `description` is exactly `Transaction ID was invalid`, and there is no `code`; with `fairterm-version: 2`, there is one.',
    404,
  ],
  'event-not-found': [404, 'The event does not exist, is older than 30 days, or belongs to another merchant.'],
  'webhook-not-found': [404, 'The webhook does not exist, or belongs to another merchant.'],
  'settlement-not-found': [404, 'The settlement does not exist, or belongs to another merchant.'],
  'wrong-state': [500, 'The status of the transaction does not allow the action.', 409],
  'amount-mismatch': [
    500,
    'The `amount` of an authorization or settlement differs from the remaining amount, which `description` has.',
    422,
  ],
  'amount-too-large': [500, 'The amount exceeds the remaining amount; `description` has the maximum.', 422],
  'quantity-too-large': [500, 'The quantity of a SKU exceeds the remaining quantity; `description` has the maximum.', 422],
  'line-items-in-use': [500, 'The `lineItems` of the authorization differ from those that were partly canceled.', 409],
  'card-declined': [
    500,
    'The card for the remainder was declined. Retry in 1 to 3 business days, or cancel the transaction or, after a settlement, its card portion.',
    402,
  ],
  'card-unavailable': [500, 'The card gateway is unavailable. The transaction is unchanged; retry.', 503],
  'not-approved': [422, 'The test checkout ended without a purchase.'],
  'lender-unavailable': [503, 'The lender is unavailable.'],
  'database-unavailable': [
    503,
    'The database is unavailable. A write may have had its effect: repeat it after `retry-after` seconds with the same `idempotency-key`.',
  ],
  'not-configured': [501, 'The service is not configured to send this type of message.'],
  'changed-meanwhile': [500, 'A concurrent request changed the same data; retry.', 409],
} as const satisfies ErrorDescriptions;

/** Errors that every operation of the platform API with a bearer token returns. */
export const PLATFORM_ERRORS = {
  'invalid-parameter': [400, 'A parameter is unknown, repeated or invalid; `metadata` names it.'],
  'token-missing': [401, 'The bearer token is missing.'],
  'token-malformed': [401, 'The bearer token is not a JWT.'],
  'token-algorithm-refused': [401, 'The signature algorithm of the token is not allowed.'],
  'token-key-unknown': [401, 'The key of the token is not published by its issuer, or is retired.'],
  'token-signature-wrong': [401, 'The signature of the token is wrong.'],
  'token-issuer-unknown': [401, 'The issuer of the token is not trusted.'],
  'token-audience-wrong': [401, 'The audience of the token is not this service.'],
  'token-expired': [401, 'The token has expired; request another.'],
  'token-not-yet-valid': [401, 'The token is not valid yet, or its issuer issued it in the future.'],
  'token-claim-invalid': [
    401,
    'A claim of the token is missing or invalid, or the token is valid for more than a day; `metadata` names the claim.',
  ],
  'scope-missing': [403, 'The token lacks the required scope.'],
  'token-tenant-refused': [403, 'The issuer of the token may not issue tokens for its tenant.'],
  'issuer-unavailable': [503, 'The keys of the issuer are unavailable; retry after `retry-after` seconds.'],
  'merchant-conflict': [403, '`merchantID.eq` differs from the `MerchantID` of the token.'],
} as const satisfies ErrorDescriptions;

/** Errors of single operations of the platform API. */
const PLATFORM_OPERATION_ERRORS = {
  'application-not-found': [404, 'The application does not exist, or the token does not give access to it.'],
} as const satisfies ErrorDescriptions;

/** Errors that only the OAuth endpoints return: RFC 6749, 5.2. */
const OAUTH_ERRORS = {
  'unsupported-grant-type': [400, 'The `grant_type` is not supported.'],
  'invalid-scope': [400, 'The `scope` is not supported.'],
} as const satisfies ErrorDescriptions;

/** All errors of the service. Decision 2 lists the statuses that the interface leaves open. */
export const ERRORS = { ...MERCHANT_ERRORS, ...PLATFORM_ERRORS, ...PLATFORM_OPERATION_ERRORS, ...OAUTH_ERRORS };

export type ErrorCode = keyof typeof ERRORS;
export type PlatformErrorCode = keyof typeof PLATFORM_ERRORS | keyof typeof PLATFORM_OPERATION_ERRORS;
export type OAuthErrorCode = keyof typeof OAUTH_ERRORS;

/** The statuses of errors in the merchant API: 1 as the interface requires them, 2 as HTTP defines them (decisions/0062). */
export type ApiVersion = 1 | 2;

export function httpStatusOf(code: ErrorCode, version: ApiVersion = 1): number {
  const [status, , status2 = status]: ErrorDescriptions[string] = ERRORS[code];
  return version === 1 ? status : status2;
}

/** Returns true for the code of an error of this release. */
export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** The reason for which the console rejects an action. It has a text for each in the language of the page. */
export type Reason =
  | 'last-key'
  | 'too-many-webhooks'
  | 'webhook-disabled'
  | 'not-removable'
  | 'passkey-expired'
  | 'too-many-passkeys'
  | 'own-account'
  | 'needs-approval';

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
  readonly reason: Reason | undefined;

  constructor(code: ErrorCode, message: string, { details = {}, reason, ...options }: ServiceErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.details = details;
    this.reason = reason;
  }
}

interface ServiceErrorOptions extends ErrorOptions {
  details?: Readonly<Record<string, string>>;
  reason?: Reason | undefined;
}

/** Returns the error of an invalid value. @param option - Its name: `store-url`. @param received - The value, quoted, or a description. */
export function invalidRequest(option: string, expected: string, received: string, reason?: Reason): ServiceError {
  return new ServiceError('invalid-request', `${option}: expected ${expected}, but received ${received}`, { reason });
}

/** Returns true for a conflict with a concurrent change: nothing was saved, and the operation can be retried. */
export function isConflict(thrown: unknown): boolean {
  return thrown instanceof ServiceError && thrown.code === 'changed-meanwhile';
}

/** Returns true if the database was unavailable. A write may have had its effect. */
export function isUnavailable(thrown: unknown): boolean {
  return thrown instanceof ServiceError && thrown.code === 'database-unavailable';
}

/** Ignores that the database was unavailable for a write without which a page can be shown. @throws any other error. */
export function ignoreUnavailable(thrown: unknown): undefined {
  if (!isUnavailable(thrown)) throw thrown;
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
