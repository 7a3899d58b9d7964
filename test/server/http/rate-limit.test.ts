import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import type { RateLimits } from '../../../server/base/config/config.ts';
import type { Database } from '../../../server/db/database.ts';
import { rateLimiters } from '../../../server/http/rate-limit.ts';
import { createDatabase } from '../../support/databases.ts';
import { chair } from '../../support/checkout.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { signIn } from '../../support/console.ts';
import { type ApiResponse, fetchResponse, noLimits } from '../../support/service.ts';

const origin = 'https://shop.example';

describe('Rate limiting', () => {
  let app: TestApp;
  let database: Database;
  let nowMs: number;
  const run = async (limits: Partial<RateLimits>, trustProxy = false) => {
    nowMs = 1_000;
    database = await createDatabase('sqlite');
    app = await startApp(database, {
      limits: rateLimiters({ ...noLimits, ...limits }, () => nowMs),
      transport: { mode: 'sandbox', trustProxy },
    });
  };
  const openCart = (headers: Record<string, string> = {}, body: object = {}) =>
    fetchResponse(`${app.publicUrl}/storefront/carts`, {
      method: 'POST',
      headers: { origin, ...headers },
      body: JSON.stringify({ key: app.apiKey, idempotencyKey: randomUUID(), options: { items: [chair] }, ...body }),
    });
  const readPrograms = () => fetchResponse(`${app.publicUrl}/storefront/programs?key=${app.apiKey}`, { headers: { origin } });
  const statusesOf = async (count: number, send: () => Promise<{ status: number }>) => {
    const statuses: number[] = [];
    for (let time = 0; time < count; time += 1) statuses.push((await send()).status);
    return statuses;
  };

  describe('of carts, from one address,', () => {
    beforeEach(() => run({ cartsPerAddress: 3 }));

    it('responds with a standard error and a Retry-After header that pages can read', async () => {
      expect(await statusesOf(3, openCart)).toEqual([200, 200, 200]);
      const response = await openCart();
      expect(response).toMatchObject({ status: 429, body: { error: true, type: 'INTERNAL_ERROR', code: 'rate-limited' } });
      expect(response.body.description).toBe('Too many requests: expected the next one in 20 s or later.');
      expect(response.headers.get('retry-after')).toBe('20');
      expect(response.headers.get('access-control-allow-origin')).toBe(origin);
      expect(response.headers.get('access-control-expose-headers')).toContain('retry-after');

      nowMs += 18_400;
      expect((await openCart()).headers.get('retry-after')).toBe('2');
      nowMs += 1_600;
      expect(await statusesOf(2, openCart)).toEqual([200, 429]);
    });

    it('counts requests with an unknown key, from another origin, and malformed ones', async () => {
      await openCart({}, { key: 'unknown' });
      await openCart({ origin: 'https://evil.example' });
      await openCart({}, { options: {} });
      expect((await openCart()).status).toBe(429);
    });

    it('responds before the body is received', async () => {
      await statusesOf(3, openCart);
      const status = await new Promise((resolve, reject) => {
        const headers = { origin, 'content-length': '100000' };
        const sent = request(`${app.publicUrl}/storefront/carts`, { method: 'POST', headers }, (response) => {
          resolve(response.statusCode);
          sent.destroy();
        });
        sent.on('error', reject);
        sent.flushHeaders();
      });
      expect(status).toBe(429);
    });

    it('does not limit reads or a merchant’s server', async () => {
      await statusesOf(4, openCart);
      expect((await readPrograms()).status).toBe(200);
      expect(await statusesOf(10, () => app.post('/carts', { options: { items: [chair] } }))).toEqual(Array(10).fill(200));
    });

    it('counts by the connecting address, not by the X-Forwarded-For header', async () => {
      const responses = await statusesOf(4, () => openCart({ 'x-forwarded-for': randomUUID() }));
      expect(responses).toEqual([200, 200, 200, 429]);
    });
  });

  it('behind a proxy counts by the client address that the proxy received', async () => {
    await run({ cartsPerAddress: 1 }, true);
    const from = (forwarded: string) => openCart({ 'x-forwarded-for': forwarded, 'x-forwarded-proto': 'https' });
    const requests = [
      ['198.51.100.7', 200],
      ['198.51.100.7', 429],
      ['203.0.113.1, 198.51.100.7', 429],
      ['198.51.100.7, 198.51.100.8', 200],
      ['2001:db8:1:2::1', 200],
      ['2001:db8:1:2:ffff::9', 429],
      ['2001:db8:1:3::1', 200],
    ] as const;
    for (const [forwarded, status] of requests) expect([forwarded, (await from(forwarded)).status]).toEqual([forwarded, status]);
  });

  it('of carts of one merchant applies to all addresses, and does not use up the idempotency key', async () => {
    await run({ cartsPerMerchant: 2 });
    const idempotencyKey = randomUUID();
    expect(await statusesOf(2, openCart)).toEqual([200, 200]);
    const response = await openCart({}, { idempotencyKey });
    expect(response).toMatchObject({ status: 429, body: { code: 'rate-limited' } });
    expect([response.headers.get('retry-after'), response.headers.get('access-control-allow-origin')]).toEqual(['30', origin]);
    nowMs += 30_000;
    expect((await openCart({}, { idempotencyKey })).status).toBe(200);
  });

  it('of carts of one merchant does not count unauthorized requests', async () => {
    await run({ cartsPerMerchant: 1 });
    await statusesOf(5, () => openCart({ origin: 'https://evil.example' }));
    expect((await openCart()).status).toBe(200);
  });

  it('applies to reads and to preflight requests', async () => {
    await run({ readsPerAddress: 2 });
    expect(await statusesOf(2, readPrograms)).toEqual([200, 200]);
    const response = await readPrograms();
    expect(response).toMatchObject({ status: 429, body: { code: 'rate-limited' } });
    expect([response.headers.get('retry-after'), response.headers.get('access-control-allow-origin')]).toEqual(['30', origin]);
    const preflight = await fetch(`${app.publicUrl}/storefront/carts`, { method: 'OPTIONS', headers: { origin } });
    expect(preflight.status).toBe(429);
    expect((await openCart()).status).toBe(200);
  });

  describe('of checkout pages, from one address,', () => {
    beforeEach(() => run({ pagesPerAddress: 3 }));

    it('responds with a page in the buyer’s language and a retry time', async () => {
      const { url } = await app.createCart();
      expect(await statusesOf(3, () => fetchResponse(`${url}/details`))).toEqual([200, 200, 200]);
      const response = await fetchResponse(`${url}/details`, { headers: { 'accept-language': 'es' } });
      expect(response.status).toBe(429);
      expect(response.headers.get('retry-after')).toBe('20');
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('cache-control')).toBe('no-store');
      expect(response.text).toContain('<h1>Por favor espere un momento</h1>');
      nowMs += 20_000;
      expect(await statusesOf(2, () => fetchResponse(`${url}/details`))).toEqual([200, 429]);
    });

    it('limits forms before they are parsed, signed agreements, and unknown links', async () => {
      const { url } = await app.createCart();
      await statusesOf(3, () => fetchResponse(`${app.publicUrl}/c/unknown`));
      const form = { method: 'POST', body: new URLSearchParams({ firstName: 'x'.repeat(100_000) }) };
      expect(await fetchResponse(`${url}/details`, form)).toMatchObject({ status: 429, text: expect.stringContaining('<h1>') });
      expect(await fetchResponse(`${app.publicUrl}/a/unknown`)).toMatchObject({ status: 429 });
    });

    it('does not apply to the merchant API and its test checkouts', async () => {
      const { id, url } = await app.createCart();
      await statusesOf(4, () => fetchResponse(url));
      expect((await app.post('/sandbox/checkouts', { cartId: id })).status).toBe(200);
    });
  });

  it('of pages of the console applies to each user, or else to an address, and not to the pages of buyers', async () => {
    await run({ pagesPerAddress: 2, consolePages: 3 });
    const { publicUrl, merchantId } = app;
    const { tenantId } = await database.query.selectFrom('merchants').select('tenantId').executeTakeFirstOrThrow();
    const signInHere = () => signIn({ publicUrl, database }, { tenantId, merchantId }, 'viewer');
    // Accepting an invitation takes two requests without a session, and one with it.
    const { browser } = await signInHere();
    const open = () => browser.request(`/console/${merchantId}/orders`);
    expect((await fetchResponse(`${publicUrl}/console/sign-in`)).status).toBe(200);
    expect((await fetchResponse(`${publicUrl}/console/sign-in`)).status).toBe(429);
    expect(await statusesOf(2, open)).toEqual([200, 200]);
    const rejected = await open();
    expect(rejected).toMatchObject({ status: 429, text: expect.stringContaining('<h1>Please wait a moment</h1>') });
    expect(rejected.headers.get('retry-after')).toBe('20');
    expect(rejected.headers.get('content-security-policy')).toContain("form-action 'self'");
    const { url } = await app.createCart();
    expect(await statusesOf(3, () => fetchResponse(`${url}/details`))).toEqual([200, 200, 429]);
    nowMs += 60_000;
    await signInHere();
    expect((await open()).status).toBe(200);
  });

  describe('of requests with invalid credentials, from one address,', () => {
    beforeEach(() => run({ failedLoginsPerAddress: 2 }));
    const basic = (secret: string) => ({ authorization: `Basic ${Buffer.from(`${app.apiKey}:${secret}`).toString('base64')}` });
    const path = (name: string) => app.publicUrl + name;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const call = (url: string, headers: Record<string, string> = {}, body?: string) =>
      fetchResponse(url, { headers, ...(body !== undefined && { method: 'POST', body }) });

    const failingRequests: Record<string, () => Promise<ApiResponse>> = {
      'a wrong secret for the merchant API': () => call(path('/transactions/x'), basic('wrong')),
      'a wrong secret and a body for the merchant API': () => call(path('/carts'), basic('wrong'), '{}'),
      'no secret for the sandbox': () => call(path('/sandbox/messages')),
      'no token for the platform API': () => call(path('/api/application')),
      'a malformed token': () => call(path('/api/application'), { authorization: 'Bearer a.b.c' }),
      'a wrong secret for a token': () => call(path('/api/auth/service/authorize'), basic('wrong'), ''),
      'a wrong secret in the body for a token': () =>
        call(path('/api/auth/service/authorize'), {}, JSON.stringify({ apiKey: app.apiKey, secret: 'wrong' })),
      'a body that is not JSON for a token': () => call(path('/api/auth/service/authorize'), {}, '{'),
      'a wrong secret for OAuth': () =>
        call(path('/oauth/token'), { ...form, ...basic('wrong') }, 'grant_type=client_credentials'),
      'an unknown grant for OAuth': () => call(path('/oauth/token'), form, 'grant_type=password'),
    };

    it('counts all of these requests together', async () => {
      const statuses: number[] = [];
      for (const send of Object.values(failingRequests)) statuses.push((await send()).status);
      expect(statuses.slice(2)).toEqual(Array(statuses.length - 2).fill(429));
    });

    it('neither counts nor rejects requests with valid credentials', async () => {
      const rejected = Object.values(failingRequests)[0]!;
      expect(await statusesOf(3, rejected)).toEqual([401, 401, 429]);
      const valid = { authorization: app.authorization };
      expect(await statusesOf(5, () => app.post('/aslowas', { customTotal: 50_000 }))).toEqual(Array(5).fill(200));
      expect((await call(path('/carts'), valid, '{}')).status).toBe(400);
      const { body } = await call(path('/api/auth/service/authorize'), valid, '{}');
      const token = { authorization: `Bearer ${body.token}` };
      expect(await statusesOf(5, () => call(path('/api/application'), token))).toEqual(Array(5).fill(200));
      expect((await call(path('/oauth/token'), { ...form, ...valid }, 'grant_type=client_credentials')).status).toBe(200);
      expect((await call(path('/oauth/token'), { ...form, ...valid }, 'grant_type=password')).status).toBe(400);

      nowMs += 30_000;
      expect(await statusesOf(2, rejected)).toEqual([401, 429]);
    });
  });

  it('logs no client address', async () => {
    await run({ cartsPerAddress: 1 }, true);
    for (let time = 0; time < 2; time += 1) await openCart({ 'x-forwarded-for': '198.51.100.7', 'x-forwarded-proto': 'https' });
    await new Promise(setImmediate);
    expect(app.logged.join('\n')).toContain('"status":429');
    expect(app.logged.join('\n')).not.toMatch(/198\.51|127\.0\.0\.1|::1/);
  });
});
