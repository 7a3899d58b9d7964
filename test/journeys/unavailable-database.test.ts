/** A service whose database cannot be written for a while: a full disk, or a server of PostgreSQL that has become read-only. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';
import { plusMs, systemClock } from '../../server/base/time.ts';
import type { Database } from '../../server/db/database.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { differencesOf } from '../support/audit.ts';
import { chair, completeCheckout, createCart, open, submit, typed } from '../support/checkout.ts';
import { type ConsoleBrowser, signIn } from '../support/console.ts';
import { alterDatabase, createMigratedDatabaseUrl, describeOnEveryEngine, openTestDatabase } from '../support/databases.ts';
import { Page } from '../support/page.ts';
import { buildProject, type ReachableService, startReachableProcess } from '../support/process.ts';
import { clientOf, fetchResponse, type TestMerchant } from '../support/service.ts';
import { until } from '../support/time.ts';

const shop = { name: 'Acme Goods', storeUrl: 'https://shop.example/', origins: [] };
const body = JSON.stringify({ options: { items: [chair] } });
const headers = { 'idempotency-key': 'while-unavailable' };

describeOnEveryEngine('While its database cannot be written, a service', (engine) => {
  let databaseUrl: string;
  let database: Database;
  let service: ReachableService;
  let merchant: TestMerchant;
  let browser: ConsoleBrowser;
  let cartId: string;
  /** The first page of a checkout. */
  let details: Page;
  /** The page after its form was submitted. */
  let unavailable: Page;

  /** Limits the size of the files of the process, as a full disk does, or makes the server read-only. */
  const setWritable = async (isWritable: boolean) => {
    if (engine === 'postgres') {
      return alterDatabase(databaseUrl, `set default_transaction_read_only = ${isWritable ? 'off' : 'on'}`);
    }
    const limit = isWritable ? 'unlimited' : '1';
    await promisify(execFile)('prlimit', ['--pid', String(service.child.pid), `--fsize=${limit}:`]);
  };
  const readiness = async () => (await fetch(`${service.url}/readyz`)).status;

  beforeAll(async () => {
    await buildProject();
    databaseUrl = await createMigratedDatabaseUrl(engine);
    database = openTestDatabase(databaseUrl);
    service = await startReachableProcess(databaseUrl);
    const created = await createMerchant(database, 'sandbox', shop, systemClock.now());
    merchant = { ...created, ...clientOf(service.url, created) };
    ({ browser } = await signIn({ publicUrl: service.url, database }, merchant));
    ({ id: cartId } = await createCart(merchant));
    details = await open((await createCart(merchant)).url);
    await completeCheckout(merchant);
    // A use of the session is due to be saved.
    const lastSeenAt = plusMs(systemClock.now(), -120_000);
    await database.write((tx) => tx.updateTable('user_sessions').set({ lastSeenAt }).execute());
    await setWritable(false);
  });

  it.each(['1', '2'])('rejects writes with 503, in version %s, and does not claim that nothing happened', async (version) => {
    const rejected = await merchant.call('POST', '/carts', { body, headers: { ...headers, 'fairterm-version': version } });
    expect([rejected.status, rejected.headers.get('retry-after'), rejected.body.code]).toEqual([
      503,
      '5',
      'database-unavailable',
    ]);
    expect(rejected.body.description).toContain('A write may have had its effect');
  });

  it('serves reads', async () => {
    for (const path of [`/carts/${cartId}`, '/carts', '/transactions', '/events']) {
      expect([path, (await merchant.get(path)).status]).toEqual([path, 200]);
    }
    expect((await merchant.post('/aslowas', { customTotal: 50_000 })).status).toBe(200);
    expect((await open(details.url)).step).toBe('details');
    expect((await browser.open(`/console/${merchant.merchantId}`)).status).toBe(200);
  });

  it('offers to send the form of a buyer again, with what they typed, but not what another site typed', async () => {
    unavailable = await submit(details);
    expect([unavailable.status, unavailable.step, unavailable.faults]).toEqual([503, 'unavailable', []]);
    const { firstName, address, email } = typed;
    expect(unavailable.fields).toMatchObject({ firstName, address, email });
    // The digits of a tax number are never sent back.
    expect(unavailable.fields).not.toHaveProperty('taxIdLast4');
    const forged = { method: 'POST', body: new URLSearchParams(typed), headers: { origin: 'https://other.example' } };
    const page = new Page(details.url, await fetchResponse(details.action, forged));
    expect(page.text).not.toContain(address);
  });

  it('keeps what a user of the console typed', async () => {
    const path = `/console/${merchant.merchantId}/links/new`;
    const page = await browser.submit(await browser.open(path), 'links/new', { name0: 'Chair', price0: '750' });
    expect(page.status).toBe(503);
    expect(page.values).toMatchObject({ name0: 'Chair' });
    expect(page.text).toContain('This may have been saved, or not.');
  });

  it('is not ready, but alive, and logs its errors once', async () => {
    await until(async () => (await readiness()) === 503);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    // The connections of PostgreSQL are ended first. A query that begins just then has no code of the server.
    const code = expect.stringMatching(engine === 'postgres' ? /^(57P01|25006|database-unavailable)$/ : /^SQLITE_(IOERR|FULL)/);
    const lines = await until(() => {
      const errors = service.stdout().match(/^\{"level":50.*\}(?=\n)/gm);
      return errors?.map((line): { time: number } => JSON.parse(line));
    });
    const failure = expect.objectContaining({ at: 'database', code, stack: expect.any(Array) });
    expect(lines).toEqual(lines.map(() => failure));
    const pausesMs = lines.slice(1).map(({ time }, index) => time - lines[index]!.time);
    expect(pausesMs.filter((ms) => ms < 9_900)).toEqual([]);
  });

  it('recovers by itself, and accepts what was sent before', async () => {
    await setWritable(true);
    await until(async () => (await readiness()) === 200);
    const accepted = await until(async () => {
      const response = await merchant.call('POST', '/carts', { body, headers });
      return response.status === 200 && response;
    });
    expect(await merchant.call('POST', '/carts', { body, headers })).toMatchObject({ body: { id: accepted.body.id } });
    expect((await submit(unavailable)).step).toBe('apply');
    await completeCheckout(merchant);
    expect(await differencesOf(database.query)).toEqual([]);
    expect(service.child.exitCode).toBeNull();
  });
});
