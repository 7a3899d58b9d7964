import { type ErrorCode } from '../errors.ts';
import { statusOf } from '../http/errors.ts';
import type { Operation } from './operation.ts';

/** Descriptions of the causes of each error. */
export const errorDescriptions: Readonly<Record<ErrorCode, string>> = {
  'https-required': 'The request was sent over plain HTTP.',
  unauthenticated: 'The key pair is missing, the API key is unknown, retired or of the other mode, or the secret is wrong.',
  'origin-not-registered': 'The origin of the page is not registered for the merchant.',
  'invalid-request':
    'The body is not JSON, or a field, a query parameter or the `idempotency-key` is invalid; `description` has the path and the reason.',
  'unknown-path': 'The path does not exist.',
  'method-not-allowed': 'The path does not support the method; the header `allow` lists the methods that it supports.',
  'body-too-large':
    'The body exceeds 1 MB, or 16 KiB for requests from pages, or 4 KiB for token requests; or its compression ratio exceeds 100.',
  'unsupported-encoding': 'The content encoding is unknown, or the body must not be compressed.',
  'request-timeout': 'The request did not arrive in time.',
  'headers-too-large': 'The headers of the request are too many or too long.',
  'expectation-failed': 'The header `expect` has a value other than `100-continue`.',
  'program-not-found': 'The financing program does not exist, belongs to another merchant, or is not effective today.',
  'cart-not-found': 'The cart does not exist, or belongs to another merchant.',
  'cart-closed': 'The cart has expired, or its checkout cannot continue.',
  'transaction-not-found':
    'The transaction does not exist, or belongs to another merchant. `description` is exactly `Transaction ID was invalid`, and there is no `code`.',
  'wrong-state': 'The status of the transaction does not allow the action.',
  'amount-mismatch': 'The `amount` of an authorization or settlement differs from the remaining amount, which `description` has.',
  'amount-too-large': 'The amount exceeds the remaining amount; `description` has the maximum.',
  'quantity-too-large': 'The quantity of a SKU exceeds the remaining quantity; `description` has the maximum.',
  'line-items-in-use': 'The `lineItems` of the authorization differ from those that were partly canceled.',
  'card-declined': 'The card for the remainder was declined. Retry in 1 to 3 business days, or cancel the transaction.',
  'card-unavailable': 'The card gateway is unavailable. The transaction is unchanged; retry.',
  'not-approved': 'The test checkout ended without a purchase.',
  'lender-unavailable': 'The lender is unavailable.',
  'not-configured': 'The service is not configured to send this type of message.',
  'changed-meanwhile': 'A concurrent request changed the same data; retry.',
  'idempotency-key-in-use': 'A request with this `idempotency-key` is in progress; wait for its response.',
  'rate-limited':
    'Too many requests from this address or merchant, too many at once or in a minute without valid credentials, or too many messages a day; retry after `retry-after` seconds.',
  'invalid-parameter': 'A parameter is unknown, repeated or invalid; `metadata` names it.',
  'token-missing': 'The bearer token is missing.',
  'token-malformed': 'The bearer token is not a JWT.',
  'token-algorithm-refused': 'The signature algorithm of the token is not allowed.',
  'token-key-unknown': 'The key of the token is not published by its issuer, or is retired.',
  'token-signature-wrong': 'The signature of the token is wrong.',
  'token-issuer-unknown': 'The issuer of the token is not trusted.',
  'token-audience-wrong': 'The audience of the token is not this service.',
  'token-expired': 'The token has expired; request another.',
  'token-not-yet-valid': 'The token is not valid yet, or its issuer issued it in the future.',
  'token-claim-invalid':
    'A claim of the token is missing or invalid, or the token is valid for more than a day; `metadata` names the claim.',
  'token-tenant-refused': 'The issuer of the token may not issue tokens for its tenant.',
  'issuer-unavailable': 'The keys of the issuer are unavailable; retry after `retry-after` seconds.',
  'scope-missing': 'The token lacks the required scope.',
  'merchant-conflict': '`merchantID.eq` differs from the `MerchantID` of the token.',
  'unsupported-grant-type': 'The `grant_type` is not supported.',
  'invalid-scope': 'The `scope` is not supported.',
  'idempotency-key-reused': 'This `idempotency-key` was used with another request.',
};

/** Errors of bearer tokens. */
const TOKEN_ERRORS = [
  'token-missing',
  'token-malformed',
  'token-algorithm-refused',
  'token-key-unknown',
  'token-signature-wrong',
  'token-issuer-unknown',
  'token-audience-wrong',
  'token-expired',
  'token-not-yet-valid',
  'token-claim-invalid',
  'scope-missing',
  'token-tenant-refused',
  'issuer-unavailable',
] as const satisfies readonly ErrorCode[];

/** Returns the error codes of an operation by status. Status 500 without a code is an internal error. */
export function documentedErrors(operation: Operation): Map<number, ErrorCode[]> {
  const { auth } = operation;
  const writes = operation.method !== 'get';
  const takesKeys = writes && (auth === 'key-pair' || auth === 'none');
  const codes: ErrorCode[] = [
    'https-required',
    ...(auth === 'key-pair' || auth === 'token-client' ? (['unauthenticated'] as const) : []),
    ...(auth === 'bearer-token' ? TOKEN_ERRORS : []),
    ...(writes ? (['invalid-request'] as const) : []),
    ...(takesKeys ? (['idempotency-key-in-use', 'idempotency-key-reused'] as const) : []),
    ...(writes && !operation.ignoresBody ? (['body-too-large'] as const) : []),
    ...(writes && !operation.ignoresBody ? (['unsupported-encoding'] as const) : []),
    'rate-limited',
    ...operation.errors,
  ];
  const byStatus = new Map<number, ErrorCode[]>(operation.hasNoInternalError ? [] : [[500, []]]);
  for (const code of codes) {
    const status = statusOf[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return byStatus;
}
