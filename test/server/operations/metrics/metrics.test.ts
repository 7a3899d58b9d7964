import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createMetrics } from '../../../../server/operations/metrics/metrics.ts';
import { createMetricsApp } from '../../../../server/app.ts';
import { readConfig } from '../../../../server/base/config/config.ts';
import { systemClock } from '../../../../server/base/time.ts';
import type { Query } from '../../../../server/db/database.ts';
import { serve } from '../../../../server/main.ts';
import { completeCheckoutAndAct, createCart } from '../../../support/checkout.ts';
import { onCleanup } from '../../../support/cleanup.ts';
import { createDatabase, createDatabaseUrl, describeOnEveryEngine } from '../../../support/databases.ts';
import { testConfig } from '../../../support/data-keys.ts';
import { listen } from '../../../support/http.ts';
import { freePort } from '../../../support/network.mjs';
import { type Samples, samplesIn } from '../../../support/promtool.ts';
import { contactsOfCart } from '../../../support/page-measures.ts';
import { captureLog, listApplications, requestToken, startService, widgetFolder } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';

const metrics = { host: '127.0.0.1', port: 0 };

const textOf = async (url: string | undefined) => (await fetch(`${url}/metrics`)).text();
const sumOf = (samples: Samples, pattern: RegExp) =>
  [...samples].reduce((sum, [series, value]) => (pattern.test(series) ? sum + value : sum), 0);

/** The labels of all series, with their values. */
function labelsIn(samples: Samples): Map<string, Set<string>> {
  const labels = new Map<string, Set<string>>();
  for (const series of samples.keys()) {
    for (const [, name, value] of series.matchAll(/(\w+)="([^"]*)"/g)) {
      labels.set(name!, (labels.get(name!) ?? new Set()).add(value!));
    }
  }
  return labels;
}

describeOnEveryEngine('The metrics of a service', async (engine) => {
  const service = await startService(engine, { metrics });
  const merchant = await service.createMerchant({ name: 'Acme Goods', origins: ['https://shop.example'] });
  const { publicUrl, metricsUrl } = service;

  it('have requests by the pattern of their route, their writes and their deliveries', async () => {
    const before = samplesIn(await textOf(metricsUrl));
    await merchant.post('/webhooks', { url: `http://127.0.0.1:${await freePort()}/` });
    await completeCheckoutAndAct(merchant, [{ type: 'authorize' }, { type: 'settle' }]);
    await merchant.get('/transactions/unknown');
    await listApplications(publicUrl, await requestToken(publicUrl, merchant));
    await until(
      async () => sumOf(samplesIn(await textOf(metricsUrl)), /delivery_attempts_total\{channel="webhook",outcome="failed"/) > 0,
    );
    const samples = samplesIn(await textOf(metricsUrl));
    const requests = 'fairterm_http_request_duration_seconds_count';
    expect(samples.get(`${requests}{method="POST",route="/transactions/actions/:id",status="200"}`)).toBe(2);
    expect(samples.get(`${requests}{method="GET",route="/transactions/:id",status="500"}`)).toBe(1);
    expect(samples.get('fairterm_faults_total{at="request"}')).toBe(0);
    const increase = (name: string) => samples.get(name)! - before.get(name)!;
    expect(increase('fairterm_committed_writes_total')).toBeGreaterThan(5);
    expect(increase('fairterm_commits_total')).toBeGreaterThan(0);
    expect(increase('fairterm_commits_total')).toBeLessThanOrEqual(increase('fairterm_committed_writes_total'));
    expect(sumOf(samples, /^fairterm_database_connections/)).toBeGreaterThan(0);
    expect(samples.get('fairterm_database_up')).toBe(1);
    expect(samples.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
  });

  it('have one value for all unknown paths and their methods', async () => {
    for (const method of ['GET', 'PROPFIND', 'UNLINK']) {
      for (const path of ['/nowhere/1', '/nowhere/2', '/carts/secret']) await fetch(publicUrl + path, { method });
    }
    const samples = samplesIn(await textOf(metricsUrl));
    const { method, route } = Object.fromEntries(labelsIn(samples)) as Record<string, Set<string>>;
    expect([...route!].filter((each) => /nowhere|secret/.test(each))).toEqual([]);
    expect([...method!].filter((each) => !['GET', 'POST', 'PUT', 'DELETE', 'other'].includes(each))).toEqual([]);
  });

  it('have no label that identifies a merchant or a person', async () => {
    await createCart(merchant, { orderRef: 'ORDER-1', billingContact: contactsOfCart.billingContact });
    const labels = labelsIn(samplesIn(await textOf(metricsUrl)));
    // Those of Node.js and of the process have no names of the service either.
    const own = [
      'at',
      'call',
      'cause',
      'channel',
      'engine',
      'kind',
      'method',
      'mode',
      'outcome',
      'route',
      'state',
      'status',
      'version',
      'work',
    ];
    const ofNode = ['le', 'space', 'type', 'major', 'minor', 'patch'];
    expect([...labels.keys()].filter((name) => !own.includes(name) && !ofNode.includes(name))).toEqual([]);
    const values = [...labels.values()].flatMap((each) => [...each]);
    expect(values.length).toBeGreaterThan(50);
    const { merchantId, tenantId, apiKey } = merchant;
    for (const secret of [merchantId, tenantId, apiKey, 'Acme', 'Ada', 'ORDER-1']) {
      expect([secret, values.filter((value) => value.includes(secret))]).toEqual([secret, []]);
    }
    expect(values.filter((value) => /@|[0-9a-f]{8}-[0-9a-f]{4}|ft_/.test(value))).toEqual([]);
  });
});

describe('The database', () => {
  it('is read at most every 15 seconds, and once for requests at the same time', async () => {
    const database = await createDatabase();
    let reads = 0;
    const getExecutor = () => {
      reads += 1;
      return database.query.getExecutor();
    };
    const query = { getExecutor } as Query;
    let now = systemClock.now();
    const clock = { now: () => now };
    const service = { mode: 'sandbox', databaseUrl: 'sqlite:test.db' } as const;
    const registry = createMetrics({ version: '0', mode: 'sandbox', engine: database.engine });
    const app = createMetricsApp({ metrics: registry, database: { ...database, query }, service, clock });
    const handle = app.callback();
    const { url, stop } = await listen((request, response) => void handle(request, response));
    onCleanup(stop);

    await Promise.all([textOf(url), textOf(url), textOf(url)]);
    const once15 = reads;
    expect(once15).toBeGreaterThan(0);
    now = new Date(Date.parse(now) + 14_000).toISOString().replace('Z', '000Z') as typeof now;
    await textOf(url);
    expect(reads).toBe(once15);
    now = new Date(Date.parse(now) + 1_000).toISOString().replace('Z', '000Z') as typeof now;
    await textOf(url);
    expect(reads).toBe(2 * once15);
  });

  it('that hangs delays a response by the timeout, and is not asked again meanwhile', async () => {
    const database = await createDatabase();
    let asked = 0;
    const pendingMigrations = () => {
      asked += 1;
      return new Promise<never>(() => undefined);
    };
    const registry = createMetrics({ version: '0', mode: 'sandbox', engine: database.engine });
    const service = { mode: 'sandbox', databaseUrl: 'sqlite:test.db' } as const;
    const app = createMetricsApp({
      metrics: registry,
      database: { ...database, pendingMigrations },
      service,
      clock: systemClock,
      timeoutMs: 10,
    });
    const handle = app.callback();
    const { url, stop } = await listen((request, response) => void handle(request, response));
    onCleanup(stop);
    for (let count = 0; count < 3; count += 1) {
      const response = await fetch(url);
      expect([response.status, await response.text()]).toEqual([503, expect.stringContaining('The database does not respond')]);
    }
    expect(asked).toBe(1);
  });
});

describe('The port of the metrics', () => {
  it('is not opened unless it is configured, and is that of loopback by default', () => {
    expect(readConfig({}).metrics).toBeUndefined();
    expect(readConfig({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9_464 });
    expect(readConfig({ METRICS_PORT: '9464', METRICS_HOST: '::' }).metrics).toEqual({ host: '::', port: 9_464 });
    expect(() => readConfig({ METRICS_PORT: '94640' })).toThrow('METRICS_PORT: expected a port from 0 to 65535');
  });

  it('serves nothing else, and the port of the service serves no metrics', async () => {
    const { publicUrl, metricsUrl } = await startService(undefined, { metrics });
    for (const path of ['/healthz', '/carts', '/console', '/docs', '/metrics/x']) {
      expect([path, (await fetch(metricsUrl + path)).status]).toEqual([path, 404]);
    }
    expect((await fetch(`${metricsUrl}/metrics`, { method: 'POST' })).status).toBe(404);
    expect((await fetch(`${publicUrl}/metrics`)).status).toBe(404);
    const { headers } = await fetch(`${metricsUrl}/metrics`);
    expect(headers.get('content-type')).toMatch(/^text\/plain; version=0\.0\.4/);
  });

  it('prevents the start if it is in use, with its name, and closes with the service', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    const { log } = captureLog();
    const config = { ...testConfig, databaseUrl: await createDatabaseUrl(), port: 0 };
    await expect(serve({ ...config, metrics: { host: '127.0.0.1', port } }, widgetFolder, { log })).rejects.toThrow(
      `METRICS_PORT: expected a free port, but received 127.0.0.1:${port}, which failed with EADDRINUSE`,
    );
    const service = await serve({ ...config, metrics }, widgetFolder, { log });
    expect((await fetch(`${service.metricsUrl}/metrics`)).status).toBe(200);
    await service.close();
    await expect(fetch(`${service.metricsUrl}/metrics`)).rejects.toThrow();
  });
});

describe('A write', () => {
  it.each([
    ['SQLITE_FULL', 'disk'],
    ['SQLITE_IOERR_WRITE', 'disk'],
    ['53100', 'disk'],
    ['25006', 'read-only'],
    ['SQLITE_READONLY_DBMOVED', 'read-only'],
    ['57P01', 'unavailable'],
    ['ECONNREFUSED', 'unavailable'],
    ['23505', undefined],
    ['40001', undefined],
    ['ERR_INVALID_ARG_TYPE', undefined],
    ['', undefined],
  ])('that fails with %s is counted as %s', async (code, cause) => {
    const registry = createMetrics({ version: '0', mode: 'sandbox', engine: 'sqlite' });
    const usage = { connections: 0, idleConnections: 0, waiting: 0, commits: 0, writes: 0 };
    const failing = { write: () => Promise.reject(Object.assign(new Error(), { code })), usage: () => usage };
    const database = registry.countingFailedWrites(failing as never);
    await expect(database.write(vi.fn())).rejects.toMatchObject({ code });
    const samples = samplesIn(await registry.text(usage, undefined, systemClock.now()));
    const counted = [...samples].filter(([series, value]) => series.startsWith('fairterm_failed_writes_total') && value > 0);
    expect(counted.map(([series]) => series)).toEqual(cause ? [`fairterm_failed_writes_total{cause="${cause}"}`] : []);
  });
});
