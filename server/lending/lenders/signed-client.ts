import { failureOf } from '../../base/errors.ts';
import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type Dispatcher, request } from 'undici';
import { retryAfterMs } from '../../../shared/retry-after.ts';
import { isSignedWebhook, signWebhook, webhookKey } from '../../../shared/webhooks.ts';
import { findUnsafeJson } from '../../../shared/wire/unsafe-json.ts';
import type { LenderConfig } from '../../base/config/lender.ts';
import { type Clock, epochMs } from '../../base/time.ts';
import type { LenderCallTable } from '../../db/schema.ts';
import type { Parsed } from './fault.ts';

export interface SignedRequest<T> {
  method: 'GET' | 'POST';
  /** Path below the endpoint's URL, with a leading slash. */
  path: string;
  /** Idempotency key. It is part of the signatures. */
  id: string;
  body?: unknown;
  /** Statuses of valid responses. All others are failures. */
  expectedStatuses: readonly number[];
  parse(response: SignedResponse): Parsed<T>;
}

/** A response with an expected status and a valid signature. */
export interface SignedResponse {
  status: number;
  body: unknown;
}

/**
 * Outcome of a request. `not-processed`: it was not received, or was rejected without effect. `unknown`: there was no valid response,
 * so it may have been processed.
 */
export type SendResult<T> =
  | { kind: 'response'; content: T }
  /** `statusCode`, `failure` and `invalid` are those of the last attempt. */
  | { kind: 'not-processed' | 'unknown'; statusCode: number | null; failure: string; invalid?: InvalidBody | undefined };

/** The body of a signed response that is invalid, and its fault, which has no value of it. The body is undefined if it is not JSON. */
export interface InvalidBody {
  fault: string;
  body: unknown;
}

/** An attempt of a request for the operator, without personal data or text from the lender. `id` is that of the request. */
export type Attempt = Omit<LenderCallTable, 'id' | 'direction' | 'subjectId'> & { id: string };

export interface SignedClient {
  /** Never rejects. */
  send<T>(request: SignedRequest<T>): Promise<SendResult<T>>;
  close(): Promise<void>;
}

const MAX_ATTEMPTS = 2;
const RETRY_PAUSE_MS = 250;

/** Maximum difference of the clocks of both servers, from the Standard Webhooks specification. */
const TOLERANCE_SECONDS = 300;

/**
 * Sends signed requests to an endpoint and accepts only signed responses. Does not follow redirects.
 *
 * Retries once within the timeout if the first attempt had no effect or failed at a gateway (decisions/0018).
 */
export function createSignedClient(
  { url, secrets, ca, timeoutMs }: LenderConfig,
  clock: Clock,
  onAttempt: (attempt: Attempt) => void,
): SignedClient {
  const nowMs = () => epochMs(clock.now());
  const nowSeconds = () => Math.floor(nowMs() / 1_000);
  const agent = createAgent({ ca, timeoutMs });

  const attempt = async <T>(
    { method, path, id, body, expectedStatuses, parse }: SignedRequest<T>,
    signal: AbortSignal,
  ): Promise<Success<T> | Failure> => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const { dispatcher, isSent } = trackSent(agent);
    try {
      const response = request(url + path, {
        method,
        headers: await signedHeaders({ id, text, hasBody: body !== undefined, atSeconds: nowSeconds(), secrets }),
        body: body === undefined ? null : text,
        dispatcher,
        signal,
      });
      const { statusCode, headers, body: stream } = await orAbort(response, signal);
      if (!expectedStatuses.includes(statusCode)) {
        stream.on('error', () => undefined).destroy();
        const waitMs = retryAfterMs(headers['retry-after'], nowMs());
        return { ...effectOfStatus(statusCode), statusCode, failure: `responded with ${statusCode}`, waitMs };
      }
      const bytes = Buffer.from(await orAbort(stream.arrayBuffer(), signal));
      const opened = await openResponse(headers, bytes, { id, atSeconds: nowSeconds(), secrets });
      if ('fault' in opened) {
        const isSigned = opened.fault === NOT_JSON;
        return invalid(statusCode, opened.fault, isSigned ? { fault: 'body: expected JSON', body: undefined } : undefined);
      }
      const { content: responseBody } = opened;
      const parsed = parse({ status: statusCode, body: responseBody });
      if ('fault' in parsed) {
        return invalid(statusCode, `with an invalid response: ${parsed.fault}`, { fault: parsed.fault, body: responseBody });
      }
      return { content: parsed.content, statusCode };
    } catch (thrown) {
      const failure = signal.aborted ? `no answer within ${timeoutMs} ms` : `the request failed: ${failureOf(thrown)}`;
      return { mayBeProcessed: isSent(), isRetryable: !isSent(), statusCode: null, failure };
    }
  };

  const send = async <T>(signedRequest: SignedRequest<T>): Promise<SendResult<T>> => {
    const endMs = nowMs() + timeoutMs;
    const signal = AbortSignal.timeout(timeoutMs);
    let mayBeProcessed = false;
    for (let count = 1; ; count++) {
      const startedAt = clock.now();
      const startMs = performance.now();
      const result = await attempt(signedRequest, signal);
      const { method, path, id } = signedRequest;
      const { statusCode } = result;
      const failure = 'content' in result ? '' : result.failure;
      const durationMs = Math.round(performance.now() - startMs);
      onAttempt({ method, path, id, attempt: count, startedAt, durationMs, statusCode, failure });
      if ('content' in result) return { kind: 'response', content: result.content };
      mayBeProcessed ||= result.mayBeProcessed;
      const waitMs = Math.max(RETRY_PAUSE_MS, result.waitMs ?? 0);
      if (count === MAX_ATTEMPTS || !result.isRetryable || nowMs() + waitMs >= endMs) {
        return { kind: mayBeProcessed ? 'unknown' : 'not-processed', statusCode, failure, invalid: result.invalid };
      }
      await delay(waitMs);
    }
  };
  return { send, close: () => agent.destroy() };
}

export function createAgent({ ca, timeoutMs }: Pick<LenderConfig, 'ca' | 'timeoutMs'>): Agent {
  return new Agent({
    // Without keep-alive, because the server may close an idle connection while a request is sent over it.
    pipelining: 0,
    connections: 64,
    maxResponseSize: 65_536,
    // Leaves time for another attempt.
    connect: { rejectUnauthorized: true, timeout: Math.ceil(timeoutMs / 2), ...(ca !== undefined && { ca }) },
  });
}

/** Returns the headers of a request, with one signature for each secret. */
export async function signedHeaders({
  id,
  text,
  hasBody,
  atSeconds,
  secrets,
}: {
  id: string;
  text: string;
  hasBody: boolean;
  atSeconds: number;
  secrets: readonly string[];
}): Promise<Record<string, string>> {
  return {
    accept: 'application/json',
    'user-agent': 'Fairterm',
    'idempotency-key': id,
    ...(await signWebhook(id, atSeconds, text, secrets)),
    ...(hasBody && { 'content-type': 'application/json' }),
  };
}

interface Success<T> {
  content: T;
  statusCode: number;
}

interface Failure {
  mayBeProcessed: boolean;
  isRetryable: boolean;
  /** Null without a response. */
  statusCode: number | null;
  failure: string;
  /** The response's `Retry-After`. */
  waitMs?: number | undefined;
  invalid?: InvalidBody | undefined;
}

const UNKNOWN_EFFECT = { mayBeProcessed: true, isRetryable: false };

/** Returns the failure of a response with an expected status that is not valid. @param body - Only of a response with a valid signature. */
function invalid(statusCode: number, reason: string, body?: InvalidBody): Failure {
  return { ...UNKNOWN_EFFECT, statusCode, failure: `responded with ${statusCode} ${reason}`, invalid: body };
}

/** The fault of a signed body. All other faults of a response that is opened are those of its signature. */
const NOT_JSON = 'with a body that is not JSON';

/**
 * Returns the body of a response that is about the request with this id, was sent within five minutes, and is signed with one of the
 * secrets.
 */
export async function openResponse(
  { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature }: IncomingHttpHeaders,
  body: Uint8Array,
  expected: { id: string; atSeconds: number; secrets: readonly string[] },
): Promise<Parsed<unknown>> {
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signature !== 'string') {
    return { fault: 'without webhook-id, webhook-timestamp and webhook-signature' };
  }
  if (id !== expected.id) return { fault: 'with a webhook-id that is not that of the request' };
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) - expected.atSeconds) > TOLERANCE_SECONDS) {
    return { fault: 'with a webhook-timestamp that is not within five minutes' };
  }
  const keys = await Promise.all(expected.secrets.map(webhookKey));
  if (!(await isSignedWebhook({ id, timestamp, signature, body }, keys))) {
    return { fault: 'with a webhook-signature that does not match the body' };
  }
  const value = parseStrictJson(body);
  return value === undefined ? { fault: NOT_JSON } : { content: value };
}

/** Returns whether a request with this unexpected status may have been processed. */
function effectOfStatus(status: number): Pick<Failure, 'mayBeProcessed' | 'isRetryable'> {
  if (status === 429 || status === 503) return { mayBeProcessed: false, isRetryable: true };
  if (status === 502 || status === 504) return { mayBeProcessed: true, isRetryable: true };
  return isRejection(status) ? { mayBeProcessed: false, isRetryable: false } : UNKNOWN_EFFECT;
}

/** Returns true for a status that rejects a request without effect, permanently. */
export function isRejection(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429;
}

/** Rejects when the signal aborts: undici does not interrupt connections that are not established yet. */
async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  // If the signal aborts first, nothing else handles a later rejection.
  work.catch(() => undefined);
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * Returns a dispatcher for one request, and a function that returns true after a part of the request was sent. Before the connection,
 * including TLS, is established, the request cannot have had an effect.
 */
function trackSent(agent: Agent): { dispatcher: Dispatcher; isSent(): boolean } {
  let isSent = false;
  const tracking = (handler: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler => ({
    // Called when a connection is ready, right before the first byte is written.
    onRequestStart: (...args) => {
      isSent = true;
      handler.onRequestStart?.(...args);
    },
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
  const dispatcher = agent.compose((dispatch) => (options, handler) => dispatch(options, tracking(handler)));
  return { dispatcher, isSent: () => isSent };
}

/**
 * Parses JSON that all parsers read in the same way: valid UTF-8 without a byte order mark, and without duplicate or unsafe names.
 *
 * @returns The value, or undefined if it is invalid.
 */
export function parseStrictJson(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    if (findUnsafeJson(value) !== undefined || countNamesInText(text) !== countNames(value)) return undefined;
    return value;
  } catch {
    return undefined;
  }
}

/** Counts the names in the text of valid JSON: strings followed by a colon. */
function countNamesInText(text: string): number {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon).length;
}

/** Counts the names in a parsed value. */
function countNames(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, child) => sum + countNames(child), 0);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}
