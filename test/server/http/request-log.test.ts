import { once } from 'node:events';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { AnonymousRequests } from '../../../server/http/request-log.ts';
import { captureLog, fetchResponse, requestToken, startService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

const service = await startService();

describe('The log line of a request', () => {
  /** Sends a request and returns its log line. */
  const lineOf = async (path: string, init?: RequestInit) => {
    const { headers } = await fetchResponse(service.publicUrl + path, init);
    const requestId = headers.get('x-request-id')!;
    return until(() => service.logged.map((line) => JSON.parse(line)).find((line) => line.requestId === requestId));
  };

  it('has the id, method, route, status and duration of the request', async () => {
    const { time, durationMs, requestId: _requestId, ...rest } = await lineOf('/healthz');
    expect(rest).toEqual({ level: 30, pid: process.pid, hostname: hostname(), method: 'GET', route: '/healthz', status: 200 });
    expect(Math.abs(time - Date.now())).toBeLessThan(60_000);
    expect(durationMs).toBeGreaterThanOrEqual(0);
  });

  it.each([
    ['/c/abcdefghijklmnopqrstuv', 'GET', '/c/:code', 404],
    ['/transactions/abc?secret=1', 'GET', 'other', 401],
    ['/nowhere/secret', 'DELETE', 'other', 404],
    ['/carts/%22%5c', 'PATCH', 'other', 401],
  ])('of %s contains only the pattern of the route, no part of the URL', async (path, method, route, status) => {
    expect(await lineOf(path, { method })).toMatchObject({ method, route: expect.stringContaining(route), status });
    expect(service.logged.join('')).not.toMatch(/secret|abcdefghijklmnopqrstuv|%22/);
  });

  it('contains the merchant and the last 8 characters of the API key that authenticated the request', async () => {
    const { merchantId, apiKey, secret } = await service.createMerchant();
    const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
    const caller = { merchantId, keyId: apiKey.slice(-8) };

    expect(await lineOf('/carts/unknown', { headers: { authorization } })).toMatchObject({ ...caller, status: 404 });
    const init = { method: 'POST', headers: { authorization } };
    expect(await lineOf('/api/auth/service/authorize', init)).toMatchObject({ ...caller, status: 200 });
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: apiKey, client_secret: secret });
    expect(await lineOf('/oauth/token', { method: 'POST', body })).toMatchObject({ ...caller, status: 200 });
    expect(service.logged.join('')).not.toContain(secret);
    expect(service.logged.join('')).not.toContain(apiKey);
  });

  it('contains the tenant, issuer and subject of the bearer token that authenticated the request', async () => {
    const merchant = await service.createMerchant();
    const authorization = `Bearer ${await requestToken(service.publicUrl, merchant)}`;
    const line = await lineOf('/api/application', { headers: { authorization } });
    const { tenantId, merchantId } = merchant;
    expect(line).toMatchObject({ tenantId, issuer: service.publicUrl, subject: merchantId, status: 200 });
    expect(service.logged.join('')).not.toContain(authorization.slice('Bearer '.length));
  });

  it('contains no merchant, key, tenant or subject if authentication failed', async () => {
    const { apiKey } = await service.createMerchant();
    const authorization = `Basic ${Buffer.from(`${apiKey}:wrong`).toString('base64')}`;
    const line = await lineOf('/carts/unknown', { headers: { authorization } });
    expect(line.status).toBe(401);
    for (const field of ['merchantId', 'keyId', 'tenantId', 'subject']) expect(line).not.toHaveProperty(field);
  });

  it('contains the code of the error if the request was rejected', async () => {
    const { apiKey, secret } = await service.createMerchant();
    const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
    const rejected = { level: 30, code: 'cart-not-found', status: 404 };
    expect(await lineOf('/carts/unknown', { headers: { authorization } })).toMatchObject(rejected);
    expect(await lineOf('/api/application')).toMatchObject({ level: 30, code: 'token-missing', status: 401 });
    expect(await lineOf('/c/abcdefghijklmnopqrstuv')).toMatchObject({ level: 30, code: 'http-404', status: 404 });
    expect(await lineOf('/healthz')).not.toHaveProperty('code');
  });

  it('is written for each of 50 concurrent requests of an authenticated caller', async () => {
    const merchant = await service.createMerchant();
    const responses = await Promise.all(Array.from({ length: 50 }, () => merchant.get('/transactions')));
    const ids = responses.map(({ headers }) => headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(50);
    await until(() => ids.every((id) => service.logged.some((line) => line.includes(id!))));
  });
});

describe('Requests of anonymous callers', () => {
  it('are logged twenty times for each route and status, then counted in one line', async () => {
    const { publicUrl, close, logged, createMerchant } = await startService();
    const { apiKey } = await createMerchant();
    const programs = `${publicUrl}/storefront/programs?key=${apiKey}`;
    for (let count = 0; count < 30; count++) await fetchResponse(`${publicUrl}/healthz`);
    for (let count = 0; count < 25; count++) await fetchResponse(programs);
    await close();
    const lines = logged.map((line) => JSON.parse(line)).filter(({ status }) => status === 200);
    const routes = [...new Set(lines.map(({ route }) => route))];
    expect(routes).toHaveLength(2);
    for (const route of routes) {
      const ofRoute = lines.filter((line) => line.route === route);
      expect(ofRoute.filter(({ requestId }) => requestId !== undefined)).toHaveLength(20);
      const notLogged = route === '/healthz' ? 10 : 5;
      expect(ofRoute.at(-1)).toMatchObject({ level: 30, at: 'anonymous-requests', method: 'GET', status: 200, notLogged });
    }
  });
});

describe('Rejected requests', () => {
  /** Starts a service, calls `send`, closes the service, and returns the lines with this code. */
  const linesAfter = async (code: string, send: (url: string) => Promise<unknown>) => {
    const { publicUrl, close, logged } = await startService();
    await send(publicUrl);
    await close();
    return logged.map((line) => JSON.parse(line)).filter((line) => line.code === code);
  };

  it.each<[string, string, (url: string) => Promise<unknown>]>([
    [
      'with the wrong key',
      'unauthenticated',
      (url) => fetchResponse(`${url}/carts`, { headers: { authorization: 'Basic eDp5' } }),
    ],
    ['of unknown checkout links', 'http-404', (url) => fetchResponse(`${url}/c/abcdefghijklmnopqrstuv`)],
    ['that are not HTTP', 'invalid-request', (url) => sendBytes(url, 'hello\r\n\r\n')],
  ])('%s are logged twenty times, then counted in one line', async (_title, code, send) => {
    const lines = await linesAfter(code, async (url) => {
      for (let count = 0; count < 50; count++) await send(url);
    });

    expect(lines.filter(({ requestId }) => requestId !== undefined)).toHaveLength(20);
    expect(lines.at(-1)).toMatchObject({ level: 30, at: 'rejected-requests', notLogged: 30 });
    expect(lines).toHaveLength(21);
  });

  it('are all logged if their caller was authenticated', async () => {
    const merchant = await service.createMerchant();
    for (let count = 0; count < 50; count++) await merchant.get('/carts/unknown');
    const isOfMerchant = (line: string) => line.includes(merchant.merchantId) && line.includes('"code":"cart-not-found"');
    await until(() => service.logged.filter(isOfMerchant).length === 50);
  });

  it('are logged again after each summary', () => {
    const { log, logged } = captureLog();
    const rejected = new AnonymousRequests(log);
    const addMany = () => Array.from({ length: 25 }, () => rejected.logRejected('unknown-path', {}));
    addMany();
    rejected.summarize();
    addMany();
    rejected.summarize();
    rejected.summarize();
    const counts = logged.map((line) => JSON.parse(line).notLogged ?? 'request');
    expect(counts).toEqual([...Array(20).fill('request'), 5, ...Array(20).fill('request'), 5]);
  });
});

/** Sends bytes and waits until the service has closed the connection. */
async function sendBytes(url: string, bytes: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.end(bytes));
  socket.resume();
  await once(socket, 'close');
}
