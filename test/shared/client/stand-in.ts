import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
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

/** A response: a status, headers and a body, or a function that handles the connection. */
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

/** Never responds, and leaves the connection open. */
export const silence: TestResponse = () => undefined;

/**
 * Starts a server on loopback that sends the responses in order, repeats the last one, and records the requests. Its client
 * does not wait in real time: waits are recorded in `waitsMs` and advance its clock.
 */
export async function givenResponses(responses: readonly TestResponse[], options: Partial<FairtermOptions> = {}) {
  const requests: Request[] = [];
  const waitsMs: number[] = [];
  const { url, stop } = await listening((incoming, response) => {
    void text(incoming).then((body) => {
      const request = { method: incoming.method!, path: incoming.url!, headers: incoming.headers, body };
      requests.push(request);
      const planned = responses[Math.min(requests.length, responses.length) - 1]!;
      if (typeof planned === 'function') return planned(response, request);
      response.writeHead(planned.status, { 'x-request-id': `r-${requests.length}`, ...planned.headers });
      return response.end(planned.text ?? (planned.body === undefined ? '' : JSON.stringify(planned.body)));
    });
  });
  let nowMs = Date.UTC(2026, 10, 21);
  let keys = 0;
  const runtime: FairtermOptions['runtime'] = {
    now: () => nowMs,
    random: () => 0,
    newIdempotencyKey: () => `key-${++keys}`,
    wait: (ms, signal) => {
      waitsMs.push(ms);
      nowMs += ms;
      signal?.throwIfAborted();
      return Promise.resolve();
    },
    ...options.runtime,
  };
  const fairterm = new Fairterm({ serviceUrl: url, apiKey, secret, ...options, runtime });
  /** Lets time go by. */
  const pass = (ms: number) => void (nowMs += ms);
  return { fairterm, url, requests, waitsMs, stop, pass, service: { serviceUrl: url, ...options, runtime } };
}

export const keysOf = (requests: readonly Request[]) => requests.map(({ headers }) => headers['idempotency-key']);

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
  basis: { programVersion: 1, calculationVersion: 1, disclosureVersion: 1, date: '2026-11-21' },
};
