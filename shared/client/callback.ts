import { is, nonempty, string, type } from 'superstruct';
import { isSignedWebhook, webhookKey } from '../webhooks.ts';
import { ownPlatform } from './platform.ts';

/** Why a callback is rejected. */
export type CallbackFault = 'missing-header' | 'stale' | 'bad-signature' | 'unusable-body';

/** Answer it with a status that is not 2xx. */
export class CallbackError extends Error {
  override readonly name = 'CallbackError';
  readonly fault: CallbackFault;

  constructor(fault: CallbackFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** A `Headers`, Node's `request.headers`, or any record; names in any case. */
export type CallbackHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

export interface SignedCallback {
  /** The body as it arrived: as text or bytes, before anything parsed it. */
  body: string | Uint8Array;
  headers: CallbackHeaders;
  /** The secrets of your callbacks, `whsec_…`: several while one takes the place of another. */
  secrets: string | readonly string[];
  /** How far the sender's clock and yours may be apart; 5 minutes by default. */
  toleranceMs?: number;
  /** Milliseconds since 1970; the clock by default. */
  now?: number;
}

export interface Callback {
  /** The same each time this callback is sent; it can arrive more than once. */
  id: string;
  transactionId: string;
  /** The `orderRef` of the cart; empty when it had none. */
  orderRef: string;
}

const CallbackBody = type({ transactionId: nonempty(string()), orderRef: string() });

const FIVE_MINUTES_MS = 300_000;

/**
 * What a callback says, once it is known to come from the service and to be as it was sent.
 *
 * Compare the transaction's total with your order's before you authorize: a signature says who speaks, not that the
 * order is right.
 *
 * @throws CallbackError - the callback is not authentic, see its `fault`.
 * @throws TypeError - a mistake of the caller: `secrets` is not set, is empty or holds what is no secret of callbacks, or `body`
 *   was parsed before.
 */
export async function verifyCallback(callback: SignedCallback): Promise<Callback> {
  const { headers, secrets, toleranceMs = FIVE_MINUTES_MS, now = ownPlatform.now() } = callback;
  const body = bytesOf(callback.body);
  const keys = await Promise.all(listOf(secrets).map(webhookKey));

  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signature = headerOf(headers, 'webhook-signature');
  const sentAtMs = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) * 1_000 : Number.NaN;
  if (!(Math.abs(now - sentAtMs) <= toleranceMs)) throw new CallbackError('stale', 'The callback is too old, or from the future');

  const isAuthentic = await isSignedWebhook({ id, timestamp, signature, body }, keys);
  if (!isAuthentic) throw new CallbackError('bad-signature', 'The callback was not signed with a known secret, or was changed');
  return { id, ...contentOf(body) };
}

/** The value is often an environment variable, which may not be set. */
function listOf(secrets: unknown): readonly unknown[] {
  const all: unknown = typeof secrets === 'string' ? [secrets] : secrets;
  if (!Array.isArray(all))
    throw new TypeError('Expected secrets to be a callback secret, whsec_…, or a list of them; it may not be set');
  if (all.length === 0) throw new TypeError('Expected at least one callback secret');
  return all;
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('Expected the body as it arrived, a string or bytes: what was parsed cannot be verified');
}

function headerOf(headers: CallbackHeaders, name: string): string {
  const value = typeof headers.get === 'function' ? headers.get(name) : recordedHeader(headers, name);
  if (typeof value === 'string' && value !== '') return value;
  throw new CallbackError('missing-header', `The callback has no ${name}`);
}

/** Returns the header; undefined if it is missing, or ambiguous because it occurs more than once. */
function recordedHeader(headers: Record<string, unknown>, name: string): unknown {
  const values = Object.keys(headers)
    .filter((key) => key.toLowerCase() === name)
    .flatMap((key) => headers[key] ?? []);
  return values.length === 1 ? values[0] : undefined;
}

function contentOf(bytes: Uint8Array): Omit<Callback, 'id'> {
  try {
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (is(body, CallbackBody)) return { transactionId: body.transactionId, orderRef: body.orderRef };
  } catch {
    // The parser's message quotes the body, so the error below replaces it.
  }
  throw new CallbackError('unusable-body', 'The callback is signed, but its body is not a transactionId and an orderRef');
}
