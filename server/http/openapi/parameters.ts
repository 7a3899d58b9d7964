import { LANGUAGES } from '../../../shared/languages/index.ts';
import type { JsonSchema } from '../../../shared/wire/annotations.ts';

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: JsonSchema;
  style?: 'form';
  explode?: true;
  example?: unknown;
}

interface HeaderObject {
  /** True if the header is always present. */
  required?: true;
  description: string;
  schema: JsonSchema;
}

const text: JsonSchema = { type: 'string' };

const choice = (...values: string[]): JsonSchema => ({ type: 'string', enum: values });

const inPath = (name: string, description: string, example: string) =>
  ({ name, in: 'path', required: true, description, schema: text, example }) satisfies ParameterObject;

const inHeader = (name: string, description: string, schema = text) =>
  ({ name, in: 'header', description, schema }) satisfies ParameterObject;

/** Parameters that several operations have in common, or that no struct describes. */
export const parameters = {
  transactionId: inPath(
    'transactionId',
    'Id of the transaction, as received in the callback, the redirect or the response of the sandbox.',
    '019b0b5c-31f1-7f0e-9d0c-2f6c5d0b7a11',
  ),
  applicationId: inPath('applicationId', 'Id of the application.', '019b0b5c-2f10-7d3a-9c41-6b8f0e2d5a33'),
  cartId: inPath('cartId', 'Id of the cart.', '019b0b5c-2c44-7c61-8a57-3a9f3d3f0c52'),
  eventId: inPath('eventId', 'Id of the event.', '019b0b5c-4a10-7c3e-9b57-5d2f6a1e8c90'),
  webhookId: inPath('webhookId', 'Id of the webhook.', '019b0b5c-5d20-7b11-8f4c-1c9a0e6d7b32'),
  settlementId: inPath(
    'settlementId',
    'Id of the settlement. With `.csv` at its end, the response is CSV.',
    '019b0b5c-4d02-7c13-a5f7-0b6c8d9e1f20',
  ),
  key: {
    name: 'key',
    in: 'query',
    description: 'Your API key, which is public. Never send the secret from a page.',
    schema: text,
    required: true,
  },
  origin: {
    ...inHeader('origin', 'Origin of the page, set by the browser. It must be one of your registered origins.'),
    required: true,
    example: 'https://shop.example',
  },
  idempotencyKey: inHeader(
    'idempotency-key',
    'A unique string for this request, such as a UUID. A retry with the same key returns the response of the first request and does not repeat its effect.',
    { type: 'string', minLength: 1, maxLength: 255 },
  ),
  fairtermVersion: inHeader(
    'fairterm-version',
    '`2` for errors with the statuses that HTTP defines: 404 for an unknown transaction, 409 for a wrong state or a conflict, 402 for a declined card, 422 for an amount. Default: `1`, with 500 for all of these.',
    choice('1', '2'),
  ),
  acceptLanguage: {
    ...inHeader('accept-language', 'Language of the disclosure: English or Spanish. Default: English.'),
    example: 'es',
  },
  ifNoneMatch: inHeader('if-none-match', 'The `etag` of a previous response. The status is 304 if the content is unchanged.'),
} as const satisfies Record<string, ParameterObject>;
export type ParameterName = keyof typeof parameters;

/** Response headers. */
export const headers = {
  'x-request-id': {
    required: true,
    description: 'Id of the request in the log. Quote it in support requests.',
    schema: { type: 'string', format: 'uuid' },
  },
  'www-authenticate': {
    required: true,
    description: 'Authentication scheme: `Basic`, or `Bearer` with an OAuth 2.0 error code.',
    schema: text,
  },
  'idempotency-replayed': {
    description: '`true` if this is the stored response of an earlier request with the same `idempotency-key`.',
    schema: choice('true'),
  },
  'retry-after': { description: 'Seconds to wait before the next attempt.', schema: { type: 'string', pattern: '^[0-9]+$' } },
  'content-language': { required: true, description: 'Language of the disclosure.', schema: choice(...LANGUAGES) },
  link: {
    description: 'URL of the next page: `<…>; rel="next"`. Absent on the last page.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
  },
  etag: { required: true, description: 'Version of the content.', schema: text },
  'cache-control': { required: true, description: 'The time for which the response may be cached.', schema: text },
  'access-control-allow-origin': { description: 'Origin of the page, if it is registered.', schema: text },
} as const satisfies Record<string, HeaderObject>;
export type HeaderName = keyof typeof headers;
