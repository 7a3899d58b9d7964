import { LANGUAGES } from '../../shared/languages.ts';
import { MAX_CENTS } from '../../shared/money.ts';
import type { JsonSchema } from '../../shared/wire/annotations.ts';

const uuid = { type: 'string', format: 'uuid' } as const;

const line = (maxLength: number) => ({ type: 'string', maxLength }) as const;

const inQuery = <Name extends string>(name: Name, description: string, schema: JsonSchema) =>
  ({ name, in: 'query', description, schema }) as const;

/** Everything a call may carry beside its body. */
export const parameters = {
  transactionId: {
    name: 'transactionId',
    in: 'path',
    required: true,
    description: 'Names the transaction: the `transactionId` of the callback, of the redirect and of the sandbox checkout.',
    schema: { type: 'string' },
    example: '019b0b5c-31f1-7f0e-9d0c-2f6c5d0b7a11',
  },
  cartId: {
    name: 'cartId',
    in: 'path',
    required: true,
    description: 'Names the cart: the `id` it was answered with.',
    schema: { type: 'string' },
    example: '019b0b5c-2c44-7c61-8a57-3a9f3d3f0c52',
  },
  key: {
    name: 'key',
    in: 'query',
    required: true,
    description: 'Your API key. It is public; the secret never belongs on a page.',
    schema: { type: 'string' },
  },
  origin: {
    name: 'origin',
    in: 'header',
    required: true,
    description:
      'Said by the browser: the origin of the page, which must be one of those you have registered, letter for letter.',
    schema: { type: 'string' },
    example: 'https://shop.example',
  },
  amount: {
    name: 'amount',
    in: 'query',
    required: true,
    description: 'Cents: the price of an article or of a cart.',
    schema: { type: 'integer', minimum: 1, maximum: MAX_CENTS },
    example: 129_900,
  },
  program: inQuery('program', 'Id of one of your financing programs. Left out, your default program.', line(100)),
  cartUrl: inQuery(
    'cart-url',
    'Where the button leads: an http or https address of one of your origins or of this service, or one relative to the page. Anywhere, if your secret comes with the call.',
    { type: 'string', maxLength: 2_048 },
  ),
  lang: inQuery('lang', 'Language of the element, a BCP 47 tag. Left out, English.', line(35)),
  show: inQuery('show', 'What there is of it.', { type: 'string', enum: ['both', 'estimate', 'button'] }),
  mode: inQuery('mode', 'Where the checkout opens.', { type: 'string', enum: ['redirect', 'popup', 'modal'] }),
  theme: inQuery('theme', 'Left out, it follows the page.', { type: 'string', enum: ['light', 'dark'] }),
  label: inQuery('label', 'What the button says instead of its own words.', line(100)),
  idempotencyKey: {
    name: 'idempotency-key',
    in: 'header',
    description:
      'Any text of your own for this call, a UUID for instance. Sent again with the same key, the call is not done again: its first answer is given again.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  acceptLanguage: {
    name: 'accept-language',
    in: 'header',
    description: 'The language of the disclosure: English or Spanish. English, when neither is asked for.',
    schema: { type: 'string' },
    example: 'es',
  },
  ifNoneMatch: {
    name: 'if-none-match',
    in: 'header',
    description: 'The `etag` of what you have. While it is current, the answer is 304.',
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

/** Everything an answer may carry beside its body. */
export const headers = {
  'x-request-id': { required: true, description: 'Names the request in our log. Quote it when you ask us.', schema: uuid },
  'www-authenticate': {
    required: true,
    description: 'How to authenticate: HTTP Basic, or `Bearer` with what is wrong with the token.',
    schema: { type: 'string' },
  },
  'idempotency-replayed': {
    description: '`true` when this is the answer that was given the first time, to a call with the same `idempotency-key`.',
    schema: { const: 'true' },
  },
  'retry-after': { description: 'Seconds to wait before the next attempt.', schema: { type: 'string', pattern: '^[0-9]+$' } },
  'content-language': {
    required: true,
    description: 'The language of the disclosure.',
    schema: { type: 'string', enum: [...LANGUAGES] },
  },
  link: {
    description: 'While there is another page, its address: `<…>; rel="next"`.',
    schema: { type: 'string', pattern: '^<[^>]+>; rel="next"$' },
  },
  etag: { required: true, description: 'Changes with the content.', schema: { type: 'string' } },
  'cache-control': { required: true, description: 'How long it may be kept.', schema: { type: 'string' } },
  'access-control-allow-origin': {
    description: 'The origin of the page that asks, when it is registered.',
    schema: { type: 'string' },
  },
} as const satisfies Record<string, Header>;
export type HeaderName = keyof typeof headers;

interface Header {
  /** Whether every such answer has it. */
  required?: true;
  description: string;
  schema: JsonSchema;
}
