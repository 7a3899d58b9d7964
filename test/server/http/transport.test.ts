import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Config } from '../../../server/base/config/config.ts';
import { lenderIn } from '../../../server/base/config/lender.ts';
import { createHttpServer } from '../../../server/http/server.ts';
import { type RunningService, serve } from '../../../server/main.ts';
import { exchange, type RawResponse } from '../../support/http.ts';
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
const send = async (port: number, bytes: string): Promise<RawResponse & { end: string }> => {
  const { responses, end } = await exchange(port, bytes);
  return { ...responses[0]!, end };
};
const HTTPS_REQUIRED = {
  description: 'Expected HTTPS, but received plain HTTP.',
  error: true,
  type: 'INTERNAL_ERROR',
  code: 'https-required',
};

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

  it('sends Strict-Transport-Security with every response in live mode', async () => {
    for (const path of ['/readyz', '/nowhere', '/carts/x', '/checkout/checkout.css', '/c/unknown']) {
      const hstsOf = async (port: number) =>
        (await send(port, get(path, 'X-Forwarded-Proto: https'))).headers['strict-transport-security'];
      expect([path, await hstsOf(live.port)]).toEqual([path, 'max-age=31536000; includeSubDomains']);
      expect([path, await hstsOf(sandbox.port)]).toEqual([path, undefined]);
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
