import { type Refusal } from '../errors.ts';
import { statusOf } from '../http/merchant-errors.ts';
import type { Operation } from './operations/operation.ts';

/** When each refusal is heard. */
export const meanings: Readonly<Record<Refusal, string>> = {
  'https-required': 'Plain HTTP came over a network.',
  unauthenticated: 'No key, an unknown or retired one, one of another environment, or a wrong secret.',
  'origin-not-registered': "The page that asks is of none of the merchant's origins.",
  'invalid-request':
    'The body is no JSON, a field of it or of the query cannot be used, or the `idempotency-key` is none; `description` says where and why.',
  'unknown-path': 'There is nothing at this path.',
  'method-not-allowed': 'The path has no such method; the header `allow` lists those it has.',
  'body-too-large':
    'The body is larger than a megabyte, than 128 KiB where a page sends it, or than 4 KiB where a token is requested; or it is compressed to less than a hundredth.',
  'unsupported-encoding': 'The body is compressed in a way that is not understood, or must not be compressed.',
  'request-timeout': 'The request did not arrive in time.',
  'headers-too-large': 'The headers of the request are too many or too long.',
  'expectation-failed': 'The header `expect` asks for something else than `100-continue`.',
  'program-not-found': 'The financing program is not yours, or is not sold today.',
  'cart-not-found': 'There is no such cart, or it is not yours.',
  'cart-closed': 'The link of the cart has expired, or its checkout cannot go on.',
  'transaction-not-found':
    'There is no such transaction, or it is not yours. `description` is exactly `Transaction ID was invalid`, and there is no `code`.',
  'wrong-state': "The transaction's status does not allow the action.",
  'amount-too-large': 'More cents than are left; `description` says how many are.',
  'quantity-too-large': 'More pieces of a sku than are left; `description` says how many are.',
  'line-items-in-use': 'An authorization with other lines than those that were canceled in part.',
  'card-declined': 'The part of the purchase that a card pays was declined. Try again in 1 to 3 business days, or cancel.',
  'card-unavailable':
    'Nobody could be asked to authorize the part of the purchase that a card pays; nothing has changed, send it again.',
  'not-approved': 'The test checkout ended without a purchase.',
  'lender-unavailable': 'No lender can be asked at the moment.',
  'not-configured': 'This service is not set up to send such messages.',
  'changed-meanwhile': 'Another request changed it at the same moment; send it again.',
  'idempotency-key-in-use': 'A call with this `idempotency-key` is under way; wait for its answer.',
  'rate-limited':
    'Too many requests from this address or of this merchant, or too many without right credentials; come back after `retry-after` seconds.',
  'invalid-parameter': 'A parameter is unknown, given twice, or has a value it cannot have; `metadata` says which.',
  'token-missing': 'No bearer token came.',
  'token-malformed': 'The bearer token is none.',
  'token-algorithm-refused': 'The token is signed with an algorithm that is not believed, or with none.',
  'token-key-unknown': 'The token is signed with a key that nobody publishes, or one that was retired.',
  'token-signature-wrong': 'The signature of the token is wrong.',
  'token-issuer-unknown': 'The token is of an issuer that is not trusted.',
  'token-audience-wrong': 'The token is for somebody else.',
  'token-expired': 'The token has expired; get another.',
  'token-not-yet-valid': 'The time of the token has not begun.',
  'token-claim-invalid': 'A claim of the token is missing, or has a value it cannot have; `metadata` says which.',
  'token-tenant-refused': 'The issuer of the token may not speak for the tenant that it names.',
  'issuer-unavailable': 'The issuer of the token did not give its keys; come back after `retry-after` seconds.',
  'scope-missing': 'The token lacks the scope for it.',
  'merchant-conflict': '`merchantID.eq` is another merchant than that of the token.',
  'unsupported-grant-type': 'The `grant_type` is none that there is.',
  'invalid-scope': 'The `scope` is none that there is.',
  'idempotency-key-reused': 'Another call was made with this `idempotency-key` before.',
};

/** What is said to whom a token lets through nowhere. */
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
] as const satisfies readonly Refusal[];

/** Every refusal an operation can answer, by status. What befalls us is 500 too, and has no code. */
export function refusalsOf(operation: Operation): Map<number, Refusal[]> {
  const { caller } = operation;
  const writes = operation.method !== 'get';
  const takesKeys = writes && (caller === 'merchant' || caller === 'anyone');
  const all: Refusal[] = [
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
  const byStatus = new Map<number, Refusal[]>(operation.standsAlone ? [] : [[500, []]]);
  for (const refusal of all) {
    const status = statusOf[refusal];
    byStatus.set(status, [...(byStatus.get(status) ?? []), refusal]);
  }
  return byStatus;
}
