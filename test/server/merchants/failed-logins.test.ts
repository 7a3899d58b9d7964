import { beforeEach, expect, it } from 'vitest';
import type { Database } from '../../../server/db/database.ts';
import { openDatabase } from '../../../server/db/open-database.ts';
import { rateLimiters } from '../../../server/http/rate-limit.ts';
import { serve } from '../../../server/main.ts';
import { FailedLogins } from '../../../server/merchants/failed-logins.ts';
import { listSecurityEvents } from '../../../server/merchants/security-events.ts';
import { startApp, type TestApp } from '../../support/app.ts';
import { createDatabase, createMigratedDatabaseUrl, describeOnEveryEngine } from '../../support/databases.ts';
import { captureLog, fetchResponse, noLimits, widgetFolder } from '../../support/service.ts';
import { testConfig, testKeys } from '../../support/data-keys.ts';

const now = '2026-11-21T09:30:12.345678Z';

describeOnEveryEngine('Failed logins', (engine) => {
  let database: Database;
  let failedLogins: FailedLogins;
  beforeEach(async () => {
    database = await createDatabase(engine);
    failedLogins = new FailedLogins();
  });
  const storedCounts = async () => {
    const events = await listSecurityEvents(database.query, { limit: 10_000 });
    return events.filter(({ network }) => network !== null).map(({ kind, network, count }) => ({ kind, network, count }));
  };
  const basic = (apiKey: string, secret: string) => `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;

  it('of every API are counted by network and kind, and written when they are saved', async () => {
    const app: TestApp = await startApp(database, {
      failedLogins,
      transport: { mode: 'sandbox', trustProxy: true },
      limits: rateLimiters({ ...noLimits, failedLoginsPerAddress: 3 }, () => 0),
    });
    const call = (path: string, address: string, authorization?: string, method = 'GET') =>
      fetchResponse(app.publicUrl + path, {
        method,
        headers: { 'x-forwarded-for': address, 'x-forwarded-proto': 'https', ...(authorization && { authorization }) },
      });
    const wrongCredentials = basic(app.apiKey, 'wrong-secret');

    for (let time = 0; time < 5; time += 1) await call('/carts/unknown', '203.0.113.7', wrongCredentials);
    await call('/carts/unknown', '203.0.113.8', wrongCredentials);
    await call('/api/auth/service/authorize', '2001:db8:1:2:3::4', wrongCredentials, 'POST');
    await call('/oauth/token', '2001:db8:1:9::9', wrongCredentials, 'POST');
    await call('/api/application', '198.51.100.200', 'Bearer not-a-token');
    await call('/carts/unknown', '198.51.100.1', app.authorization);
    expect(await storedCounts()).toEqual([]);

    await failedLogins.save(database);
    const expected = [
      { kind: 'merchant-login-failed', network: '203.0.113.0/24', count: 6 },
      { kind: 'token-request-failed', network: '2001:db8:1::/48', count: 2 },
      { kind: 'bearer-token-rejected', network: '198.51.100.0/24', count: 1 },
    ];
    const sortByKind = (events: readonly { kind: string }[]) => events.toSorted((one, other) => (one.kind < other.kind ? -1 : 1));
    expect(sortByKind(await storedCounts())).toEqual(sortByKind(expected));
    await failedLogins.save(database);
    expect((await storedCounts()).length).toBe(3);
  });

  it('do not include requests without credentials, which only the rate limit counts', async () => {
    const app = await startApp(database, {
      failedLogins,
      limits: rateLimiters({ ...noLimits, failedLoginsPerAddress: 5 }, () => 0),
    });
    const call = (path: string, body?: string | URLSearchParams) =>
      fetchResponse(app.publicUrl + path, body === undefined ? {} : { method: 'POST', body });
    const withoutCredentials = [
      () => call('/carts/unknown'),
      () => call('/api/application'),
      () => call('/api/auth/service/authorize', '{}'),
      () => call('/oauth/token', new URLSearchParams({ grant_type: 'client_credentials' })),
      () => call('/transactions/x'),
    ];
    for (const send of withoutCredentials) expect((await send()).status).toBe(401);
    for (const send of withoutCredentials) expect((await send()).status).toBe(429);
    await failedLogins.save(database);
    expect(await storedCounts()).toEqual([]);

    await call('/api/auth/service/authorize', JSON.stringify({ apiKey: app.apiKey, secret: 'wrong' }));
    await call('/oauth/token', new URLSearchParams({ grant_type: 'client_credentials', client_id: 'x', client_secret: 'y' }));
    await failedLogins.save(database);
    expect(await storedCounts()).toEqual([{ kind: 'token-request-failed', network: '127.0.0.0/24', count: 2 }]);
  });

  it('are written as at most 101 rows with the total count, also if they are added while saves fail', async () => {
    let index = 0;
    const addMany = () => {
      for (const end = index + 200; index < end; index += 1) {
        failedLogins.add('merchant-login-failed', `198.${index >> 8}.${index & 255}.0/24`, now);
      }
    };
    const write: Database['write'] = () => {
      addMany();
      return Promise.reject(new Error('unreachable'));
    };
    for (let time = 0; time < 5; time += 1) {
      addMany();
      await expect(failedLogins.save({ ...database, write })).rejects.toThrow('unreachable');
    }
    await failedLogins.save(database);
    const events = await storedCounts();
    expect(events.length).toBe(101);
    expect(events.reduce((sum, { count }) => sum + count, 0)).toBe(2_000);
    expect(events.find(({ network }) => network === 'other')).toMatchObject({ count: 1_900 });
  });

  it('are written when the service stops, without the address, key or secret', async () => {
    const url = await createMigratedDatabaseUrl(engine);
    const config = { ...testConfig, port: 0, databaseUrl: url };
    const service = await serve(config, widgetFolder, { log: captureLog().log });
    await fetchResponse(`${service.publicUrl}/carts/unknown`, { headers: { authorization: basic('some-key', 'some-secret') } });
    await service.close();

    const reopened = openDatabase(url, testKeys);
    try {
      const events = await listSecurityEvents(reopened.query, { kind: 'merchant-login-failed', limit: 10 });
      expect(events).toMatchObject([{ count: 1, network: '127.0.0.0/24', merchantId: null, details: {} }]);
      expect(JSON.stringify(events)).not.toMatch(/some-|127\.0\.0\.1/);
    } finally {
      await reopened.close();
    }
  });
});
