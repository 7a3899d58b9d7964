import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { Fairterm, type FairtermOptions } from '../../../shared/client/index.ts';
import { listening } from '../../demo/listening.ts';

export const apiKey = 'ft_sandbox_key_AbC123';
export const secret = 'ft_sandbox_secret_dEf456';

export interface Request {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
}

/** A response: its status, headers and body, or a function that handles the request. */
export type TestResponse =
  | { status: number; headers?: Record<string, string>; body?: unknown; text?: string }
  | ((response: ServerResponse, request: Request) => void);

export const errorResponse = (status: number, code?: string, headers: Record<string, string> = {}): TestResponse => ({
  status,
  headers,
  body: { description: `No: ${code ?? 'none'}`, error: true, type: 'INTERNAL_ERROR', ...(code && { code }) },
});

/** The response of the service to an internal error. */
export const fault = errorResponse(500, 'fault');

/** Closes the connection without a response. */
export const hangUp: TestResponse = (response) => void response.destroy();

/** Never responds and leaves the connection open. */
export const noResponse: TestResponse = () => undefined;

/**
 * Starts a server on loopback that sends the responses in order, repeats the last one, and records the requests. The returned client
 * does not wait: its waits are recorded in `waitsMs` and advance its clock.
 */
export async function createStandIn(responses: readonly TestResponse[], options: Partial<FairtermOptions> = {}) {
  const requests: Request[] = [];
  const waitsMs: number[] = [];
  const { url, stop } = await listening((incoming, response) => {
    void text(incoming).then((body) => {
      const request = { method: incoming.method!, path: incoming.url!, headers: incoming.headers, body };
      requests.push(request);
      const nextResponse = responses[Math.min(requests.length, responses.length) - 1]!;
      if (typeof nextResponse === 'function') return nextResponse(response, request);
      response.writeHead(nextResponse.status, { 'x-request-id': `r-${requests.length}`, ...nextResponse.headers });
      return response.end(nextResponse.text ?? (nextResponse.body === undefined ? '' : JSON.stringify(nextResponse.body)));
    });
  });
  let nowMs = Date.UTC(2026, 10, 21);
  let keyCount = 0;
  const runtime: FairtermOptions['runtime'] = {
    now: () => nowMs,
    random: () => 0,
    newIdempotencyKey: () => `key-${++keyCount}`,
    wait: (ms, signal) => {
      waitsMs.push(ms);
      nowMs += ms;
      signal?.throwIfAborted();
      return Promise.resolve();
    },
    ...options.runtime,
  };
  const fairterm = new Fairterm({ serviceUrl: url, apiKey, secret, ...options, runtime });
  const advanceClock = (ms: number) => void (nowMs += ms);
  return { fairterm, url, requests, waitsMs, stop, advanceClock, service: { serviceUrl: url, ...options, runtime } };
}

export const keysOf = (requests: readonly Request[]) => requests.map(({ headers }) => headers['idempotency-key']);

/** Returns everything that a log could contain of a value. */
export const loggable = (value: unknown): string =>
  [inspect(value, { depth: 20, showHidden: true }), JSON.stringify(value), String(value), (value as Error).stack].join('\n');

export const quote = {
  asLowAs: {
    monthly: 2_307,
    amount: '$23.07',
    termLength: 24,
    termInterval: 'Month',
    apr: 0.0999,
    minApr: 0.0599,
    maxApr: 0.2999,
    asLowAsText: 'As low as',
  },
  financingProgramId: 'p',
  basis: { programVersion: 1, calculationVersion: 1, disclosureVersion: 2, date: '2026-11-21' },
};
