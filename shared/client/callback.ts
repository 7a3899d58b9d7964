import { is, nonempty, string, type } from 'superstruct';
import { isSignedWebhook, webhookKey } from '../webhooks.ts';
import type { Event } from '../wire/event.ts';
import type { TestEvent } from '../wire/webhook.ts';
import { defaultRuntime } from './options.ts';

export type CallbackErrorCode = 'missing-header' | 'stale' | 'bad-signature' | 'invalid-body';

/** The callback or event is not authentic. Respond with a status other than 2xx, for example 400. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError';
  readonly code: CallbackErrorCode;

  constructor(code: CallbackErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** A `Headers` object, Node's `request.headers`, or a record. Names are case-insensitive. */
export type CallbackHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export interface SignedCallback {
  /** The body as received: text or bytes, not parsed. */
  body: string | Uint8Array;
  headers: CallbackHeaders;
  /** Your callback secrets, or those of the webhook, `whsec_…`. During a rotation, pass both. */
  secrets: string | readonly string[];
  /** Maximum age of the callback, and maximum difference of the clocks. Default: 5 minutes. */
  toleranceMs?: number;
  /** Milliseconds since 1970. Default: the current time. */
  now?: number;
}

export interface Callback {
  /** The same for every delivery of this callback, which can arrive more than once. */
  id: string;
  transactionId: string;
  /** The `orderRef` of the cart; empty if it has none. */
  orderRef: string;
}

const CallbackBody = type({ transactionId: nonempty(string()), orderRef: string() });

const FIVE_MINUTES_MS = 300_000;

/**
 * Verifies the signature and age of a callback, and returns its content.
 *
 * Compare the transaction's total with your order before you authorize it: the signature authenticates the sender, not the order.
 *
 * @throws CallbackError if the callback is not authentic. `code` is the reason.
 * @throws TypeError if `secrets` is missing, empty or invalid, or if `body` was parsed.
 */
export async function verifyCallback(callback: SignedCallback): Promise<Callback> {
  const { id, body } = await verified(callback);
  if (!is(body, CallbackBody)) throw new CallbackError('invalid-body', 'body: expected a transactionId and an orderRef');
  return { id, transactionId: body.transactionId, orderRef: body.orderRef };
}

const EventBody = type({ id: nonempty(string()), type: nonempty(string()), createdAt: string(), data: type({}) });

/**
 * Verifies the signature and age of an event that a webhook received, and returns it. Its `id` is the same in every delivery.
 *
 * A newer service may send events of types that this version does not know: respond 2xx to them, too.
 *
 * @throws CallbackError if the event is not authentic. `code` is the reason.
 * @throws TypeError if `secrets` is missing, empty or invalid, or if `body` was parsed.
 * @example
 * const event = await verifyWebhook({ body, headers, secrets });
 * if (event.type === 'transaction.refunded') await bookRefund(event.data.orderRef, event.data.amount);
 */
export async function verifyWebhook(webhook: SignedCallback): Promise<Event | TestEvent> {
  const { body } = await verified(webhook);
  if (!is(body, EventBody)) throw new CallbackError('invalid-body', 'body: expected an event');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the service, which signed it, defines the data of each type
  return body as Event | TestEvent;
}

/** Returns the id and the parsed body of an authentic message. @throws CallbackError */
async function verified(callback: SignedCallback): Promise<{ id: string; body: unknown }> {
  const { headers, secrets, toleranceMs = FIVE_MINUTES_MS, now = defaultRuntime.now() } = callback;
  const body = bytesOf(callback.body);
  const keys = await Promise.all(listOf(secrets).map(webhookKey));

  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signature = headerOf(headers, 'webhook-signature');
  // Seconds since 1970.
  const sentAtMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1_000 : Number.NaN;
  // Negated, so that an invalid timestamp (NaN) is rejected.
  if (!(Math.abs(now - sentAtMs) <= toleranceMs)) {
    throw new CallbackError('stale', `webhook-timestamp: expected a time within ${toleranceMs} ms of now`);
  }

  const isAuthentic = await isSignedWebhook({ id, timestamp, signature, body }, keys);
  if (!isAuthentic)
    throw new CallbackError('bad-signature', 'webhook-signature: expected a signature of this body by a given secret');
  return { id, body: parsed(body) };
}

/** The value is often an environment variable, which may not be set. */
function listOf(secrets: unknown): readonly unknown[] {
  const list: unknown = typeof secrets === 'string' ? [secrets] : secrets;
  if (!Array.isArray(list) || list.length === 0) {
    throw new TypeError(
      'secrets: expected at least one callback secret, whsec_…, but received none; the environment variable may not be set',
    );
  }
  return list;
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('body: expected the body as received, a string or bytes, but received a parsed value');
}

function headerOf(headers: CallbackHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : recordedHeader(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new CallbackError('missing-header', `${name}: expected the header once`);
}

/** Returns the header; undefined if it is missing, or ambiguous because it occurs more than once. */
function recordedHeader(headers: Record<string, unknown>, name: string): unknown {
  const values = Object.keys(headers)
    .filter((key) => key.toLowerCase() === name)
    .flatMap((key) => headers[key] ?? []);
  return values.length === 1 ? values[0] : undefined;
}

/** Returns the parsed body; undefined if it is not JSON. The parser's message would quote it. */
function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return undefined;
  }
}
