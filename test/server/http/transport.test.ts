import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect as connectPlain, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type ConnectionOptions } from 'node:tls';
import pino from 'pino';
import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Config } from '../../../server/config/config.ts';
import { lenderIn } from '../../../server/config/lender.ts';
import { createHttpServer } from '../../../server/http/server.ts';
import { type RunningService, serve } from '../../../server/main.ts';
import { certificate, exchange, type RawResponse, type RawOptions } from '../../support/http.ts';
import { onCleanup } from '../../support/cleanup.ts';
import { freePort } from '../../support/network.mjs';
import { widgetFolder } from '../../support/service.ts';
import { testConfig } from '../../support/data-keys.ts';

const silent = pino({ enabled: false });
/** The settings that a live service requires besides HTTPS. Neither server is called. */
const liveConfig = {
  mode: 'live',
  publicUrl: 'https://pay.example',
  email: { url: 'smtp://127.0.0.1:1', from: 'a@pay.example' },
  lender: lenderIn({ LENDER_URL: 'https://lender.example', LENDER_SECRET: `whsec_${'A'.repeat(43)}=` }, 'live'),
} as const;
const tls = { certFile: certificate.certFile, keyFile: certificate.keyFile };
const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
onCleanup(() => rmSync(folder, { recursive: true, force: true }));
let databases = 0;

async function startRunning(overrides: Partial<Config>): Promise<RunningService & { port: number }> {
  const databaseUrl = `sqlite:${join(folder, `${++databases}.db`)}`;
  // With a configured public URL, the port cannot be read from it.
  const port = overrides.publicUrl === undefined ? 0 : await freePort();
  const service = await serve({ ...testConfig, port, databaseUrl, ...overrides }, widgetFolder, { log: silent });
  onCleanup(() => service.close());
  return { ...service, port: port || Number(new URL(service.publicUrl).port) };
}

const get = (path: string, ...headers: string[]) => [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');
const send = async (port: number, bytes: string, options: RawOptions = {}): Promise<RawResponse & { end: string }> => {
  const { responses, end } = await exchange(port, bytes, options);
  return { ...responses[0]!, end };
};
/** Opens a connection, sends `bytes` and then nothing. */
async function openSilentSocket(port: number, bytes: Buffer): Promise<Socket> {
  const socket = connectPlain(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onCleanup(() => socket.destroy());
  await once(socket, 'connect');
  await new Promise<void>((resolve) => void socket.write(bytes, () => resolve()));
  return socket;
}
const HTTPS_REQUIRED = {
  description: 'Expected HTTPS, but received plain HTTP.',
  error: true,
  type: 'INTERNAL_ERROR',
  code: 'https-required',
};

describe('A service with a certificate', () => {
  let sandbox: RunningService & { port: number };
  let live: RunningService & { port: number };
  beforeAll(async () => {
    sandbox = await startRunning({ tls });
    live = await startRunning({ tls, ...liveConfig });
  });
  const withCa = { tls: { ca: certificate.ca } };

  it('serves HTTPS, and has an https public URL', async () => {
    expect(sandbox.publicUrl).toMatch(/^https:\/\/localhost:\d+$/);
    expect(await send(sandbox.port, get('/readyz'), withCa)).toMatchObject({ status: 200, end: 'open' });
    expect(await send(sandbox.port, get('/carts/x'), withCa)).toMatchObject({ status: 401 });
  });

  it('sends Strict-Transport-Security with every response in live mode', async () => {
    for (const path of ['/readyz', '/nowhere', '/carts/x', '/checkout/checkout.css', '/c/unknown']) {
      const response = await send(live.port, get(path), withCa);
      expect([path, response.headers['strict-transport-security']]).toEqual([path, 'max-age=31536000; includeSubDomains']);
      expect((await send(sandbox.port, get(path), withCa)).headers['strict-transport-security']).toBeUndefined();
    }
  });

  it('closes plain HTTP connections without a response [AUTH-2]', async () => {
    for (const bytes of [get('/readyz'), get('/carts/x', 'Authorization: Basic eDp5', 'X-Forwarded-Proto: https'), 'hello\r\n']) {
      for (const { port } of [sandbox, live]) {
        const { responses, end } = await exchange(port, bytes);
        expect([responses, end]).toEqual([[], 'closed']);
      }
    }
    expect(await send(sandbox.port, get('/readyz'), withCa)).toMatchObject({ status: 200 });
  });

  it.each([
    ['TLSv1.1', /protocol version|unsupported protocol/i],
    ['TLSv1.2', undefined],
    ['TLSv1.3', undefined],
  ] as const)('negotiates %s or rejects it with %s', async (version, expectedError) => {
    const versions = { minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' };
    const socket = connect({ port: sandbox.port, host: '127.0.0.1', servername: 'localhost', ca: certificate.ca, ...versions });
    const result = await Promise.race([
      once(socket, 'secureConnect').then(() => socket.getProtocol()),
      new Promise<Error>((resolve) => socket.once('error', resolve)),
    ]);
    socket.destroy();
    if (expectedError) expect(String(result)).toMatch(expectedError);
    else expect(result).toBe(version);
  });

  it('serves requests after connections that are silent, malformed or closed during the handshake', async () => {
    const handshakes = [
      Buffer.from([0x16]),
      Buffer.from([0x16, 0x03, 0x01, 0xff, 0xff, 0x00]),
      Buffer.alloc(100_000, 0x16),
      Buffer.alloc(0),
    ];
    const sockets = await Promise.all(handshakes.map((bytes) => openSilentSocket(sandbox.port, bytes)));
    expect(await send(sandbox.port, get('/readyz'), withCa)).toMatchObject({ status: 200 });
    for (const socket of sockets) socket.destroy();
    expect(await send(sandbox.port, get('/readyz'), withCa)).toMatchObject({ status: 200 });
  });

  it('closes connections without a complete handshake five seconds after shutdown starts', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const service = await startRunning({ tls });
    const sockets = await Promise.all(
      [Buffer.alloc(0), Buffer.from([0x16, 0x03])].map((bytes) => openSilentSocket(service.port, bytes)),
    );
    // Connections are accepted in order: after this response, the service has accepted the silent ones.
    expect(await send(service.port, get('/readyz'), withCa)).toMatchObject({ status: 200 });

    const closedSockets = sockets.map((socket) => once(socket, 'close'));
    const startedAtMs = performance.now();

    const closed = service.close();
    vi.advanceTimersByTime(5_000);

    await Promise.all([closed, ...closedSockets]);
    // Otherwise they would be closed after the handshake timeout of 15 seconds.
    expect(performance.now() - startedAtMs).toBeLessThan(15_000);
  });

  it.each<[string, Partial<Record<'certFile' | 'keyFile', string>>, RegExp]>([
    ['a missing certificate file', { certFile: '/nowhere/cert.pem' }, /^TLS_CERT: ENOENT.*\/nowhere\/cert\.pem/],
    ['a missing key file', { keyFile: '/nowhere/key.pem' }, /^TLS_KEY: ENOENT.*\/nowhere\/key\.pem/],
    ['an invalid certificate', { certFile: certificate.keyFile }, /^TLS_CERT: expected a certificate as PEM in /],
    ['an invalid key', { keyFile: certificate.certFile }, /^TLS_KEY: expected a private key as PEM/],
    [
      'the key of another certificate',
      { keyFile: certificate.otherKeyFile },
      /^TLS_KEY: expected the private key of the certificate /,
    ],
  ])('does not start with %s', async (_title, invalid, message) => {
    const databaseUrl = `sqlite:${join(folder, 'never.db')}`;
    const config = { ...testConfig, port: 0, databaseUrl, tls: { ...tls, ...invalid } };
    await expect(serve(config, widgetFolder, { log: silent })).rejects.toThrow(message);
    expect(existsSync(join(folder, 'never.db'))).toBe(false);
  });
});

const service = await startRunning({ tls: certificate.rsa });

describe('A service with an RSA certificate', () => {
  /** Returns the cipher suite of a connection, or the error code of its handshake. */
  function handshake(options: ConnectionOptions): Promise<string | undefined> {
    const socket = connect({ port: service.port, host: 'localhost', rejectUnauthorized: false, ...options });
    onCleanup(() => void socket.destroy());
    return once(socket, 'secureConnect').then(
      () => socket.getCipher().name,
      (thrown: NodeJS.ErrnoException) => thrown.code,
    );
  }
  const tls12 = (ciphers: string): ConnectionOptions => ({ maxVersion: 'TLSv1.2', ciphers });

  it.each<[string, ConnectionOptions, cipher: string]>([
    ['TLS 1.3', {}, 'TLS_AES_256_GCM_SHA384'],
    ['TLS 1.2 with forward secrecy', { maxVersion: 'TLSv1.2' }, 'ECDHE-RSA-AES256-GCM-SHA384'],
    [
      'the suite that the service prefers',
      tls12('ECDHE-RSA-AES128-GCM-SHA256:ECDHE-RSA-CHACHA20-POLY1305'),
      'ECDHE-RSA-CHACHA20-POLY1305',
    ],
  ])('negotiates %s', async (_title, options, cipher) => {
    expect(await handshake(options)).toBe(cipher);
  });

  it.each<[string, ConnectionOptions]>([
    ['RSA key exchange, which has no forward secrecy', tls12('AES256-GCM-SHA384:AES128-GCM-SHA256:AES256-SHA')],
    ['suites without authenticated encryption', tls12('ECDHE-RSA-AES256-SHA384:ECDHE-RSA-AES128-SHA256')],
    ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' }],
  ])('rejects %s', async (_title, options) => {
    expect(await handshake(options)).toMatch(/^ERR_SSL_\w*ALERT/);
  });
});

describe('A service behind a proxy', () => {
  let sandbox: RunningService & { port: number };
  let live: RunningService & { port: number };
  let withoutProxy: RunningService & { port: number };
  beforeAll(async () => {
    sandbox = await startRunning({ trustProxy: true });
    live = await startRunning({ trustProxy: true, ...liveConfig });
    withoutProxy = await startRunning({});
  });

  it.each<[string, string[], sandbox: number, live: number]>([
    ['https', ['X-Forwarded-Proto: https'], 401, 401],
    ['HTTPS', ['X-Forwarded-Proto: HTTPS'], 401, 401],
    ['http before https', ['X-Forwarded-Proto: http, https'], 401, 401],
    ['http before https, on two lines', ['X-Forwarded-Proto: http', 'X-Forwarded-Proto: https'], 401, 401],
    ['https before http', ['X-Forwarded-Proto: https, http'], 403, 403],
    ['https before http, on two lines', ['X-Forwarded-Proto: https', 'X-Forwarded-Proto: http'], 403, 403],
    ['http', ['X-Forwarded-Proto: http'], 403, 403],
    ['a value that ends with https', ['X-Forwarded-Proto: nothttps'], 403, 403],
    ['https and an empty value', ['X-Forwarded-Proto: https,'], 403, 403],
    ['no header', [], 401, 403],
    ['another header', ['Forwarded: proto=https'], 401, 403],
  ])('accepts or rejects requests by the last value of X-Forwarded-Proto: %s', async (_title, headers, inSandbox, inLive) => {
    for (const [{ port }, status] of [
      [sandbox, inSandbox],
      [live, inLive],
    ] as const) {
      const response = await send(port, get('/carts/x', 'Authorization: Basic eDp5', ...headers));
      expect([response.status, response.end]).toEqual([status, status === 403 ? 'closed' : 'open']);
      if (status === 403) expect(response.body).toEqual(HTTPS_REQUIRED);
      const hsts = response.headers['strict-transport-security'];
      expect(hsts).toBe(status === 401 && port === live.port ? 'max-age=31536000; includeSubDomains' : undefined);
    }
  });

  it('ignores X-Forwarded-Proto without TRUST_PROXY', async () => {
    expect(await send(withoutProxy.port, get('/carts/x', 'X-Forwarded-Proto: http'))).toMatchObject({ status: 401 });
  });

  it('rejects plain HTTP with a large body with a response that the client receives [AUTH-2]', async () => {
    const large = `POST /carts HTTP/1.1\r\nHost: x\r\nContent-Length: 5000000\r\n\r\n${'x'.repeat(5_000_000)}`;
    expect(await send(live.port, large)).toMatchObject({ status: 403, body: HTTPS_REQUIRED, end: 'closed' });
  });

  it('rejects plain HTTP before the body is sent', async () => {
    const head = 'POST /carts HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\nExpect: 100-continue\r\n\r\n';
    expect(await send(live.port, head)).toMatchObject({ status: 403, body: HTTPS_REQUIRED, end: 'closed' });
  });
});

describe('A slow client', () => {
  it.each([
    ['its headers', 'POST /carts HTTP/1.1\r\nHost: x\r\nX-Half'],
    ['its body', 'POST /carts HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n{'],
  ])('that does not finish %s receives 408, which is logged, and its connection is closed', async (_title, bytes) => {
    const rejected: unknown[] = [];
    const { server, close } = createHttpServer(
      (request) => void request.resume(),
      undefined,
      (rejection) => void rejected.push(rejection),
    );
    Object.assign(server, { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onCleanup(() => close(0));

    const response = await send((server.address() as AddressInfo).port, bytes);

    expect([response.status, response.body.code, response.end]).toEqual([408, 'request-timeout', 'closed']);
    expect(rejected).toEqual([{ requestId: response.headers['x-request-id'], status: 408, code: 'request-timeout' }]);
  });
});

describe('A certificate file', () => {
  it('may contain the certificate chain', async () => {
    const chain = join(folder, 'chain.pem');
    writeFileSync(chain, Buffer.concat([certificate.ca, Buffer.from('\n'), certificate.ca]));
    const { port } = await startRunning({ tls: { ...tls, certFile: chain } });
    expect(await send(port, get('/readyz'), { tls: { ca: certificate.ca } })).toMatchObject({ status: 200 });
  });
});
