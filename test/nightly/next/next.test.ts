/** The recipe for Next.js, built and served by Next.js, in a browser with a real service. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureBuilt } from '../../../server/setup/build.mjs';
import { callbackSecretsOf } from '../../../server/merchants/callback-secrets.ts';
import { formatCents } from '../../../widget/recipes/shop/catalog.ts';
import { buy, openPage, startBrowser } from '../../support/browser.ts';
import { freePort } from '../../support/network.mjs';
import { packTarball } from '../../support/packages.ts';
import { startService, type TestMerchant, type TestService } from '../../support/service.ts';
import { until } from '../../support/time.ts';
import { estimateOf, oak, walnut } from '../../recipes/recipe-page.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'fairterm-next-'));
const installed = (name: string) => join(folder, 'node_modules', name);
const nextCli = installed('next/dist/bin/next');

let service: TestService;
let browser: Browser;
let merchant: TestMerchant;
let shopUrl: string;
let server: ChildProcess;
let output = '';

beforeAll(async () => {
  await ensureBuilt();
  [service, browser] = await Promise.all([startService(), startBrowser()]);
  const port = await freePort();
  shopUrl = `http://127.0.0.1:${port}`;
  merchant = await service.createMerchant({ storeUrl: `${shopUrl}/`, origins: [shopUrl] });
  const callbackSecrets = (await callbackSecretsOf(service.database.query, merchant.merchantId)).map(({ secret }) => secret);
  await install();

  const env = {
    PATH: process.env['PATH'],
    NEXT_TELEMETRY_DISABLED: '1',
    NODE_ENV: 'production' as const,
    FAIRTERM_URL: service.publicUrl,
    FAIRTERM_KEY: merchant.apiKey,
  };
  const build = (variables: NodeJS.ProcessEnv) =>
    run(process.execPath, [nextCli, 'build', 'next'], { cwd: folder, env: variables });
  for (const name of ['FAIRTERM_URL', 'FAIRTERM_KEY']) {
    await expect(build({ ...env, [name]: '' })).rejects.toMatchObject({
      stderr: expect.stringContaining(`Expected the environment variable ${name}`),
    });
  }
  await build(env);
  // The build has no secrets in its environment, so that its files cannot contain them.
  const secrets = { FAIRTERM_SECRET: merchant.secret, FAIRTERM_CALLBACK_SECRETS: callbackSecrets.join(','), SHOP_URL: shopUrl };
  const args = [nextCli, 'start', 'next', '--hostname', '127.0.0.1', '--port', String(port)];
  server = spawn(process.execPath, args, { cwd: folder, env: { ...env, ...secrets }, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [server.stdout!, server.stderr!]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(() => {
    if (server.exitCode !== null) throw new Error(`next start exited: ${output}`);
    return fetch(shopUrl).catch(() => undefined);
  }, 60_000);
});

afterAll(async () => {
  server?.kill('SIGTERM');
  await until(() => !server || server.exitCode !== null || server.signalCode !== null, 20_000);
  rmSync(folder, { recursive: true, force: true });
});

/** Installs the recipe in a separate project, with the packages of its package.json and the tarballs of the client and the button. */
async function install(): Promise<void> {
  cpSync('widget/recipes/next', join(folder, 'next'), { recursive: true });
  cpSync('widget/recipes/shop', join(folder, 'next/shop'), { recursive: true });
  renameSync(join(folder, 'next/package.json'), join(folder, 'package.json'));
  const tarballs = [await packTarball('client'), await packTarball('button')];
  await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs], { cwd: folder });
}

describe('The recipe for Next.js, built by Next.js', () => {
  it('updates the estimate with the variant, and completes a purchase', async () => {
    const { page, problems } = await openPage(browser);
    await page.route('**/analytics', (route) => route.fulfill({ status: 204 }));
    await page.goto(`${shopUrl}/products/lounge-chair`);
    const monthly = async (cents: number) => (await merchant.fairterm.asLowAs({ customTotal: cents })).asLowAs.amount;
    await expect.poll(() => estimateOf(page)).toContain(await monthly(oak.priceCents));
    const notified = page.waitForRequest('**/analytics');
    await page.getByLabel('Wood').selectOption({ label: walnut.name });
    await expect.poll(() => estimateOf(page)).toContain(await monthly(walnut.priceCents));
    expect((await notified).postDataJSON()).toMatchObject({ name: 'financing-quote', sku: walnut.sku });

    await page.locator('financing-button [part=button]').click();
    await page.waitForURL(`${service.publicUrl}/c/**`);
    expect(await page.locator('body').textContent()).toContain(formatCents(walnut.priceCents, 'USD'));
    await buy(page);
    const thankYou = page.url();
    expect(thankYou).toContain(`${shopUrl}/thank-you?`);
    await expect.poll(async () => (await fetch(thankYou)).text(), { timeout: 20_000 }).toContain('Your order is paid');
    expect(problems).toEqual([]);
  });

  it('renders the element with its attributes on the server', async () => {
    const html = await (await fetch(`${shopUrl}/products/lounge-chair`)).text();
    expect(html).toMatch(new RegExp(`<financing-button[^>]* amount="${oak.priceCents}"`));
  });

  it('responds with 404 for unknown products and SKUs', async () => {
    expect((await fetch(`${shopUrl}/products/sofa`)).status).toBe(404);
    expect((await fetch(`${shopUrl}/checkout/financing?sku=SOFA`, { redirect: 'manual' })).status).toBe(404);
  });

  it('responds with 400 to unsigned callbacks', async () => {
    const response = await fetch(`${shopUrl}/financing/callback`, {
      method: 'POST',
      body: '{"transactionId":"t","orderRef":"o"}',
    });
    expect(response.status).toBe(400);
  });

  it('sends no code to browsers that uses secrets', () => {
    const sent = readdirSync(join(folder, 'next/.next/static'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(folder, 'next/.next/static', name), 'utf8'));
    expect(sent.length).toBeGreaterThan(0);
    expect(sent.filter((code) => /FAIRTERM_SECRET|whsec_/.test(code))).toEqual([]);
  });
});
