/** The alerts and the dashboard of `server/docs/monitoring/`, compared with a running service, and fired by their causes. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createEmailSender } from '../../../../server/messages/email.ts';
import { chair, createCart, reachDecision } from '../../../support/checkout.ts';
import { createMigratedDatabaseUrl } from '../../../support/databases.ts';
import { codeBlock } from '../../../support/docs.ts';
import { SECRET } from '../../../support/lenders.ts';
import { freePort } from '../../../support/network.mjs';
import { startForwarding } from '../../../support/forwarding.ts';
import { hasPromtool } from '../../../support/prometheus.mjs';
import { expectAlert, monitoringFolder, nameOf, promtool, type Samples, samplesIn } from '../../../support/promtool.ts';
import { startService, type TestService } from '../../../support/service.ts';
import { until } from '../../../support/time.ts';
import { rejection, startMailServer } from '../../messages/mail-server.ts';

const metrics = { host: '127.0.0.1', port: 0 };
const alerts = readFileSync(join(monitoringFolder, 'alerts.yml'), 'utf8');
const dashboard = readFileSync(join(monitoringFolder, 'dashboard.json'), 'utf8');
const guide = readFileSync(join(monitoringFolder, '../monitoring.md'), 'utf8');

const readSamples = async ({ metricsUrl }: Pick<TestService, 'metricsUrl'>): Promise<Samples> =>
  samplesIn(await (await fetch(`${metricsUrl}/metrics`)).text());

/** Returns a function that moves the system clock of this process, so that a service reads its database again. */
function movableTime(): () => void {
  let offsetMs = 0;
  const { now } = Date;
  const spy = vi.spyOn(Date, 'now').mockImplementation(() => now() + offsetMs);
  onTestFinished(() => spy.mockRestore());
  return () => void (offsetMs += 20_000);
}

describe('The alerts and the dashboard', () => {
  it('name only metrics that a running service exposes', async () => {
    const service = await startService(undefined, { metrics });
    await fetch(`${service.publicUrl}/healthz`);
    const exposed = new Set([...(await readSamples(service)).keys()].map(nameOf));
    for (const [file, text] of Object.entries({ alerts, dashboard })) {
      const named = new Set(text.match(/\b(fairterm|nodejs|process)_[a-z0-9_]+/g));
      expect([file, named.size > 10]).toEqual([file, true]);
      expect([file, [...named].filter((name) => !exposed.has(name))]).toEqual([file, []]);
    }
    const own = [...exposed]
      .filter((name) => name.startsWith('fairterm_'))
      .map((name) => name.replace(/_(bucket|sum|count)$/, ''));
    expect(own.filter((name) => !guide.includes(`\`${name}\``))).toEqual([]);
  });

  it('are ten alerts, each with a severity, a summary and a section of the guide', () => {
    const rules = alerts.split('- alert: ').slice(1);
    expect(rules).toHaveLength(10);
    const anchors = [...guide.matchAll(/^### (.*)$/gm)].map(([, heading]) => heading!.toLowerCase().replaceAll(' ', '-'));
    for (const rule of rules) {
      expect(rule).toMatch(/severity: (page|ticket)\n/);
      expect(rule).toMatch(/summary: '.+'\n/);
      expect(anchors).toContain(/runbook: server\/docs\/monitoring.md#(.+)\n/.exec(rule)![1]);
    }
  });

  it.skipIf(!hasPromtool())('are files that Prometheus and Grafana can read', async () => {
    await promtool('check', 'config', join(monitoringFolder, 'prometheus.yml'));
    expect(JSON.parse(dashboard)).toMatchObject({ title: 'Fairterm', panels: expect.any(Array) });
    const expressions = codeBlock('server/docs/monitoring.md', 'exporters').trim().split('\n');
    const rules = expressions.map((expr, index) => ({ alert: `Own${index}`, expr }));
    const folder = mkdtempSync(join(tmpdir(), 'fairterm-alerts-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'own.yml'), JSON.stringify({ groups: [{ name: 'own', rules }] }));
    await promtool('check', 'rules', join(folder, 'own.yml'));
  });

  it.skipIf(!hasPromtool())('fire and end as in the unit tests of the rules', async () => {
    await promtool('test', 'rules', fileURLToPath(new URL('alerts.test.yml', import.meta.url)));
    const tested = readFileSync(new URL('alerts.test.yml', import.meta.url), 'utf8');
    const names = [...alerts.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!);
    for (const name of names) expect(tested).toContain(`alertname: ${name}`);
  });
});

describe.skipIf(!hasPromtool())('An alert fires by its cause', () => {
  it('FairtermLenderDown: nothing listens at the address of the lender', async () => {
    const lender = { url: `http://127.0.0.1:${await freePort()}`, secrets: [SECRET], ca: undefined, timeoutMs: 5_000 };
    const service = await startService(undefined, { metrics, lender });
    const merchant = await service.createMerchant();
    const before = await readSamples(service);
    // Each application makes two attempts.
    for (let count = 0; count < 2; count += 1) await reachDecision((await createCart(merchant)).url);
    await expectAlert('FairtermLenderDown', before, await readSamples(service));
  });

  it('FairtermEmailRefused: the mail server rejects e-mails', async () => {
    const { url } = await startMailServer({ onRcptTo: (_address, _session, callback) => callback(rejection(550)) });
    const sender = createEmailSender({ url, from: 'mail@pay.example', timeoutMs: 5_000 });
    const service = await startService(undefined, { metrics }, { email: sender.send, close: sender.close });
    const merchant = await service.createMerchant();
    const { id } = await createCart(merchant);
    const before = await readSamples(service);
    for (const name of ['ada', 'bob', 'cid', 'dan']) {
      await merchant.post(`/carts/${id}/email`, { email: `${name}@shop.test`, name });
    }
    const after = await until(async () => {
      const samples = await readSamples(service);
      return samples.get('fairterm_delivery_attempts_total{channel="email",outcome="rejected"}') === 4 && samples;
    });
    await expectAlert('FairtermEmailRefused', before, after);
  });

  it('FairtermWritesFail and FairtermUnexpectedErrors: the disk is full', async () => {
    const service = await startService('sqlite', { metrics });
    const { database } = service;
    const merchant = await service.createMerchant();
    const before = await readSamples(service);
    // SQLite handles this limit like a full disk.
    const pragma = (text: string) => database.write(async (tx) => (await sql.raw<object>(`pragma ${text}`).execute(tx)).rows[0]!);
    const [pages] = Object.values(await pragma('page_count'));
    await pragma(`max_page_count = ${pages}`);
    const statuses = new Set<number>();
    // The last pages of the file are not full.
    for (let count = 0; count < 100 && ![...statuses].some((status) => status >= 500); count += 1) {
      statuses.add((await merchant.post('/carts', { options: { items: Array(50).fill(chair) } })).status);
    }
    await pragma('max_page_count = 1000000');
    const after = await readSamples(service);
    await expectAlert('FairtermWritesFail', before, after);
    expect(after.get('fairterm_failed_writes_total{cause="disk"}')).toBeGreaterThan(0);
  });

  it('FairtermDatabaseAway: the database does not respond', async () => {
    const passTime = movableTime();
    const forwarding = await startForwarding(await createMigratedDatabaseUrl('postgres'));
    const service = await startService(undefined, { metrics, databaseUrl: forwarding.url });
    const before = await readSamples(service);
    expect(before.get('fairterm_database_up')).toBe(1);
    forwarding.cut();
    passTime();
    const after = await readSamples(service);
    expect(after.get('fairterm_database_up')).toBe(0);
    expect(
      [...after.keys()].filter((series) => /outbox|exceptions|webhooks|card_operations|lag_seconds\{work|pending/.test(series)),
    ).toEqual([]);
    await expectAlert('FairtermDatabaseAway', before, after);
    forwarding.restore();
    await until(() => service.database.isMigrated().catch(() => false));
    passTime();
    expect((await readSamples(service)).get('fairterm_database_up')).toBe(1);
  });

  it('FairtermWebhookFailing: a receiver does not accept events', async () => {
    const passTime = movableTime();
    const service = await startService(undefined, { metrics });
    const merchant = await service.createMerchant();
    const before = await readSamples(service);
    const { status } = await merchant.post('/webhooks', { url: `http://127.0.0.1:${await freePort()}/` });
    expect(status).toBe(200);
    const failing = service.database.query.selectFrom('webhooks').selectAll().where('failingSince', 'is not', null);
    await until(() => failing.executeTakeFirst());
    passTime();
    const after = await readSamples(service);
    expect(after.get('fairterm_webhooks_failing')).toBe(1);
    await expectAlert('FairtermWebhookFailing', before, after);
  });
});
