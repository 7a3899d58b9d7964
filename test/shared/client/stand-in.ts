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

/** One answer: a status, headers and a body, or what to do with the connection. */
export type Answer =
  | { status: number; headers?: Record<string, string>; body?: unknown; text?: string }
  | ((response: ServerResponse, request: Request) => void);

export const refusal = (status: number, code?: string, headers: Record<string, string> = {}): Answer => ({
  status,
  headers,
  body: { description: `No: ${code ?? 'none'}`, error: true, type: 'INTERNAL_ERROR', ...(code && { code }) },
});

/** How the service answers when it has a fault. */
export const fault = refusal(500, 'fault');

/** The connection ends without an answer. */
export const hangUp: Answer = (response) => void response.destroy();

/** Nothing comes, and the connection stays. */
export const silence: Answer = () => undefined;

/**
 * A server on loopback that answers one request after the other as told, the last answer from then on, and keeps what it was
 * asked. Its client waits no real time: what it would have waited stands in `waitsMs`, and its clock goes on by as much.
 */
export async function givenAnswers(answers: readonly Answer[], options: Partial<FairtermOptions> = {}) {
  const requests: Request[] = [];
  const waitsMs: number[] = [];
  const { url, stop } = await listening((incoming, response) => {
    void text(incoming).then((body) => {
      const request = { method: incoming.method!, path: incoming.url!, headers: incoming.headers, body };
      requests.push(request);
      const answer = answers[Math.min(requests.length, answers.length) - 1]!;
      if (typeof answer === 'function') return answer(response, request);
      response.writeHead(answer.status, { 'x-request-id': `r-${requests.length}`, ...answer.headers });
      return response.end(answer.text ?? (answer.body === undefined ? '' : JSON.stringify(answer.body)));
    });
  });
  let nowMs = Date.UTC(2026, 10, 21);
  let keys = 0;
  const runtime: FairtermOptions['runtime'] = {
    now: () => nowMs,
    random: () => 0,
    newKey: () => `key-${++keys}`,
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
