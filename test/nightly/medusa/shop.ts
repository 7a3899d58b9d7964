/** A shop of Medusa with the plug-in, on PostgreSQL. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inject } from 'vitest';
import { callbackSecretsOf } from '../../../server/merchants/callback-secrets.ts';
import { onCleanup } from '../../support/cleanup.ts';
import type { Json } from '../../support/conformance.ts';
import { codeBlock } from '../../support/docs.ts';
import { freePort } from '../../support/network.mjs';
import { packTarball } from '../../support/packages.ts';
import { createPostgresDatabase } from '../../support/postgres.ts';
import type { TestMerchant, TestService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('.', import.meta.url));
export const recipe = 'widget/recipes/medusa';
const plugin = fileURLToPath(new URL(`../../../${recipe}`, import.meta.url));
const cli = join(folder, 'node_modules/@medusajs/cli/cli.js');
const administrator = { email: 'admin@shop.example', password: 'correct horse' };

export const FAIRTERM = 'pp_fairterm_fairterm';
export const MANUAL = 'pp_system_default';

export interface Shop {
  url: string;
  publishableKey: string;
  merchant: TestMerchant;
  /** The log of Medusa. */
  log(): string;
  /** Calls the admin API. @throws Error if the response is not 2xx. */
  admin(method: string, path: string, body?: unknown): Promise<Json>;
  /** Calls the store API, as a customer with their token or as a guest. @throws Error if the response is not 2xx. */
  store(method: string, path: string, body?: unknown, token?: string): Promise<Json>;
  /** Creates a region of a currency, and a product of $1,299.00 or the same amount of it. */
  createRegion(currency: string, country: string): Promise<{ regionId: string; variantId: string }>;
}

/** Installs Medusa with the tarballs of the plug-in and the client, and writes the module of the README for `medusa-config.js`. */
export async function installShop(): Promise<void> {
  const packed = mkdtempSync(join(tmpdir(), 'fairterm-medusa-'));
  onCleanup(() => rmSync(packed, { recursive: true }));
  await run('npm', ['pack', '--pack-destination', packed], { cwd: plugin });
  const tarballs = [join(packed, readdirSync(packed)[0]!), await packTarball('client')];
  // Their version is that of the tarballs that are installed.
  rmSync(join(folder, 'node_modules/@fairterm'), { recursive: true, force: true });
  await run('npm', ['install', '--no-save', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs], { cwd: folder });
  const module = codeBlock(`${recipe}/README.md`, 'module');
  writeFileSync(join(folder, 'node_modules/@fairterm/readme-module.js'), `export default ${module}`);
}

/** Migrates a database and starts the shop. @param serviceUrl - URL at which it reaches the service. */
export async function startShop(service: TestService, serviceUrl: string): Promise<Shop> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const merchant = await service.createMerchant({ storeUrl: 'https://shop.example/' });
  const secrets = await callbackSecretsOf(service.database.query, merchant.merchantId);
  const database = await createPostgresDatabase(inject('postgresUrl'));
  onCleanup(() => database.drop());
  const env = {
    PATH: process.env['PATH'],
    NODE_ENV: 'production' as const,
    MEDUSA_DISABLE_TELEMETRY: '1',
    DATABASE_URL: database.url,
    BACKEND_URL: url,
    STOREFRONT_URL: 'https://shop.example',
    FAIRTERM_URL: serviceUrl,
    FAIRTERM_KEY: merchant.apiKey,
    FAIRTERM_SECRET: merchant.secret,
    FAIRTERM_CALLBACK_SECRETS: secrets.map(({ secret }) => secret).join(','),
  };
  const options = { cwd: folder, env };
  await run(process.execPath, [cli, 'db:migrate', '--execute-safe-links'], { ...options, maxBuffer: 2 ** 26 });
  const { email, password } = administrator;
  await run(process.execPath, [cli, 'user', '--email', email, '--password', password], options);
  const server = spawn(process.execPath, [cli, 'start', '--host', '127.0.0.1', '--port', String(port)], {
    ...options,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onCleanup(() => stop(server));
  let log = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await until(async () => {
    if (server.exitCode !== null) throw new Error(`Medusa exited: ${log}`);
    return (await fetch(`${url}/health`).catch(() => undefined))?.ok;
  }, 300_000);

  const call = async (method: string, path: string, headers: Record<string, string>, body?: unknown): Promise<Json> => {
    const response = await fetch(url + path, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return JSON.parse(text);
  };
  const { token } = await call('POST', '/auth/user/emailpass', {}, administrator);
  const admin: Shop['admin'] = (method, path, body) => call(method, `/admin${path}`, { authorization: `Bearer ${token}` }, body);

  const { sales_channels: channels } = await admin('GET', '/sales-channels');
  const channel = { id: channels[0].id as string };
  const { api_key: key } = await admin('POST', '/api-keys', { title: 'Storefront', type: 'publishable' });
  await admin('POST', `/api-keys/${key.id}/sales-channels`, { add: [channel.id] });
  const createRegion: Shop['createRegion'] = async (currency, country) => {
    const { region } = await admin('POST', '/regions', {
      name: country,
      currency_code: currency,
      countries: [country],
      payment_providers: [FAIRTERM, MANUAL],
    });
    const { product } = await admin('POST', '/products', {
      title: `Chair for ${country}`,
      status: 'published',
      sales_channels: [channel],
      options: [{ title: 'Wood', values: ['Walnut'] }],
      variants: [
        {
          title: 'Walnut',
          options: { Wood: 'Walnut' },
          manage_inventory: false,
          prices: [{ amount: 1_299, currency_code: currency }],
        },
      ],
    });
    return { regionId: region.id, variantId: product.variants[0].id };
  };
  return {
    url,
    publishableKey: key.token,
    merchant,
    log: () => log,
    admin,
    store: (method, path, body, customerToken) =>
      call(
        method,
        path.startsWith('/auth') ? path : `/store${path}`,
        {
          'x-publishable-api-key': key.token,
          ...(customerToken && { authorization: `Bearer ${customerToken}` }),
        },
        body,
      ),
    createRegion,
  };
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}
