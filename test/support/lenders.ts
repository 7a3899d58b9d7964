/** Lenders: their data in programs, and a remote lender on a socket. */
import type { Program } from '../../shared/programs/program.ts';
import { spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { type LenderConfig, lenderIn } from '../../server/base/config/lender.ts';
import type { CreditScore } from '../../server/lending/applications/decision.ts';
import { ServiceError } from '../../server/base/errors.ts';
import type { NoticeEvent } from '../../server/lending/lenders/events.ts';
import { type Lender, UnknownOutcomeError } from '../../server/lending/lenders/lender.ts';
import { remoteLender } from '../../server/lending/lenders/remote-lender.ts';
import type { SendResult, SignedRequest } from '../../server/lending/lenders/signed-client.ts';
import type { Mode } from '../../server/base/mode.ts';
import { certificate } from './http.ts';
import { onCleanup } from './cleanup.ts';
import type { Json } from './conformance.ts';
import { codeBlock } from './docs.ts';
import { freePort } from './network.mjs';
import { until } from './time.ts';

type LenderFacts = Program['lender'];

export const bureau = {
  name: 'Example Credit Reports',
  address: 'P.O. Box 1000, Springfield, IL 62701',
  phone: '1-800-555-0101',
  website: 'https://credit-reports.example',
} satisfies LenderFacts['creditBureau'];

export const regulator = {
  name: 'Example Bank Regulator',
  address: '1 Agency Square, Washington, DC 20001',
} satisfies LenderFacts['regulator'];

/** A score that was used in a denial. */
export const creditScore: CreditScore = {
  value: 521,
  min: 300,
  max: 850,
  date: '2026-11-20',
  factors: ['Balances are too high', 'Number of recent inquiries'],
  bureau: {
    name: 'Score Bureau',
    address: '9 Score Street, Austin, TX 78701',
    phone: '1-800-555-0199',
    website: 'https://score.example',
  },
  ranksAbovePercent: 22,
};

/** A lender with all data that an adverse action notice must contain. */
export const knownLender: LenderFacts = {
  name: 'Example Bank',
  licenses: {},
  address: '1 Example Plaza, Wilmington, DE 19801',
  phone: '1-800-555-0100',
  regulator,
  creditBureau: bureau,
};

/** A lender with only the required data. */
export const unknownLender: LenderFacts = { name: 'Example Bank', licenses: {} };

/** A lender that makes no decisions. */
export const noLender: Lender = {
  decide: () => Promise.reject(new ServiceError('lender-unavailable', 'No lender is available at the moment.')),
  decisionOf: () => Promise.reject(new UnknownOutcomeError('No lender is configured.')),
  accept: () => Promise.reject(new UnknownOutcomeError('No lender is configured.')),
  record: () => Promise.reject(new UnknownOutcomeError('No lender is configured.')),
};

/** The remote lender, to whose requests `lender` responds. An invalid response leaves the outcome unknown, as one over HTTPS does. */
export function respondingLender(lender: Lender, mode: Mode = 'sandbox'): Lender {
  const asking = (respond: () => Promise<unknown>) => remoteLender({ send: (request) => received(request, respond) }, mode);
  return {
    decide: (request) => asking(() => lender.decide(request)).decide(request),
    decisionOf: (request) => asking(() => lender.decisionOf(request)).decisionOf(request),
    accept: (loan, program) => asking(() => lender.accept(loan, program)).accept(loan, program),
    record: (event) => asking(() => lender.record(event)).record(event),
  };
}

async function received<T>({ parse }: SignedRequest<T>, respond: () => Promise<unknown>): Promise<SendResult<T>> {
  const response = await respond();
  const outcome = typeof response === 'string' ? response : undefined;
  const status = outcome === 'undecided' ? 202 : outcome === 'unknown' ? 404 : 200;
  const body = outcome === undefined ? response : { outcome };
  const parsed = parse({ status, body });
  return 'fault' in parsed
    ? { kind: 'unknown', statusCode: status, failure: parsed.fault, invalid: { fault: parsed.fault, body } }
    : { kind: 'response', content: parsed.content };
}

/** A request that a lender received. */
export interface LenderRequest {
  method: string;
  path: string;
  /** The id of the request or the agreement. */
  id: string;
  headers: IncomingMessage['headers'];
  body: Json;
}

export interface TestLender {
  endpoint: LenderConfig;
  /** Requests with a valid signature, oldest first, without events of notices. */
  requests: LenderRequest[];
  /** Bodies of the events of notices, oldest first. */
  notices: (NoticeEvent & { id: string; at: string; applicationId: string })[];
  /** Errors of rejected requests. */
  rejected: string[];
  /** Number of connections, including those without a request. */
  connections: number;
}

/** Handles a request to a lender: responds, or does anything else with the socket. */
export type Responder = (response: ServerResponse, lenderRequest: LenderRequest) => void | Promise<void>;

export const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes, ok').toString('base64')}`;

/** Returns a handler that responds with JSON and a signature by `secret` for the request. */
export const respondsWith =
  (respond: unknown, status = 200, secret = SECRET): Responder =>
  (response, { id }) => {
    const body = typeof respond === 'string' || Buffer.isBuffer(respond) ? respond : JSON.stringify(respond);
    response.writeHead(status, { 'content-type': 'application/json', ...signatureOf(id, body, { secret }) }).end(body);
  };

/** Returns a handler that responds without a signature, like a proxy between the service and the lender. */
export const respondsUnsigned =
  (status: number, headers: Record<string, string> = {}, body = ''): Responder =>
  (response) =>
    void response.writeHead(status, headers).end(body);

/** Returns the signature headers of a response. Text is signed with the Standard Webhooks library, which does not support bytes. */
export function signatureOf(
  id: string,
  body: string | Buffer,
  { secret = SECRET, at = new Date() } = {},
): Record<string, string> {
  const atSeconds = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const bytesHmac = () => createHmac('sha256', key).update(`${id}.${atSeconds}.`).update(body).digest('base64');
  const signature = typeof body === 'string' ? new Webhook(secret).sign(id, at, body) : `v1,${bytesHmac()}`;
  return { 'webhook-id': id, 'webhook-timestamp': atSeconds, 'webhook-signature': signature };
}

/** Returns a handler that uses the first of `responders` for the first request, and so on. It repeats the last one. */
export const inTurn = (...responders: Responder[]): Responder => {
  let turn = 0;
  return (response, lenderRequest) => responders[Math.min(turn++, responders.length - 1)]!(response, lenderRequest);
};

/** Starts a lender at `localhost`, over HTTPS unless `isPlain`. It verifies each request with the Standard Webhooks library. */
export async function startLender(
  respond: Responder,
  { isPlain = false, ...endpoint }: Partial<LenderConfig> & { isPlain?: boolean } = {},
): Promise<TestLender> {
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const { method = '', url: path = '', headers } = request;
    const body = await text(request);
    const error = verificationError(headers, body);
    if (error) {
      lender.rejected.push(error);
      response.writeHead(401).end();
      return;
    }
    const lenderRequest = {
      method,
      path,
      headers,
      id: headers['webhook-id'] as string,
      body: body === '' ? undefined : JSON.parse(body),
    };
    // Notices are recorded without a turn, so that responders in turn are those of decisions, agreements and other events.
    if (['notice', 'notice-delivery'].includes(lenderRequest.body?.type)) {
      lender.notices.push(lenderRequest.body);
      await respondsWith({ outcome: 'recorded' })(response, lenderRequest);
      return;
    }
    lender.requests.push(lenderRequest);
    await respond(response, lenderRequest);
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => void handle(request, response).catch(() => undefined);
  const server = isPlain
    ? createHttpServer(listener)
    : createHttpsServer({ cert: certificate.ca, key: readFileSync(certificate.keyFile) }, listener);
  server.listen(0);
  await once(server, 'listening');
  server.on('connection', () => (lender.connections += 1));
  onCleanup(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const url = `${isPlain ? 'http' : 'https'}://localhost:${port}/fairterm`;
  const lender: TestLender = {
    endpoint: { url, secrets: [SECRET], ca: certificate.ca.toString(), timeoutMs: 20_000, ...endpoint },
    requests: [],
    notices: [],
    rejected: [],
    connections: 0,
  };
  return lender;
}

function verificationError(headers: IncomingMessage['headers'], body: string): string | undefined {
  try {
    new Webhook(SECRET).verify(body, headers as Record<string, string>);
  } catch (thrown) {
    return (thrown as Error).message;
  }
  return headers['idempotency-key'] === headers['webhook-id'] ? undefined : 'The Idempotency-Key differs from the webhook-id';
}

/**
 * Starts the example lender of `server/docs/lenders.md` in a child process.
 *
 * @param hasTestBuyers - Whether it has the credit policy of the reference lender instead of its own.
 */
export async function startGuideLender({ hasTestBuyers = false } = {}): Promise<LenderConfig> {
  const port = await freePort();
  const own = codeBlock('server/docs/lenders.md', 'lender');
  const policy = `import { decide as decideAt } from './demo/lender/decide.ts'; const decide = (body) => decideAt(body, Date.now());`;
  const code = hasTestBuyers ? own.replace(/\nfunction decide\([^]*$/, policy) : own;
  const loader = ['--import', './test/support/typescript.mjs'];
  const child = spawn(process.execPath, [...loader, '--input-type=module', '--eval', code], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { PATH: process.env['PATH'], LENDER_SECRET: SECRET, LENDER_PORT: String(port) },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  onCleanup(() => child.kill('SIGKILL'));
  const url = `http://localhost:${port}`;
  await until(async () => (await fetch(url).catch(() => undefined))?.status === 400);
  return lenderIn({ LENDER_URL: url, LENDER_SECRET: SECRET }, 'sandbox')!;
}
