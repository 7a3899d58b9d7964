import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../server/errors.ts';
import { UnknownOutcome } from '../../../server/lenders/lender.ts';
import { newCallbackSecret } from '../../../server/merchants/callback-secrets.ts';
import { certificate, startReceiver, status } from '../../support/http.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { freePort } from '../../support/network.mjs';
import {
  type Responder,
  inTurn,
  respondsWith,
  respondsUnsigned,
  SECRET,
  signatureOf,
  startLender,
} from '../../support/lenders.ts';
import { captureTimeouts, until } from '../../support/time.ts';
import { creditRequest, givenRemote } from './asking.ts';

const approved = { outcome: 'approved', tierId: 'A', limitCents: null };
const body = JSON.stringify(approved);
const otherSecret = newCallbackSecret('m', '2026-11-21T09:30:00.000000Z').secret;

/** How asking for a decision ended, in a word. */
async function outcomeOf(pending: Promise<{ outcome: string }>): Promise<string> {
  try {
    return (await pending).outcome;
  } catch (thrown) {
    if (thrown instanceof UnknownOutcome) return 'unknown outcome';
    if (thrown instanceof ServiceError) return thrown.code;
    throw thrown;
  }
}

/** An endpoint that speaks over a bare socket. Answers how many connections there were. */
async function givenSocket(respond: (socket: Socket) => void, { isTls = true, timeoutMs = 20_000 } = {}) {
  const own = { cert: certificate.ca, key: readFileSync(certificate.keyFile) };
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
  const server = (isTls ? createTlsServer(own, onRequest) : createTcpServer(onRequest)).listen(0);
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
  it.each<[what: string, over: { url?: string }, failure: RegExp]>([
    ['refuses connections', {}, /ECONNREFUSED/],
    ['has an unknown host name', { url: 'https://lender.invalid' }, /ENOTFOUND|EAI_AGAIN/],
  ])('%s and is tried twice', async (_what, over, failure) => {
    const endpoint = {
      url: `https://127.0.0.1:${await freePort()}`,
      secrets: [SECRET],
      ca: undefined,
      timeoutMs: 20_000,
      ...over,
    };
    const { lender, failures } = givenRemote({ endpoint });

    expect(await outcomeOf(lender.decide(creditRequest))).toBe('lender-unavailable');
    expect(failures()).toHaveLength(2);
    for (const one of failures()) expect(one).toMatch(failure);
  });

  it.each<[what: string, over: (url: string) => { url?: string; ca?: string | undefined }, failure: RegExp]>([
    ['is not signed by a trusted authority', () => ({ ca: undefined }), /SELF_SIGNED/],
    ['is for another name', (url) => ({ url: url.replace('localhost', '127.0.0.2') }), /ALTNAME/],
  ])('has a certificate that %s, so that nothing is sent', async (_what, over, failure) => {
    const bank = await startLender(respondsWith(approved));
    const { lender, failures } = givenRemote({ endpoint: { ...bank.endpoint, ...over(bank.endpoint.url) } });

    expect(await outcomeOf(lender.decide(creditRequest))).toBe('lender-unavailable');
    expect([bank.requests, bank.rejected]).toEqual([[], []]);
    for (const one of failures()) expect(one).toMatch(failure);
    expect(failures()).toHaveLength(2);
  });

  it('verifies the certificate regardless of the environment', async () => {
    const bank = await startLender(respondsWith(approved));
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      const { lender } = givenRemote({ endpoint: { ...bank.endpoint, ca: undefined } });
      expect(await outcomeOf(lender.decide(creditRequest))).toBe('lender-unavailable');
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
    expect(bank.requests).toEqual([]);
  });

  it('accepts connections and never completes the handshake: the request times out', async () => {
    const timeouts = captureTimeouts();
    // By itself, a connection would be given up after half of the time: later than this test ends.
    const at = await givenSocket(() => undefined, { isTls: false, timeoutMs: 100_000 });
    const { lender, failures } = givenRemote(at);

    const pending = outcomeOf(lender.decide(creditRequest));
    await until(() => at.sockets.length === 1);
    timeouts.expire();

    expect(await pending).toBe('lender-unavailable');
    expect(new Set(failures())).toEqual(new Set(['no answer within 100000 ms']));
    expect(timeouts.requestedMs).toEqual([100_000]);
  });

  it('closes the connection before the handshake completes', async () => {
    const server = createTcpServer((socket) => void socket.on('error', () => undefined).destroy()).listen(0);
    await once(server, 'listening');
    onCleanup(() => server.close());
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;

    const { lender } = givenRemote({ endpoint: { url, secrets: [SECRET], ca: undefined, timeoutMs: 20_000 } });

    expect(await outcomeOf(lender.decide(creditRequest))).toBe('lender-unavailable');
  });

  it('uses plain HTTP where HTTPS is required', async () => {
    const receiver = await startReceiver();
    const endpoint = { url: `https://127.0.0.1:${receiver.port}`, secrets: [SECRET], ca: undefined, timeoutMs: 20_000 };

    expect(await outcomeOf(givenRemote({ endpoint }).lender.decide(creditRequest))).toBe('lender-unavailable');
    expect(receiver.received).toEqual([]);
  });

  it.each([400, 401, 403, 404, 405, 410, 413, 415, 422, 451])('responds %d, and receives no retry', async (code) => {
    const bank = await startLender(respondsUnsigned(code));

    expect(await outcomeOf(givenRemote(bank).lender.decide(creditRequest))).toBe('lender-unavailable');
    expect(bank.requests).toHaveLength(1);
  });

  it.each([429, 503])('responds %d twice', async (code) => {
    const bank = await startLender(respondsUnsigned(code));
    const { lender, failures } = givenRemote(bank);

    expect(await outcomeOf(lender.decide(creditRequest))).toBe('lender-unavailable');
    expect(bank.requests.map(({ id }) => id)).toEqual([creditRequest.requestId, creditRequest.requestId]);
    expect(failures()).toEqual([`responded with ${code}`, `responded with ${code}`]);
  });

  it('does not have our secret', async () => {
    const bank = await startLender(respondsWith(approved), { secrets: [otherSecret] });

    expect(await outcomeOf(givenRemote(bank).lender.decide(creditRequest))).toBe('lender-unavailable');
    expect([bank.requests, bank.rejected]).toEqual([[], ['No matching signature found']]);
  });
});

describe('An endpoint that may have decided', () => {
  const headOnly: Responder = (response) => response.writeHead(200, { 'content-length': '100' }).flushHeaders();
  const drip: Responder = (response, { id }) => {
    response.writeHead(200, signatureOf(id, body));
    const dripping = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(dripping));
  };
  it.each<[what: string, respond: Responder, attempts: number]>([
    ['never answers', () => undefined, 1],
    ['stops after its headers', headOnly, 1],
    ['answers a byte at a time', drip, 1],
    [
      'answers 503 a byte at a time, then nothing at all',
      inTurn(
        (response) => void response.writeHead(503).write('x'),
        () => undefined,
      ),
      2,
    ],
  ])('%s: the call fails when the time for all attempts is over', async (_what, respond, attempts) => {
    const timeouts = captureTimeouts();
    const bank = await startLender(respond);
    const { lender, failures } = givenRemote(bank);

    const pending = outcomeOf(lender.decide(creditRequest));
    await until(() => bank.requests.length === attempts);
    timeouts.expire();

    expect(await pending).toBe('unknown outcome');
    expect(failures()).toHaveLength(attempts);
    expect(failures().at(-1)).toBe('no answer within 20000 ms');
    expect(timeouts.requestedMs).toEqual([20_000]);
  });

  const large = (bytes: number, headers: Record<string, string> = {}) => {
    const respond: Responder = (response, { id }) => {
      const padded = body.padEnd(bytes, ' ');
      response.writeHead(200, { ...signatureOf(id, padded), ...headers }).end(padded);
    };
    return respond;
  };
  const redirected = (code: number): Responder => respondsUnsigned(code, { location: '/fairterm/decisions' });
  it.each<[what: string, respond: Responder, failure: RegExp]>([
    ['hangs up instead of answering', (response) => void response.destroy(), /^the request failed: UND_ERR_SOCKET$/],
    ['hangs up in the middle of its answer', truncated, /^the request failed/],
    ['answers more than 64 kB', large(70_000), /^the request failed: UND_ERR_RES_EXCEEDED_MAX_SIZE$/],
    ['has headers of 100 kB', large(100, { 'x-large': 'x'.repeat(100_000) }), /^the request failed: UND_ERR_HEADERS_OVERFLOW$/],
    ['redirects by 301', redirected(301), /^responded with 301$/],
    ['redirects by 303', redirected(303), /^responded with 303$/],
    ['redirects by 307', redirected(307), /^responded with 307$/],
    ['responds 500', respondsUnsigned(500), /^responded with 500$/],
    ['responds 408', respondsUnsigned(408), /^responded with 408$/],
    ['responds 409', respondsUnsigned(409), /^responded with 409$/],
    ['responds 201', respondsWith(approved, 201), /^responded with 201$/],
    ['responds 204', respondsUnsigned(204), /^responded with 204$/],
    ['signs nothing', respondsUnsigned(200, {}, body), /without a signature/],
    ['signs by another secret', respondsWith(approved, 200, otherSecret), /without a signature/],
    ['signs another answer', respondsUnsigned(200, signatureOf(creditRequest.requestId, '{}'), body), /without a signature/],
    ['signs about another request', respondsUnsigned(200, signatureOf('0190f1a0', body), body), /without a signature/],
    ['signed it an hour ago', respondsUnsigned(200, signedAt(-3_600_000), body), /without a signature/],
    ['signs for in an hour', respondsUnsigned(200, signedAt(3_600_000), body), /without a signature/],
    ['sends back what it was sent', echo, /not JSON|^$/],
  ])('%s: there is no retry', async (_what, respond, failure) => {
    const bank = await startLender(respond);
    const { lender, failures } = givenRemote(bank);

    expect(await outcomeOf(lender.decide(creditRequest))).toBe('unknown outcome');
    expect(bank.requests).toHaveLength(1);
    expect(failures().join()).toMatch(failure);
  });

  it.each([502, 504])('is a gateway that responds %d twice', async (code) => {
    const bank = await startLender(respondsUnsigned(code));

    expect(await outcomeOf(givenRemote(bank).lender.decide(creditRequest))).toBe('unknown outcome');
    expect(bank.requests).toHaveLength(2);
  });

  it.each<[what: string, second: Responder]>([
    ['turned away', respondsUnsigned(400)],
    ['too busy', respondsUnsigned(503)],
  ])('stays one when the second attempt is %s', async (_what, second) => {
    const bank = await startLender(inTurn(respondsUnsigned(504), second));

    expect(await outcomeOf(givenRemote(bank).lender.decide(creditRequest))).toBe('unknown outcome');
    expect(bank.requests).toHaveLength(2);
  });
});

describe('A second attempt', () => {
  it.each([429, 502, 503, 504])('is made after the first received %d', async (code) => {
    const bank = await startLender(inTurn(respondsUnsigned(code), respondsWith(approved)));
    const { lender, failedAttempts } = givenRemote(bank);

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
    const began = performance.now();

    expect(await outcomeOf(givenRemote(bank).lender.decide(creditRequest))).toBe('approved');
    expect(performance.now() - began).toBeGreaterThan(990);
  });

  it('is not made if the wait exceeds the remaining time', async () => {
    const bank = await startLender(inTurn(respondsUnsigned(503, { 'retry-after': '60' }), respondsWith(approved)));

    expect(await outcomeOf(givenRemote(bank).lender.decide(creditRequest))).toBe('lender-unavailable');
    expect(bank.requests).toHaveLength(1);
  });
});

describe('An exchange', () => {
  it('reads the first of two responses, and sends the next request on a new connection', async () => {
    const second = '{"outcome":"denied","reasons":["debt"]}';
    const at = await givenSocket((socket) => {
      socket.write(signedHead(body.length) + body + signedHead(second.length, second) + second);
    });
    const { lender } = givenRemote(at);

    expect(await outcomeOf(lender.decide(creditRequest))).toBe('approved');
    expect(await outcomeOf(lender.decide(creditRequest))).toBe('approved');
    expect(at.sockets).toHaveLength(2);
  });

  it('uses no persistent connections, which could break while the next request is sent', async () => {
    const bank = await startLender(respondsWith(approved));
    const { lender } = givenRemote(bank);

    for (let count = 0; count < 3; count++) await lender.decide(creditRequest);

    expect(bank.connections).toBe(3);
    expect(bank.requests.map(({ headers }) => headers.connection)).toEqual(['close', 'close', 'close']);
  });

  it('sends many requests at once, each with its own response', async () => {
    const bank = await startLender((response, question) =>
      respondsWith({ outcome: 'approved', tierId: 'A', limitCents: question.body.amountCents })(response, question),
    );
    const { lender } = givenRemote(bank);

    const amounts = Array.from({ length: 100 }, (_, index) => 10_000 + index);
    const decisions = await Promise.all(
      amounts.map((amountCents) => lender.decide({ ...creditRequest, requestId: `r-${amountCents}`, amountCents })),
    );

    expect(decisions.map((decision) => decision.outcome === 'approved' && decision.limitCents)).toEqual(amounts);
  });

  it('signs with both secrets during a rotation, and accepts either', async () => {
    const bank = await startLender(inTurn(respondsWith(approved), respondsWith(approved, 200, otherSecret)), {
      secrets: [otherSecret, SECRET],
    });
    const { lender } = givenRemote(bank);

    expect([await outcomeOf(lender.decide(creditRequest)), await outcomeOf(lender.decide(creditRequest))]).toEqual([
      'approved',
      'approved',
    ]);
    expect(bank.rejected).toEqual([]);
  });

  it('may use plain HTTP within this machine', async () => {
    const bank = await startLender(respondsWith(approved), { isPlain: true });

    expect(await outcomeOf(givenRemote(bank).lender.decide(creditRequest))).toBe('approved');
  });

  it('follows no redirect to another server', async () => {
    const elsewhere = await startReceiver(status(200));
    const bank = await startLender(respondsUnsigned(307, { location: elsewhere.url }));

    expect(await outcomeOf(givenRemote(bank).lender.decide(creditRequest))).toBe('unknown outcome');
    expect(elsewhere.connections).toBe(0);
  });

  it('aborts requests in progress when it is closed', async () => {
    const bank = await startLender(() => undefined);
    const { lender, close } = givenRemote(bank);
    const pending = outcomeOf(lender.decide(creditRequest));
    await until(() => bank.requests.length === 1);

    await close();

    expect(await pending).toBe('unknown outcome');
  });

  it('reports errors without personal data', async () => {
    const echoing = await startLender(inTurn(respondsUnsigned(503), respondsUnsigned(500, {}, JSON.stringify(creditRequest))));
    const { lender, failedAttempts } = givenRemote(echoing);

    const thrown = await lender.decide(creditRequest).then(
      () => undefined,
      ({ message, stack, cause }: Error) => [message, stack, cause],
    );

    expect(thrown).toBeDefined();
    const notified = JSON.stringify([failedAttempts, thrown]);
    expect(failedAttempts).toHaveLength(2);
    for (const secret of ['1990', '8734', '8400000', '"Ada', 'ovelace', 'example.com', '62701', SECRET]) {
      expect(notified).not.toContain(secret);
    }
  });
});

function truncated(response: Parameters<Responder>[0], { id }: Parameters<Responder>[1]): void {
  response.writeHead(200, { ...signatureOf(id, body), 'content-length': String(body.length) });
  response.write(body.slice(0, -1), () => response.destroy());
}

function echo(response: Parameters<Responder>[0], { body: requested, headers }: Parameters<Responder>[1]): void {
  const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers as Record<string, string>;
  const signed = { 'webhook-id': id!, 'webhook-timestamp': at!, 'webhook-signature': signature! };
  response.writeHead(200, signed).end(JSON.stringify(requested));
}

function signedAt(offsetMs: number): Record<string, string> {
  return signatureOf(creditRequest.requestId, body, { at: new Date(Date.now() + offsetMs) });
}
