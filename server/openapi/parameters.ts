import { LANGUAGES } from '../../shared/languages/index.ts';
import { MAX_CENTS } from '../../shared/money.ts';
import type { JsonSchema } from '../../shared/wire/annotations.ts';

const uuid = { type: 'string', format: 'uuid' } as const;

const shortText = (maxLength: number) => ({ type: 'string', maxLength }) as const;

const queryParameter = <Name extends string>(name: Name, description: string, schema: JsonSchema) =>
  ({ name, in: 'query', description, schema }) as const;

/** Parameters that several operations have in common, or that no struct describes. */
export const parameters = {
  transactionId: {
    name: 'transactionId',
    in: 'path',
    required: true,
    description: 'Id of the transaction, as received in the callback, the redirect or the response of the sandbox.',
    schema: { type: 'string' },
    example: '019b0b5c-31f1-7f0e-9d0c-2f6c5d0b7a11',
  },
  cartId: {
    name: 'cartId',
    in: 'path',
    required: true,
    description: 'Id of the cart.',
    schema: { type: 'string' },
    example: '019b0b5c-2c44-7c61-8a57-3a9f3d3f0c52',
  },
  key: {
    name: 'key',
    in: 'query',
    required: true,
    description: 'Your API key, which is public. Never send the secret from a page.',
    schema: { type: 'string' },
  },
  origin: {
    name: 'origin',
    in: 'header',
    required: true,
    description: 'Origin of the page, set by the browser. It must be one of your registered origins.',
    schema: { type: 'string' },
    example: 'https://shop.example',
  },
  amount: {
    name: 'amount',
    in: 'query',
    required: true,
    description: 'Price of an item or a cart, in cents.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_CENTS },
    example: 129_900,
  },
  program: queryParameter('program', 'Id of one of your financing programs. Default: your default program.', shortText(100)),
  cartUrl: queryParameter(
    'cart-url',
    'Target of the button: an http or https URL of one of your origins or of this service, or a URL relative to the page. With your secret, any URL is accepted.',
    { type: 'string', maxLength: 2_048 },
  ),
  lang: queryParameter('lang', 'Language of the element, a BCP 47 tag. Default: English.', shortText(35)),
  show: queryParameter('show', 'Which parts of the element to render. Default: `both`.', {
    type: 'string',
    enum: ['both', 'estimate', 'button'],
  }),
  mode: queryParameter('mode', 'Where the checkout opens. Default: `redirect`.', {
    type: 'string',
    enum: ['redirect', 'popup', 'modal'],
  }),
  theme: queryParameter('theme', 'Color scheme. Default: that of the page.', { type: 'string', enum: ['light', 'dark'] }),
  label: queryParameter('label', 'Label of the button.', shortText(100)),
  idempotencyKey: {
    name: 'idempotency-key',
    in: 'header',
    description:
      'A unique string for this request, such as a UUID. A retry with the same key returns the response of the first request and does not repeat its effect.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  acceptLanguage: {
    name: 'accept-language',
    in: 'header',
    description: 'Language of the disclosure: English or Spanish. Default: English.',
    schema: { type: 'string' },
    example: 'es',
  },
  ifNoneMatch: {
    name: 'if-none-match',
    in: 'header',
    description: 'The `etag` of a previous response. The status is 304 if the content is unchanged.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Parameter>;
export type ParameterName = keyof typeof parameters;

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: true;
  description: string;
  schema: JsonSchema;
  example?: unknown;
}

/** Response headers. */
export const headers = {
  'x-request-id': { required: true, description: 'Id of the request in the log. Quote it in support requests.', schema: uuid },
  'www-authenticate': {
    required: true,
    description: 'Authentication scheme: `Basic`, or `Bearer` with an OAuth 2.0 error code.',
    schema: { type: 'string' },
  },
  'idempotency-replayed': {
    description: '`true` if this is the stored response of an earlier request with the same `idempotency-key`.',
    schema: { type: 'string', enum: ['true'] },
  },
  'retry-after': { description: 'Seconds to wait before the next attempt.', schema: { type: 'string', pattern: '^[0-9]+$' } },
  'content-language': {
    required: true,
    description: 'Language of the disclosure.',
    schema: { type: 'string', enum: [...LANGUAGES] },
  },
  link: {
    description: 'URL of the next page: `<…>; rel="next"`. Absent on the last page.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
  },
  etag: { required: true, description: 'Version of the content.', schema: { type: 'string' } },
  'cache-control': { required: true, description: 'How long the response may be cached.', schema: { type: 'string' } },
  'access-control-allow-origin': {
    description: 'Origin of the page, if it is registered.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Header>;
export type HeaderName = keyof typeof headers;

interface Header {
  /** True if the header is always present. */
  required?: true;
  description: string;
  schema: JsonSchema;
}
