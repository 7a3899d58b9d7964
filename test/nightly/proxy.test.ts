/** The configuration of nginx, `server/docs/proxy/nginx.conf`, in front of a service. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { connect, type ConnectionOptions } from 'node:tls';
import { Pool } from 'undici';
import { describe, expect, it } from 'vitest';
import { systemClock } from '../../server/base/time.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { chair, createCart } from '../support/checkout.ts';
import { onCleanup } from '../support/cleanup.ts';
import { createMigratedDatabaseUrl, openTestDatabase } from '../support/databases.ts';
import { certificate, exchange, type RawResponse } from '../support/http.ts';
import { freePort } from '../support/network.mjs';
import { startNginx } from '../support/nginx.mjs';
import { addressOf, buildProject, startServiceProcess } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/time.ts';

/** Starts nginx in front of a port, for the surrounding tests. */
async function startProxy(servicePort: number, pair: { certFile: string; keyFile: string } = certificate) {
  const proxy = await startNginx({ servicePort, certFile: pair.certFile, keyFile: pair.keyFile });
  onCleanup(proxy.stop);
  return proxy;
}

const service = await startService(undefined, { trustProxy: true });
const merchant = await service.createMerchant();
const { port, plainPort } = await startProxy(Number(new URL(service.publicUrl).port));
const authorization = `Basic ${Buffer.from(`${merchant.apiKey}:${merchant.secret}`).toString('base64')}`;
const cart = JSON.stringify({ options: { items: [chair] } });

const withCa = { tls: { ca: certificate.ca } };
const send = async (bytes: string | Buffer, to = port): Promise<RawResponse> => {
  const { responses } = await exchange(to, bytes, to === port ? withCa : {});
  return responses.at(-1)!;
};
const requestOf = (line: string, headers: readonly string[] = [], body = '') =>
  [`${line} HTTP/1.1`, 'Host: localhost', `Content-Length: ${Buffer.byteLength(body)}`, ...headers, '', body].join('\r\n');
const withKey = (line: string, body = '') => requestOf(line, [`Authorization: ${authorization}`], body);

/** Sends a request on 120 open connections at once, through an nginx of its own. Returns the first lines of all responses. */
async function sendMany(line: string, headers: readonly string[] = []) {
  const own = await startProxy(Number(new URL(service.publicUrl).port));
  const open = async () => {
    const socket = connect({ host: '127.0.0.1', port: own.port, rejectUnauthorized: false });
    onCleanup(() => void socket.destroy());
    await once(socket, 'secureConnect');
    return socket;
  };
  const sockets = await Promise.all(Array.from({ length: 120 }, open));
  const received = sockets.map(async (socket) => String((await once(socket, 'data'))[0]));
  for (const socket of sockets) socket.write(requestOf(line, headers));
  return Promise.all(received);
}

const merchantError = (code: string) => ({ description: expect.any(String), error: true, type: 'INTERNAL_ERROR', code });
const platformError = (reason: string) => ({ message: expect.any(String), reason, domain: 'platform.fairterm', metadata: {} });

describe('nginx in front of a service', () => {
  it('passes on requests with their path and body as they were sent', async () => {
    expect(await send(withKey('POST /carts', cart))).toMatchObject({ status: 200, body: { merchantId: merchant.merchantId } });
    for (const path of ['//carts', '/carts/../healthz', '/carts/%2e%2e/x']) {
      expect([path, await send(withKey(`GET ${path}`))]).toMatchObject([path, { status: 404, body: { code: 'unknown-path' } }]);
    }
    expect(await send(withKey('GET /carts/a%2fb'))).toMatchObject({ status: 404, body: { code: 'cart-not-found' } });
  });

  it('replaces X-Forwarded-For and X-Forwarded-Proto', async () => {
    const received: string[][] = [];
    const other = createServer(({ rawHeaders }, response) => {
      received.push(rawHeaders);
      response.end();
    }).listen(0, '127.0.0.1');
    await once(other, 'listening');
    onCleanup(() => other.close());
    const proxy = await startProxy((other.address() as AddressInfo).port);
    const forged = ['X-Forwarded-For: 192.0.2.1', 'X-Forwarded-Proto: http', 'X-Forwarded-For: 192.0.2.2'];
    await exchange(proxy.port, requestOf('GET /', forged), withCa);
    const forwarded = Object.fromEntries(
      received[0]!.flatMap((name, index, all) => (/^x-forwarded/i.test(name) ? [[name.toLowerCase(), all[index + 1]]] : [])),
    );
    expect(forwarded).toEqual({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' });
    expect(received[0]!.filter((name) => /^x-forwarded/i.test(name))).toHaveLength(2);
  });

  it('responds 403 to plain HTTP in the format of each API, and does not redirect', async () => {
    const plain = { ...merchantError('https-required'), description: 'Expected HTTPS, but received plain HTTP.' };
    for (const to of [plainPort, port]) {
      const sendPlain = async (line: string) => (await exchange(to, requestOf(line))).responses[0];
      const response = await sendPlain('POST /carts');
      expect(response).toMatchObject({ status: 403, body: plain });
      expect(response?.headers).not.toHaveProperty('location');
      expect(await sendPlain('GET /api/application')).toMatchObject({ status: 403, body: platformError('HTTPS_REQUIRED') });
    }
  });

  it('does not show the health checks', async () => {
    for (const path of ['/healthz', '/readyz', '/readyz/', '/%72eadyz']) {
      expect(await send(requestOf(`GET ${path}`))).toMatchObject({ status: 404, body: merchantError('unknown-path') });
    }
  });

  const long = 'x'.repeat(20_000);
  it.each<[string, string, number, string]>([
    ['bytes that are not HTTP', 'hello\r\n\r\n', 400, 'invalid-request'],
    ['no host', 'GET / HTTP/1.1\r\n\r\n', 400, 'invalid-request'],
    ['another version', 'GET / HTTP/3.0\r\nHost: x\r\n\r\n', 400, 'invalid-request'],
    ['an unknown transfer coding', 'POST /carts HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: x\r\n\r\n', 400, 'invalid-request'],
    ['TRACE', requestOf('TRACE /carts/x'), 405, 'method-not-allowed'],
    ['a body of 3 MB', 'POST /carts HTTP/1.1\r\nHost: x\r\nContent-Length: 3000000\r\n\r\n', 413, 'body-too-large'],
    ['a target of 20,000 bytes', requestOf(`GET /${long}`), 414, 'headers-too-large'],
    ['a header of 20,000 bytes', requestOf('GET /', [`X-Long: ${long}`]), 431, 'headers-too-large'],
  ])('rejects %s with the error body of the service', async (_title, bytes, status, code) => {
    const response = await send(bytes);
    expect([response.status, response.body]).toEqual([status, merchantError(code)]);
    expect(response.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': expect.stringMatching(/^[\da-f]{32}$/),
    });
  });

  it('passes on bodies up to 2 MB, so that the error is that of the service', async () => {
    const response = await send(withKey('POST /carts', `{"note":"${'x'.repeat(1_900_000)}"}`));
    const error = { code: 'body-too-large', description: 'The body is larger than 1048576 bytes.' };
    expect(response).toMatchObject({ status: 413, body: error });
    expect(response.headers['x-request-id']).toMatch(/^[\da-f-]{36}$/);
  });

  it('responds 502 in the format of each API while the service is not running', async () => {
    const proxy = await startProxy(await freePort());
    const sendTo = async (line: string) => (await exchange(proxy.port, requestOf(line), withCa)).responses[0];
    expect(await sendTo('GET /carts/x')).toMatchObject({ status: 502, body: merchantError('fault') });
    expect(await sendTo('GET /api/application')).toMatchObject({ status: 502, body: platformError('FAULT') });
    expect(await sendTo('POST /oauth/token')).toMatchObject({ status: 502, body: { error: 'server_error' } });
  });

  it('compresses nothing, and passes on what the service has compressed', async () => {
    const compressible = ['Accept-Encoding: gzip, br', 'X-Forwarded-Proto: https'];
    const encodingsOf = async (path: string, headers: string[]) => {
      const bytes = requestOf(`GET ${path}`, [...headers, ...compressible]);
      const direct = await exchange(Number(new URL(service.publicUrl).port), bytes);
      const proxied = await exchange(port, bytes, withCa);
      return [direct, proxied].map(({ responses: [response] }) => response!.headers['content-encoding']);
    };
    expect(await encodingsOf('/widget/v1/financing-button.js', [])).toEqual(['br', 'br']);
    expect(await encodingsOf('/console/sign-in', ['Sec-Fetch-Site: cross-site'])).toEqual([undefined, undefined]);
    expect(await encodingsOf('/console/sign-in', ['Sec-Fetch-Site: same-origin'])).toEqual(['gzip', 'gzip']);
    for (let count = 0; count < 5; count += 1) await send(withKey('POST /carts', cart));
    const asMerchant = [`Authorization: ${authorization}`];
    expect(await encodingsOf('/carts', asMerchant)).toEqual(['br', 'br']);
    expect(await encodingsOf('/webhooks', asMerchant)).toEqual([undefined, undefined]);
  });

  it('logs no paths, which contain secrets', async () => {
    const { pathname } = new URL((await createCart(merchant)).url);
    await send(requestOf(`GET ${pathname}`));
    const proxy = await startProxy(await freePort());
    await exchange(proxy.port, requestOf(`GET ${pathname}`), withCa);
    expect(proxy.readLogs()).not.toContain(pathname);
  });
});

describe('nginx rejects some of 120 requests of one address', () => {
  const rejected = (responses: readonly string[]) => responses.filter((response) => response.startsWith('HTTP/1.1 429 '));

  it('if they are for pages, with Retry-After and the error body of the service', async () => {
    const all = rejected(await sendMany('GET /c/unknown'));
    expect(all.length).toBeGreaterThan(0);
    expect(all[0]).toMatch(/\r\nRetry-After: 1\r\n.*"code":"rate-limited"\}$/s);
  });

  it('if they are for pages, also with credentials', async () => {
    expect(rejected(await sendMany('GET /c/unknown', [`Authorization: ${authorization}`]))).not.toEqual([]);
  });

  it('if they are for the API without credentials, in its format', async () => {
    expect(rejected(await sendMany('GET /api/application')).at(0)).toContain('"reason":"RATE_LIMITED"');
  });

  it('not if they are for the API with credentials', async () => {
    expect(rejected(await sendMany('GET /carts/x', [`Authorization: ${authorization}`]))).toEqual([]);
  });
});

describe('nginx with an RSA certificate', async () => {
  const rsa = await startProxy(Number(new URL(service.publicUrl).port), certificate.rsa);
  /** Returns the cipher suite of a connection, or the error code of its handshake. */
  function handshake(options: ConnectionOptions): Promise<string | undefined> {
    const socket = connect({ port: rsa.port, host: '127.0.0.1', rejectUnauthorized: false, ...options });
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
      'the suite that the proxy prefers',
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
    expect(await handshake(options)).toMatch(/^ERR_SSL_[\w/]*ALERT/);
  });
});

describe('Two processes behind nginx', () => {
  it('restart one after the other without a lost request', async () => {
    await buildProject();
    const databaseUrl = await createMigratedDatabaseUrl('postgres');
    const shop = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
    const { apiKey, secret } = await createMerchant(openTestDatabase(databaseUrl), 'sandbox', shop, systemClock.now());
    const ports = [await freePort(), await freePort()];
    const start = async (ownPort: number) => {
      const process = startServiceProcess(databaseUrl, { PORT: String(ownPort), TRUST_PROXY: '1' });
      // When `systemctl start` returns.
      await addressOf(process);
      return process;
    };
    const processes = await Promise.all(ports.map(start));
    const proxy = await startNginx({ servicePort: ports[0]!, secondPort: ports[1]!, ...certificate });
    onCleanup(proxy.stop);
    const pool = new Pool(`https://localhost:${proxy.port}`, { connect: { ca: certificate.ca } });
    onCleanup(() => pool.close());
    const headers = { authorization: `Basic ${btoa(`${apiKey}:${secret}`)}` };
    const statuses: number[] = [];
    const ended = new AbortController();
    const callers = Array.from({ length: 4 }, async (_, index) => {
      while (!ended.signal.aborted) {
        const { statusCode, body } = await (index % 2 === 0
          ? pool.request({ method: 'POST', path: '/carts', headers, body: cart })
          : pool.request({ method: 'GET', path: '/transactions?limit=1', headers }));
        await body.dump();
        statuses.push(statusCode);
      }
    });
    const untilMore = async () => {
      const count = statuses.length + 100;
      await until(() => statuses.length >= count);
    };

    for (let round = 0; round < 2; round++) {
      for (const [index, ownPort] of ports.entries()) {
        await untilMore();
        processes[index]!.child.kill('SIGTERM');
        expect((await processes[index]!.ended).code).toBe(0);
        processes[index] = await start(ownPort);
      }
    }
    await untilMore();
    ended.abort();
    await Promise.all(callers);

    expect(statuses.filter((status) => status !== 200)).toEqual([]);
  }, 120_000);
});
