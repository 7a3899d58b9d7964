import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { retryAfterMs } from '../../shared/retry-after.ts';
import { isSignedWebhook, signWebhook, webhookKey } from '../../shared/webhooks.ts';
import type { EndpointConfig } from '../config/lender.ts';
import { type Clock, epochMs } from '../time.ts';
import { sendWatch } from './send-watch.ts';
import { strictJson } from './strict-json.ts';

export interface Call {
  method: 'GET' | 'POST';
  /** Below the endpoint's address, with a slash at its beginning. */
  path: string;
  /** Of what is asked about. Repeated, the call has the same; it is what signatures are bound to. */
  id: string;
  body?: unknown;
  /** Statuses that answer the question. Whatever else comes is a failure. */
  answers: readonly number[];
}

/**
 * Outcome of a call. `not-taken`: it did not arrive, or was rejected without effect. `unheard`: it may have had its effect, and the
 * response is unknown.
 */
export type Heard = { kind: 'answered'; status: number; body: unknown } | { kind: 'not-taken' | 'unheard' };

/** Details of a failed attempt for the operator, without personal data or text from the lender. */
export interface Trouble {
  path: string;
  id: string;
  attempt: number;
  failure: string;
}

export interface Exchange {
  /** Answers how it ended, and never throws. */
  ask(call: Call): Promise<Heard>;
  close(): Promise<void>;
}

const MOST_ATTEMPTS = 2;
const PAUSE_MS = 250;

/**
 * Asks an endpoint, each request signed, and takes only answers signed likewise. Redirects are not followed.
 *
 * One more attempt is made, in what is left of the time, when the first surely did no harm or a gateway could not pass it on.
 * See decisions/0018.
 */
export function createExchange(endpoint: EndpointConfig, clock: Clock, report: (trouble: Trouble) => void): Exchange {
  const { url, secrets, ca, timeoutMs } = endpoint;
  const nowMs = () => epochMs(clock.now());
  const nowSeconds = () => Math.floor(nowMs() / 1_000);
  const agent = new Agent({
    // A connection may have been closed by the other side just when a request is sent over it: each request has its own.
    pipelining: 0,
    connections: 64,
    maxResponseSize: 65_536,
    // Half of the time leaves room for another attempt.
    connect: { rejectUnauthorized: true, timeout: Math.ceil(timeoutMs / 2), ...(ca !== undefined && { ca }) },
  });

  const attempt = async ({ method, path, id, body, answers }: Call, signal: AbortSignal): Promise<Attempt> => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const watch = sendWatch(agent);
    try {
      const {
        statusCode,
        headers,
        body: stream,
      } = await orAbort(
        request(url + path, {
          method,
          headers: {
            accept: 'application/json',
            'user-agent': 'Fairterm',
            'idempotency-key': id,
            ...(await signWebhook(id, nowSeconds(), text, secrets)),
            ...(body !== undefined && { 'content-type': 'application/json' }),
          },
          body: body === undefined ? null : text,
          dispatcher: watch.dispatcher,
          signal,
        }),
        signal,
      );
      if (!answers.includes(statusCode)) {
        stream.on('error', () => undefined).destroy();
        return {
          ...meaningOf(statusCode),
          failure: `answered ${statusCode}`,
          waitMs: retryAfterMs(headers['retry-after'], nowMs()),
        };
      }
      const bytes = Buffer.from(await orAbort(stream.arrayBuffer(), signal));
      if (!(await isAuthentic(headers, bytes, { id, atSeconds: nowSeconds(), secrets }))) {
        return { ...LOST, failure: `answered ${statusCode} without a signature of now by the secret` };
      }
      const value = strictJson(bytes);
      if (value === undefined) return { ...LOST, failure: `answered ${statusCode} with something else than JSON` };
      return { status: statusCode, body: value };
    } catch (thrown) {
      const { name, code } = thrown as { name?: string; code?: string };
      const failure = signal.aborted ? `no answer within ${timeoutMs} ms` : `the request failed: ${code ?? name ?? 'unknown'}`;
      return { mayBeTaken: watch.isSent(), isRepeated: !watch.isSent(), failure };
    }
  };

  const ask = async (call: Call): Promise<Heard> => {
    const endMs = nowMs() + timeoutMs;
    const signal = AbortSignal.timeout(timeoutMs);
    let mayBeTaken = false;
    for (let count = 1; ; count++) {
      const ended = await attempt(call, signal);
      if ('status' in ended) return { kind: 'answered', ...ended };
      report({ path: call.path, id: call.id, attempt: count, failure: ended.failure });
      mayBeTaken ||= ended.mayBeTaken;
      const waitMs = Math.max(PAUSE_MS, ended.waitMs ?? 0);
      if (count === MOST_ATTEMPTS || !ended.isRepeated || nowMs() + waitMs >= endMs) {
        return { kind: mayBeTaken ? 'unheard' : 'not-taken' };
      }
      await delay(waitMs);
    }
  };
  return { ask, close: () => agent.destroy() };
}

type Attempt = { status: number; body: unknown } | Failed;

interface Failed {
  mayBeTaken: boolean;
  /** Another attempt may end better. */
  isRepeated: boolean;
  failure: string;
  /** For how long it is asked to be left alone. */
  waitMs?: number | undefined;
}

const LOST = { mayBeTaken: true, isRepeated: false };

/** How far the clocks of both sides may differ, by the Standard Webhooks specification. */
const TOLERANCE_SECONDS = 300;

/** Returns true if a response is about the request with this id, was sent within five minutes, and is signed with one of the secrets. */
async function isAuthentic(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: Uint8Array,
  expected: { id: string; atSeconds: number; secrets: readonly string[] },
): Promise<boolean> {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers;
  if (id !== expected.id || typeof timestamp !== 'string' || typeof signature !== 'string') return false;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(Number(timestamp) - expected.atSeconds) > TOLERANCE_SECONDS) return false;
  return isSignedWebhook({ id, timestamp, signature, body }, await Promise.all(expected.secrets.map(webhookKey)));
}

/** What a status means that answers nothing. */
function meaningOf(status: number): Pick<Failed, 'mayBeTaken' | 'isRepeated'> {
  if (status === 429 || status === 503) return { mayBeTaken: false, isRepeated: true };
  if (status === 502 || status === 504) return { mayBeTaken: true, isRepeated: true };
  const isTurnedAway = status >= 400 && status < 500 && status !== 408 && status !== 409;
  return isTurnedAway ? { mayBeTaken: false, isRepeated: false } : LOST;
}

/** An abort does not interrupt a connection that is not yet established, so do not wait for it. */
async function orAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => undefined);
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
