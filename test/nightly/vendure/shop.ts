/** A shop of Vendure with the plug-in. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { transformWithOxc } from 'vite';
import { inject } from 'vitest';
import { callbackSecretsOf } from '../../../server/merchants/callback-secrets.ts';
import { onCleanup } from '../../support/cleanup.ts';
import type { Json } from '../../support/conformance.ts';
import type { Engine } from '../../support/databases.ts';
import { codeBlock } from '../../support/docs.ts';
import { freePort } from '../../support/network.mjs';
import { packTarball } from '../../support/packages.ts';
import { createPostgresDatabase } from '../../support/postgres.ts';
import type { TestMerchant, TestService } from '../../support/service.ts';
import { until } from '../../support/time.ts';

const run = promisify(execFile);
const folder = fileURLToPath(new URL('.', import.meta.url));
export const recipe = 'widget/recipes/vendure';
const plugin = fileURLToPath(new URL(`../../../${recipe}`, import.meta.url));

/** Calls an API of Vendure with the token of a session. @throws Error if the response has errors. */
export type Api = (query: string, variables?: Record<string, unknown>) => Promise<Json>;

export interface Shop {
  url: string;
  merchant: TestMerchant;
  /** The log of Vendure. */
  log(): string;
  admin: Api;
  /** The shop API for a new guest. @param query - Of the URL, such as `?currencyCode=EUR`. */
  guest(query?: string): Api;
}

/** Installs Vendure with the tarballs of the plug-in and the client, and writes the plug-in of the README for `server.mjs`. */
export async function installShop(): Promise<void> {
  const packed = mkdtempSync(join(tmpdir(), 'fairterm-vendure-'));
  onCleanup(() => rmSync(packed, { recursive: true }));
  await run('npm', ['pack', '--pack-destination', packed], { cwd: plugin });
  const tarballs = [join(packed, readdirSync(packed)[0]!), await packTarball('client')];
  // Their version is that of the tarballs that are installed.
  rmSync(join(folder, 'node_modules/@fairterm'), { recursive: true, force: true });
  // Vendure finds the compiled better-sqlite3 of the repository, so that no script of an installation is needed.
  const options = ['--no-save', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...options, ...tarballs], { cwd: folder });
  const module = `import { FairtermPlugin } from '@fairterm/vendure';\nexport default ${codeBlock(`${recipe}/README.md`, 'plugin')}`;
  const { code } = await transformWithOxc(module, 'readme-plugin.ts');
  writeFileSync(join(folder, 'node_modules/@fairterm/readme-plugin.mjs'), code);
}

/** Starts the shop with a new database. @param serviceUrl - URL at which it reaches the service. @param variables - More environment variables. */
export async function startShop(service: TestService, serviceUrl: string, engine: Engine, variables = {}): Promise<Shop> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const merchant = await service.createMerchant({ storeUrl: 'https://shop.example/' });
  const secrets = await callbackSecretsOf(service.database.query, merchant.merchantId);
  const env = {
    PATH: process.env['PATH'],
    VENDURE_DISABLE_TELEMETRY: 'true',
    DATABASE_URL: engine === 'sqlite' ? sqliteUrl() : await postgresUrl(),
    PORT: String(port),
    VENDURE_URL: url,
    // Its pages have a query: `https://shop.example/?page=/checkout/complete`.
    STOREFRONT_URL: 'https://shop.example/?page=',
    FAIRTERM_URL: serviceUrl,
    FAIRTERM_KEY: merchant.apiKey,
    FAIRTERM_SECRET: merchant.secret,
    FAIRTERM_CALLBACK_SECRETS: secrets.map(({ secret }) => secret).join(','),
    ...variables,
  };
  const server = spawn(process.execPath, ['server.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  onCleanup(() => stop(server));
  let log = '';
  for (const stream of [server.stdout, server.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  await until(() => {
    if (server.exitCode !== null) throw new Error(`Vendure exited: ${log}`);
    return log.includes('The shop is ready');
  }, 300_000);

  const admin = session(`${url}/admin-api`);
  await admin('mutation { login(username: "superadmin", password: "superadmin") { __typename } }');
  return { url, merchant, log: () => log, admin, guest: (query = '') => session(`${url}/shop-api${query}`) };
}

function sqliteUrl(): string {
  const data = mkdtempSync(join(tmpdir(), 'fairterm-vendure-'));
  onCleanup(() => rmSync(data, { recursive: true }));
  return `sqlite:${join(data, 'vendure.db')}`;
}

async function postgresUrl(): Promise<string> {
  const database = await createPostgresDatabase(inject('postgresUrl'));
  onCleanup(() => database.drop());
  return database.url;
}

function session(url: string): Api {
  let token: string | null = null;
  return async (query, variables = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ query, variables }),
    });
    token = response.headers.get('vendure-auth-token') ?? token;
    const { data, errors }: Json = await response.json();
    if (errors) throw new Error(errors.map(({ message }: Json) => message).join());
    return data;
  };
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, 'exit');
  server.kill('SIGKILL');
  await ended;
}
