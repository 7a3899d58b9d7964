import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { ServiceError } from '../../../../server/base/errors.ts';
import { UnknownOutcomeError } from '../../../../server/lending/lenders/lender.ts';
import { newCallbackSecret } from '../../../../server/merchants/callback-secrets.ts';
import { certificate } from '../../../support/http.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { freePort } from '../../../support/network.mjs';
import {
  type Responder,
  inTurn,
  respondsWith,
  respondsUnsigned,
  SECRET,
  signatureOf,
  startLender,
} from '../../../support/lenders.ts';
import { captureTimeouts, until } from '../../../support/time.ts';
import { creditRequest, createRemoteLender } from './credit-request.ts';

const approved = { outcome: 'approved', tierId: 'A', limitCents: null };
const body = JSON.stringify(approved);
const otherSecret = newCallbackSecret('m', '2026-11-21T09:30:00.000000Z').secret;

/** Returns the outcome of a decision request, or its error code. */
async function outcomeOf(pending: Promise<{ outcome: string }>): Promise<string> {
  try {
    return (await pending).outcome;
  } catch (thrown) {
    if (thrown instanceof UnknownOutcomeError) return 'unknown outcome';
    if (thrown instanceof ServiceError) return thrown.code;
    throw thrown;
  }
}

/** Starts an endpoint that responds over a plain socket. */
async function startSocketServer(respond: (socket: Socket) => void, { isTls = true, timeoutMs = 20_000 } = {}) {
  const keyPair = { cert: certificate.ca, key: readFileSync(certificate.keyFile) };
  const sockets: Socket[] = [];
  const onRequest = (socket: Socket) => {
    sockets.push(socket.on('error', () => undefined));
    let request = '';
    socket.on('data', (chunk: Buffer) => {
      request += chunk.toString('latin1');
      const length = Number(/content-length: (\d+)/.exec(request)?.[1] ?? Infinity);
      if (request.length - request.indexOf('\r\n\r\n') - 4 >= length) respond(socket);
    });
  };
  const server = (isTls ? createTlsServer(keyPair, onRequest) : createTcpServer(onRequest)).listen(0);
  await once(server, 'listening');
  onCleanup(() => {
    server.close();
    sockets.forEach((socket) => socket.destroy());
  });
  const url = `https://localhost:${(server.address() as AddressInfo).port}`;
  return { endpoint: { url, secrets: [SECRET], ca: certificate.ca.toString(), timeoutMs }, sockets };
}

const signedHead = (length: number, text = body) =>
  `HTTP/1.1 200 OK\r\n${Object.entries(signatureOf(creditRequest.requestId, text))
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}content-length: ${length}\r\n\r\n`;

describe('An endpoint that did not receive the request', () => {
  it.each<[title: string, overrides: { url?: string }, failure: RegExp]>([
    ['refuses connections', {}, /ECONNREFUSED/],
    ['has an unknown host name', { url: 'https://lender.invalid' }, /ENOTFOUND|EAI_AGAIN/],
  ])('because it %s causes two attempts', async (_title, overrides, failure) => {
    const endpoint = {
      url: `https://127.0.0.1:${await freePort()}`,
      secrets: [SECRET],
      ca: undefined,
      timeoutMs: 20_000,
      ...overrides,
    };
    const { lender, failures } = createRemoteLender({ endpoint });

    expect(await outcomeOf(lender.decide(creditRequest))).toBe('lender-unavailable');
    expect(failures()).toHaveLength(2);
    for (const message of failures()) expect(message).toMatch(failure);
  });

  it.each<[title: string, overridesOf: (url: string) => { url?: string; ca?: string | undefined }, failure: RegExp]>([
    ['has an untrusted issuer', () => ({ ca: undefined }), /SELF_SIGNED/],
    ['is for another name', (url) => ({ url: url.replace('localhost', '127.0.0.2') }), /ALTNAME/],
  ])(
    'because its certificate %s causes two attempts, even with NODE_TLS_REJECT_UNAUTHORIZED=0',
    async (_title, overridesOf, failure) => {
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      onTestFinished(() => void vi.unstubAllEnvs());
      const bank = await startLender(respondsWith(approved));
      const { lender, failures } = createRemoteLender({ endpoint: { ...bank.endpoint, ...overridesOf(bank.endpoint.url) } });

      expect(await outcomeOf(lender.decide(creditRequest))).toBe('lender-unavailable');
      expect([bank.requests, bank.rejected]).toEqual([[], []]);
      for (const message of failures()) expect(message).toMatch(failure);
      expect(failures()).toHaveLength(2);
    },
  );

  it('because it does not complete the TLS handshake causes a timeout', async () => {
    const timeouts = captureTimeouts();
    // The connection timeout is half of this time, which is longer than this test.
    const server = await startSocketServer(() => undefined, { isTls: false, timeoutMs: 100_000 });
    const { lender, failures } = createRemoteLender(server);

    const pending = outcomeOf(lender.decide(creditRequest));
    await until(() => server.sockets.length === 1);
    timeouts.expire();

    expect(await pending).toBe('lender-unavailable');
    expect(new Set(failures())).toEqual(new Set(['no answer within 100000 ms']));
    expect(timeouts.requestedMs).toEqual([100_000]);
  });

  it.each([400, 401, 403, 404, 405, 410, 413, 415, 422, 451])(
    'because it rejects the request with %d receives no retry',
    async (code) => {
      const bank = await startLender(respondsUnsigned(code));

      expect(await outcomeOf(createRemoteLender(bank).lender.decide(creditRequest))).toBe('lender-unavailable');
      expect(bank.requests).toHaveLength(1);
    },
  );

  it.each([429, 503])('because it responds with %d twice is unavailable', async (code) => {
    const bank = await startLender(respondsUnsigned(code));
    const { lender, failures } = createRemoteLender(bank);

    expect(await outcomeOf(lender.decide(creditRequest))).toBe('lender-unavailable');
    expect(bank.requests.map(({ id }) => id)).toEqual([creditRequest.requestId, creditRequest.requestId]);
    expect(failures()).toEqual([`responded with ${code}`, `responded with ${code}`]);
  });

  it('because it has another secret is unavailable', async () => {
    const bank = await startLender(respondsWith(approved), { secrets: [otherSecret] });

    expect(await outcomeOf(createRemoteLender(bank).lender.decide(creditRequest))).toBe('lender-unavailable');
    expect([bank.requests, bank.rejected]).toEqual([[], ['No matching signature found']]);
  });
});

describe('An endpoint that may have processed the request', () => {
  const headOnly: Responder = (response) => response.writeHead(200, { 'content-length': '100' }).flushHeaders();
  const sendSlowly: Responder = (response, { id }) => {
    response.writeHead(200, signatureOf(id, body));
    const interval = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(interval));
  };
  it.each<[title: string, respond: Responder, attempts: number]>([
    ['does not respond', () => undefined, 1],
    ['stops after its headers', headOnly, 1],
    ['sends single bytes', sendSlowly, 1],
    [
      'sends an incomplete 503 response and does not respond to the retry',
      inTurn(
        (response) => void response.writeHead(503).write('x'),
        () => undefined,
      ),
      2,
    ],
  ])('and %s has an unknown outcome after the timeout of all attempts', async (_title, respond, attempts) => {
    const timeouts = captureTimeouts();
    const bank = await startLender(respond);
    const { lender, failures } = createRemoteLender(bank);

    const pending = outcomeOf(lender.decide(creditRequest));
    await until(() => bank.requests.length === attempts);
    timeouts.expire();

    expect(await pending).toBe('unknown outcome');
    expect(failures()).toHaveLength(attempts);
    expect(failures().at(-1)).toBe('no answer within 20000 ms');
    expect(timeouts.requestedMs).toEqual([20_000]);
  });

  const respondsLarge = (bytes: number, headers: Record<string, string> = {}) => {
    const respond: Responder = (response, { id }) => {
      const padded = body.padEnd(bytes, ' ');
      response.writeHead(200, { ...signatureOf(id, padded), ...headers }).end(padded);
    };
    return respond;
  };
  const respondsRedirect = (code: number): Responder => respondsUnsigned(code, { location: '/fairterm/decisions' });
  it.each<[title: string, respond: Responder, failure: RegExp]>([
    ['closes the connection', (response) => void response.destroy(), /^the request failed: UND_ERR_SOCKET$/],
    ['closes the connection during its response', truncated, /^the request failed/],
    ['responds with more than 64 kB', respondsLarge(70_000), /^the request failed: UND_ERR_RES_EXCEEDED_MAX_SIZE$/],
    [
      'responds with 100 kB of headers',
      respondsLarge(100, { 'x-large': 'x'.repeat(100_000) }),
      /^the request failed: UND_ERR_HEADERS_OVERFLOW$/,
    ],
    ['redirects with 301', respondsRedirect(301), /^responded with 301$/],
    ['responds with 500', respondsUnsigned(500), /^responded with 500$/],
    ['responds with 201', respondsWith(approved, 201), /^responded with 201$/],
    [
      'does not sign its response',
      respondsUnsigned(200, {}, body),
      /without webhook-id, webhook-timestamp and webhook-signature$/,
    ],
    ['signs with another secret', respondsWith(approved, 200, otherSecret), /webhook-signature that does not match/],
    ['signs another body', respondsUnsigned(200, signatureOf(creditRequest.requestId, '{}'), body), /webhook-signature/],
    ['signs another request id', respondsUnsigned(200, signatureOf('0190f1a0', body), body), /webhook-id/],
    ['signs with a timestamp one hour ago', respondsUnsigned(200, signedAt(-3_600_000), body), /webhook-timestamp/],
    ['signs with a timestamp in one hour', respondsUnsigned(200, signedAt(3_600_000), body), /webhook-timestamp/],
    ['returns the body and signature of the request', echo, /with an invalid response: outcome: expected one of/],
  ])('and %s has an unknown outcome, without a retry', async (_title, respond, failure) => {
    const bank = await startLender(respond);
    const { lender, failures } = createRemoteLender(bank);

    expect(await outcomeOf(lender.decide(creditRequest))).toBe('unknown outcome');
    expect(bank.requests).toHaveLength(1);
    expect(failures().join()).toMatch(failure);
  });

  it.each([502, 504])('and whose gateway responds with %d twice has an unknown outcome', async (code) => {
    const bank = await startLender(respondsUnsigned(code));

    expect(await outcomeOf(createRemoteLender(bank).lender.decide(creditRequest))).toBe('unknown outcome');
    expect(bank.requests).toHaveLength(2);
  });

  it.each([400, 503])('and responds with 504 and then with %d has an unknown outcome', async (second) => {
    const bank = await startLender(inTurn(respondsUnsigned(504), respondsUnsigned(second)));

    expect(await outcomeOf(createRemoteLender(bank).lender.decide(creditRequest))).toBe('unknown outcome');
    expect(bank.requests).toHaveLength(2);
  });
});

describe('A second attempt', () => {
  it.each([429, 502, 503, 504])('is made after a response with %d', async (code) => {
    const bank = await startLender(inTurn(respondsUnsigned(code), respondsWith(approved)));
    const { lender, failedAttempts } = createRemoteLender(bank);

    expect(await outcomeOf(lender.decide(creditRequest))).toBe('approved');
    expect(bank.requests.map(({ id, body: { requestId } }) => [id, requestId])).toEqual(
      Array.from({ length: 2 }, () => [creditRequest.requestId, creditRequest.requestId]),
    );
    expect(failedAttempts).toEqual([
      { path: '/decisions', id: creditRequest.requestId, attempt: 1, failure: `responded with ${code}` },
    ]);
  });

  it('waits as long as Retry-After requires', async () => {
    const bank = await startLender(inTurn(respondsUnsigned(503, { 'retry-after': '1' }), respondsWith(approved)));
    const startedAtMs = performance.now();

    expect(await outcomeOf(createRemoteLender(bank).lender.decide(creditRequest))).toBe('approved');
    expect(performance.now() - startedAtMs).toBeGreaterThan(990);
  });

  it('is not made if the wait exceeds the remaining time', async () => {
    const bank = await startLender(inTurn(respondsUnsigned(503, { 'retry-after': '60' }), respondsWith(approved)));

    expect(await outcomeOf(createRemoteLender(bank).lender.decide(creditRequest))).toBe('lender-unavailable');
    expect(bank.requests).toHaveLength(1);
  });
});

describe('The client', () => {
  it('reads only the first of two responses, and sends the next request on a new connection', async () => {
    const second = '{"outcome":"denied","reasons":["debt"]}';
    const server = await startSocketServer((socket) => {
      socket.write(signedHead(body.length) + body + signedHead(second.length, second) + second);
    });
    const { lender } = createRemoteLender(server);

    expect(await outcomeOf(lender.decide(creditRequest))).toBe('approved');
    expect(await outcomeOf(lender.decide(creditRequest))).toBe('approved');
    expect(server.sockets).toHaveLength(2);
  });

  it('does not reuse connections', async () => {
    const bank = await startLender(respondsWith(approved));
    const { lender } = createRemoteLender(bank);

    for (let count = 0; count < 3; count++) await lender.decide(creditRequest);

    expect(bank.connections).toBe(3);
    expect(bank.requests.map(({ headers }) => headers.connection)).toEqual(['close', 'close', 'close']);
  });

  it('returns the matching response for each of 100 concurrent requests', async () => {
    const bank = await startLender((response, request) =>
      respondsWith({ outcome: 'approved', tierId: 'A', limitCents: request.body.amountCents })(response, request),
    );
    const { lender } = createRemoteLender(bank);

    const amounts = Array.from({ length: 100 }, (_, index) => 10_000 + index);
    const decisions = await Promise.all(
      amounts.map((amountCents) => lender.decide({ ...creditRequest, requestId: `r-${amountCents}`, amountCents })),
    );

    expect(decisions.map((decision) => decision.outcome === 'approved' && decision.limitCents)).toEqual(amounts);
  });

  it('signs with both secrets during a rotation, and accepts responses signed with either', async () => {
    const bank = await startLender(inTurn(respondsWith(approved), respondsWith(approved, 200, otherSecret)), {
      secrets: [otherSecret, SECRET],
    });
    const { lender } = createRemoteLender(bank);

    expect([await outcomeOf(lender.decide(creditRequest)), await outcomeOf(lender.decide(creditRequest))]).toEqual([
      'approved',
      'approved',
    ]);
    expect(bank.rejected).toEqual([]);
  });

  it('aborts requests in progress when it is closed', async () => {
    const bank = await startLender(() => undefined);
    const { lender, close } = createRemoteLender(bank);
    const pending = outcomeOf(lender.decide(creditRequest));
    await until(() => bank.requests.length === 1);

    await close();

    expect(await pending).toBe('unknown outcome');
  });

  it('reports errors without personal data', async () => {
    const bank = await startLender(inTurn(respondsUnsigned(503), respondsUnsigned(500, {}, JSON.stringify(creditRequest))));
    const { lender, failedAttempts } = createRemoteLender(bank);

    const thrown = await lender.decide(creditRequest).then(
      () => undefined,
      ({ message, stack, cause }: Error) => [message, stack, cause],
    );

    expect(thrown).toBeDefined();
    const reported = JSON.stringify([failedAttempts, thrown]);
    expect(failedAttempts).toHaveLength(2);
    for (const secret of ['1990', '8734', '8400000', '"Ada', 'ovelace', 'example.com', '62701', SECRET]) {
      expect(reported).not.toContain(secret);
    }
  });
});

function truncated(response: Parameters<Responder>[0], { id }: Parameters<Responder>[1]): void {
  response.writeHead(200, { ...signatureOf(id, body), 'content-length': String(body.length) });
  response.write(body.slice(0, -1), () => response.destroy());
}

function echo(response: Parameters<Responder>[0], { body: requested, headers }: Parameters<Responder>[1]): void {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signature } = headers as Record<string, string>;
  const signed = { 'webhook-id': id!, 'webhook-timestamp': timestamp!, 'webhook-signature': signature! };
  response.writeHead(200, signed).end(JSON.stringify(requested));
}

function signedAt(offsetMs: number): Record<string, string> {
  return signatureOf(creditRequest.requestId, body, { at: new Date(Date.now() + offsetMs) });
}
