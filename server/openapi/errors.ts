import { type ErrorCode } from '../errors.ts';
import { statusOf } from '../http/merchant-errors.ts';
import type { Operation } from './operation.ts';

/** When each error occurs. */
export const meanings: Readonly<Record<ErrorCode, string>> = {
  'https-required': 'The request was sent over plain HTTP.',
  unauthenticated: 'No key pair, an unknown or retired API key, a key of the other mode, or a wrong secret.',
  'origin-not-registered': 'The origin of the page is not registered for the merchant.',
  'invalid-request':
    'The body is not JSON, or a field, a query parameter or the `idempotency-key` is invalid; `description` has the path and the reason.',
  'unknown-path': 'The path does not exist.',
  'method-not-allowed': 'The path does not support the method; the header `allow` lists the methods that it supports.',
  'body-too-large':
    'The body is larger than a megabyte, than 128 KiB where a page sends it, or than 4 KiB where a token is requested; or it is compressed to less than a hundredth.',
  'unsupported-encoding': 'The content encoding is unknown, or the body must not be compressed.',
  'request-timeout': 'The request did not arrive in time.',
  'headers-too-large': 'The request has too many or too long headers.',
  'expectation-failed': 'The header `expect` has another value than `100-continue`.',
  'program-not-found': 'The financing program does not exist, belongs to another merchant, or is not effective today.',
  'cart-not-found': 'The cart does not exist, or belongs to another merchant.',
  'cart-closed': 'The cart has expired, or its checkout cannot continue.',
  'transaction-not-found':
    'The transaction does not exist, or belongs to another merchant. `description` is exactly `Transaction ID was invalid`, and there is no `code`.',
  'wrong-state': 'The status of the transaction does not allow the action.',
  'amount-too-large': 'The amount exceeds what is left; `description` has the maximum.',
  'quantity-too-large': 'The quantity of a sku exceeds what is left; `description` has the maximum.',
  'line-items-in-use': 'An authorization names other lines than those that were partly canceled.',
  'card-declined': 'The part of the purchase that a card pays was declined. Try again in 1 to 3 business days, or cancel.',
  'card-unavailable': 'The card gateway is unavailable. Nothing has changed; retry.',
  'not-approved': 'The test checkout ended without a purchase.',
  'lender-unavailable': 'The lender is unavailable.',
  'not-configured': 'The service is not configured to send such messages.',
  'changed-meanwhile': 'Another request changed the same data at the same time; retry.',
  'idempotency-key-in-use': 'A request with this `idempotency-key` is in progress; wait for its response.',
  'rate-limited':
    'Too many requests from this address or merchant, or too many without valid credentials; retry after `retry-after` seconds.',
  'invalid-parameter': 'A parameter is unknown, repeated or invalid; `metadata` names it.',
  'token-missing': 'The bearer token is missing.',
  'token-malformed': 'The bearer token is not a JWT.',
  'token-algorithm-refused': 'The signature algorithm of the token is not allowed.',
  'token-key-unknown': 'The key of the token is not published by its issuer, or is retired.',
  'token-signature-wrong': 'The signature of the token is wrong.',
  'token-issuer-unknown': 'The issuer of the token is not trusted.',
  'token-audience-wrong': 'The token has another audience.',
  'token-expired': 'The token has expired; request another.',
  'token-not-yet-valid': 'The token is not valid yet.',
  'token-claim-invalid': 'A claim of the token is missing or invalid; `metadata` names it.',
  'token-tenant-refused': 'The issuer of the token may not issue tokens for its tenant.',
  'issuer-unavailable': 'The keys of the issuer are unavailable; retry after `retry-after` seconds.',
  'scope-missing': 'The token lacks the required scope.',
  'merchant-conflict': '`merchantID.eq` differs from the `MerchantID` of the token.',
  'unsupported-grant-type': 'The `grant_type` is not supported.',
  'invalid-scope': 'The `scope` is not supported.',
  'idempotency-key-reused': 'Another request was made with this `idempotency-key` before.',
};

/** Errors of bearer tokens. */
const BAD_TOKENS = [
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

/** Returns the errors of an operation by status. 500 can also be a fault of the service. */
export function refusalsOf(operation: Operation): Map<number, ErrorCode[]> {
  const { caller } = operation;
  const writes = operation.method !== 'get';
  const takesKeys = writes && (caller === 'merchant' || caller === 'anyone');
  const all: ErrorCode[] = [
    'https-required',
    ...(caller === 'merchant' || caller === 'client' ? (['unauthenticated'] as const) : []),
    ...(caller === 'platform' ? BAD_TOKENS : []),
    ...(writes ? (['invalid-request'] as const) : []),
    ...(takesKeys ? (['idempotency-key-in-use', 'idempotency-key-reused'] as const) : []),
    ...(writes && !operation.ignoresBody ? (['body-too-large'] as const) : []),
    ...(writes && !operation.ignoresBody ? (['unsupported-encoding'] as const) : []),
    ...(caller === 'anyone' ? [] : (['rate-limited'] as const)),
    ...operation.refusals,
  ];
  const byStatus = new Map<number, ErrorCode[]>(operation.standsAlone ? [] : [[500, []]]);
  for (const refusal of all) {
    const status = statusOf[refusal];
    byStatus.set(status, [...(byStatus.get(status) ?? []), refusal]);
  }
  return byStatus;
}
