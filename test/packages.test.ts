/** Packs the packages like `npm publish`, installs them in empty projects and uses them there like a shop or an operator. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { sqlitePackage } from '../server/db/driver.ts';
import { onCleanup } from './support/cleanup.ts';
import { TEST_DATA_KEYS } from './support/data-keys.ts';
import { createDatabaseUrl } from './support/databases.ts';
import { codeBlocks, samplesGuide } from './support/docs.ts';
import { extract, filesOf, installed, installTarballs, packageJsonOf, packTarball, temporaryFolder } from './support/packages.ts';
import { clientOf, startService } from './support/service.ts';
import { until } from './support/time.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);
const compiler = installed('typescript/bin/tsc');

/** TypeScript of a merchant. Each mistake has a `@ts-expect-error`, which fails to compile if the mistake is accepted. */
const typescript = `
import { type Cart, type CartOptions, Fairterm, FairtermError, UnknownOutcomeError, type Transaction, verifyCallback } from '@fairterm/client';
import { type Application, FairtermPlatform, FairtermPlatformError, normalizedAddressHash } from '@fairterm/client';

export const fairterm = new Fairterm({ serviceUrl: 'https://financing.example', apiKey: 'k', secret: 's' });
const options: CartOptions = { orderRef: 'ORDER-1', items: [{ sku: 'A', price: 100, quantity: 1, imageUrl: '', detailUrl: '' }] };

export async function createCheckoutUrl(): Promise<string> {
  const cart: Cart = await fairterm.carts.create({ options });
  return cart.url;
}

export async function handleCallback(body: string, headers: Headers): Promise<Transaction | undefined> {
  const { transactionId, orderRef } = await verifyCallback({ body, headers, secrets: ['whsec_AAAA'] });
  try {
    return await fairterm.transactions.authorize(transactionId, { merchantOrderId: orderRef });
  } catch (error) {
    if (error instanceof FairtermError && error.code === 'card-declined') return fairterm.transactions.cancel(transactionId);
    if (error instanceof UnknownOutcomeError) console.error(error.message, error.idempotencyKey);
    throw error;
  }
}

export async function listApproved(): Promise<Application[]> {
  const platform = new FairtermPlatform({ serviceUrl: 'https://financing.example', token: () => Promise.resolve('t') });
  const all: Application[] = [];
  try {
    const filters = { 'status.eq': 'APPROVED', 'statusCode.ne': ['200100'] } as const;
    for await (const application of platform.applications.all(filters, { sort: 'updatedAt.asc' })) all.push(application);
  } catch (error) {
    if (!(error instanceof FairtermPlatformError && error.reason === 'SCOPE_MISSING')) throw error;
  }
  return all;
}

export async function listByAddress(platform: FairtermPlatform): Promise<Application[]> {
  const address = { address1: '1 Main St', locality: 'Austin', region: 'TX', postalCode: '78701', country: 'US' };
  const { applications } = await platform.applications.list({ 'normalizedAddressHash.eq': await normalizedAddressHash(address) });
  return applications;
}

export async function mistakes(platform: FairtermPlatform): Promise<void> {
  // @ts-expect-error an unknown status
  await platform.applications.list({ 'status.eq': 'PAID' });
  // @ts-expect-error a cart without options
  await fairterm.carts.create({});
  // @ts-expect-error an unknown status
  if ((await fairterm.transactions.retrieve('t')).status === 'PAID') return;
  // @ts-expect-error no secrets
  await verifyCallback({ body: '', headers: {} });
}
`;

/** A merchant's server, in plain JavaScript. */
const purchase = `
async function buy() {
  const { SERVICE_URL, KEY, SECRET } = process.env;
  const fairterm = new Fairterm({ serviceUrl: SERVICE_URL, apiKey: KEY, secret: SECRET });
  const items = [{ sku: 'CHAIR-1', name: 'Chair', price: 129900, quantity: 1, imageUrl: '', detailUrl: '' }];
  const { id } = await fairterm.carts.create({ options: { orderRef: 'ORDER-1', items } });
  const { transactionId } = await fairterm.sandbox.checkout({ cartId: id });
  const authorized = await fairterm.transactions.authorize(transactionId, { merchantOrderId: 'ORDER-1' });
  await fairterm.transactions.settle(transactionId);
  const { status, adjustedTotal } = await fairterm.transactions.refund(transactionId, { amount: 2500 });
  const repeated = await fairterm.transactions.authorize(transactionId).catch((error) => error instanceof FairtermError && error.code);
  const unsigned = await verifyCallback({ body: '{}', headers: {}, secrets: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }).catch(({ code }) => code);
  console.log(JSON.stringify({ orderId: authorized.merchantOrderId, status, adjustedTotal, repeated, unsigned }));
}
void buy();
`;
const merchants = {
  'merchant.mjs': `import { Fairterm, FairtermError, verifyCallback } from '@fairterm/client';${purchase}`,
  'merchant.cjs': `const { Fairterm, FairtermError, verifyCallback } = require('@fairterm/client');${purchase}`,
};

/** TypeScript of a shop's page that uses the types of the widget. */
const page = `
import { type AsLowAs, FinancingButton, type FinancingErrorCode } from '@fairterm/button';

export const element: FinancingButton = document.createElement('financing-button');
export const quote: AsLowAs | undefined = element.quote;
element.amount = 50_000;
element.addEventListener('financing-error', ({ detail }) => {
  const code: FinancingErrorCode = detail.code;
  console.error(code);
});
// @ts-expect-error an amount that is neither a number nor text
element.amount = {};
// @ts-expect-error the quote is read-only
element.quote = undefined;
`;

/** A server that renders pages, as an ES module and as CommonJS. */
const servers = {
  'server.mjs': `
    import { FinancingButton } from '@fairterm/button';
    import * as react from '@fairterm/button/react';
    import '@fairterm/button/vue';
    import '@fairterm/button/svelte';
    import '@fairterm/button/jsx/react';
    import '@fairterm/button/jsx/preact';
    import '@fairterm/button/jsx/solid';
    console.log(typeof FinancingButton, typeof react.FinancingButton, Object.keys(globalThis).includes('document'));`,
  'server.cjs': `
    const { FinancingButton } = require('@fairterm/button');
    const react = require('@fairterm/button/react');
    for (const name of ['vue', 'svelte', 'jsx/react', 'jsx/preact', 'jsx/solid']) require('@fairterm/button/' + name);
    console.log(typeof FinancingButton, typeof react.FinancingButton, Object.keys(globalThis).includes('document'));`,
};

/** Compiles a file of a project strictly, with all declarations, and returns the errors. */
async function compile(project: string, file: string, options: Record<string, unknown>): Promise<string> {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false };
  const compilerOptions = { target: 'es2023', noEmit: true, ...strict, ...options };
  const config = join(project, `${file}.json`);
  writeFileSync(config, JSON.stringify({ compilerOptions, files: [file] }));
  const { stdout } = await run(process.execPath, [compiler, '-p', config]).catch((error: { stdout: string }) => error);
  return stdout;
}

/** Source maps embed the sources, which are not published as files. */
function expectMapsToHaveSources(folder: string): void {
  const maps = filesOf(folder).filter((file) => file.endsWith('.js.map'));
  const withoutSources = maps.filter((map) => {
    const { sources, sourcesContent = [] } = JSON.parse(readFileSync(join(folder, map), 'utf8')) as {
      sources: string[];
      sourcesContent?: unknown[];
    };
    return sources.length === 0 || sources.some((_source, index) => typeof sourcesContent[index] !== 'string');
  });
  expect(withoutSources).toEqual([]);
}

const node = { module: 'nodenext', lib: ['es2023'], types: ['node'], typeRoots: [installed('@types')] };
const bundler = { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom', 'dom.iterable'], types: [] };
const published = ['LICENSE', 'LICENSE-superstruct.md'].map((name) => `dist/${name}`);

describe('The package @fairterm/client', () => {
  let project: string;
  beforeAll(async () => {
    project = await installTarballs([await packTarball('client')]);
    for (const [name, code] of Object.entries(merchants)) writeFileSync(join(project, name), code);
    for (const name of ['shop.ts', 'shop.mts', 'shop.cts']) writeFileSync(join(project, name), typescript);
    const samples = codeBlocks(samplesGuide).filter(({ language }) => language === 'ts');
    writeFileSync(join(project, 'samples.ts'), samples.map(({ code }) => code).join('\n'));
  });

  it('contains the client in two formats with its types, and no other package is installed with it', () => {
    const folder = join(project, 'node_modules/@fairterm/client');
    const built = /^dist\/(esm|cjs)\/(index\.js(\.map)?|types\/(shared|superstruct)\/([\w-]+\/)*[\w-]+\.d\.ts)$/;

    const others = filesOf(folder).filter((file) => !built.test(file));
    expect(others).toEqual(['README.md', ...published, 'dist/cjs/package.json', 'package.json'].toSorted());
    expectMapsToHaveSources(folder);
    expect(filesOf(join(project, 'node_modules')).filter((file) => !file.startsWith('@fairterm/client/'))).toEqual([
      '.package-lock.json',
    ]);
  });

  it.each(Object.keys(merchants))('makes a purchase and refunds a part of it in %s', async (script) => {
    const service = await startService();
    const { apiKey, secret } = await service.createMerchant();

    const env = { ...process.env, SERVICE_URL: service.publicUrl, KEY: apiKey, SECRET: secret };
    const { stdout, stderr } = await run(process.execPath, [script], { cwd: project, env });

    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      orderId: 'ORDER-1',
      status: 'SETTLED',
      adjustedTotal: 127_400,
      repeated: 'wrong-state',
      unsigned: 'missing-header',
    });
  });

  it.each([
    ['an ES module for Node', 'shop.mts', node],
    ['CommonJS for Node', 'shop.cts', node],
    ['a worker or a bundler', 'shop.ts', bundler],
  ])('has types that accept correct code and report mistakes in strict TypeScript of %s', async (_case, file, options) => {
    expect(await compile(project, file, options)).toBe('');
  });

  it('has types that accept the code samples', async () => {
    expect(await compile(project, 'samples.ts', { ...node, lib: ['es2023', 'dom'] })).toBe('');
  });

  it('uses only web APIs, none of Node', async () => {
    const args = ['-p', 'server/setup/tsconfig.packages.json', '--noEmit', '--emitDeclarationOnly', 'false'];
    expect((await run(process.execPath, [compiler, ...args], { cwd: root })).stdout).toBe('');
  });

  it('does not export internal modules', async () => {
    writeFileSync(join(project, 'deep.mjs'), "import '@fairterm/client/dist/esm/index.js';");
    await expect(run(process.execPath, ['deep.mjs'], { cwd: project })).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});

describe('The package @fairterm/button', () => {
  let project: string;
  beforeAll(async () => {
    project = await installTarballs([await packTarball('button')], ['lit', 'react']);
    for (const [name, code] of Object.entries(servers)) writeFileSync(join(project, name), code);
    for (const name of ['page.ts', 'page.mts', 'page.cts']) writeFileSync(join(project, name), page);
  });

  it('contains the element in two formats, its types, and the data for editors', () => {
    const folder = join(project, 'node_modules/@fairterm/button');
    const built =
      /^dist\/((esm|cjs)\/((chunks\/)?\w[\w-]*\.js|types\/(shared|superstruct|widget)\/.+\.d\.ts|frameworks\/.+)|[\w.-]+\.(css|json))$/;

    const others = filesOf(folder).filter((file) => !built.test(file));
    expect(others).toEqual(['README.md', ...published, 'dist/cjs/package.json', 'package.json'].toSorted());
    expect(Object.keys(packageJsonOf(folder).dependencies!)).toEqual(['lit']);
  });

  it.each([
    ['an ES module', 'page.mts', { ...bundler, module: 'nodenext', moduleResolution: 'nodenext' }],
    ['CommonJS', 'page.cts', { ...bundler, module: 'nodenext', moduleResolution: 'nodenext' }],
    ['a bundler', 'page.ts', bundler],
  ])('has types of the element for %s', async (_case, file, options) => {
    expect(await compile(project, file, options)).toBe('');
  });

  it.each(Object.keys(servers))('can be imported on a server without a document, errors or output (%s)', async (script) => {
    const { stdout, stderr } = await run(process.execPath, [script], { cwd: project });
    expect([stdout, stderr]).toEqual(['function object false\n', '']);
  });
});

describe('The package fairterm', () => {
  const project = temporaryFolder();
  const home = join(project, 'node_modules/fairterm');

  /** The package of the driver has no binary if npm has run no scripts: of version 12, it is compiled or downloaded by one. */
  const withoutScripts = join(project, 'without-scripts/node_modules');

  beforeAll(async () => {
    await extract(await packTarball('service'), home);
    const { dependencies } = packageJsonOf(home);
    const names = [...Object.keys(dependencies!), 'better-sqlite3-13'].filter((each) => existsSync(installed(each)));
    for (const modules of [join(project, 'node_modules'), withoutScripts]) {
      for (const name of names) {
        mkdirSync(dirname(join(modules, name)), { recursive: true });
        symlinkSync(installed(name), join(modules, name));
      }
    }
    rmSync(join(withoutScripts, sqlitePackage));
    cpSync(home, join(withoutScripts, 'fairterm'), { recursive: true });
    const isLoaded = (path: string) => !/\/(build|prebuilds|deps|src)$/.test(path);
    cpSync(installed(sqlitePackage), join(withoutScripts, sqlitePackage), { recursive: true, filter: isLoaded });
  });

  it('contains the service with its guides, the files of the button that pages load, and nothing else', () => {
    const service = /^dist\/(server|shared)\/([\w-]+\/)*[\w-]+\.(js|js\.map|css|ttf)$/;
    const guide =
      /^dist\/(server\/docs\/([\w-]+\.md|proxy\/(nginx\.conf|Caddyfile)|failover\/(etcd|haproxy\.cfg|patroni\.yml)|monitoring\/(alerts\.yml|dashboard\.json|prometheus\.yml)|images\/(checkout|console-\w+)-light\.png)|server\/http\/openapi\/docs\/colors\.json|(shared\/client|widget)\/README\.md|widget\/recipes\/.+)$/;
    const widget = /^dist\/widget\/([\w-]+(\.iife)?\.(js|css)|texts\/[\w-]+\.(js|json))$/;
    const others = filesOf(home).filter((file) => ![service, widget, guide].some((pattern) => pattern.test(file)));

    expect(others).toEqual(['LICENSE', 'README.md', 'package.json', 'server/setup/fairterm.service']);
    expectMapsToHaveSources(home);
  });

  it('contains the command line tool', async () => {
    const command = join(home, packageJsonOf(home).bin!['fairterm']!);
    expect(readFileSync(command, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const env = { DATABASE_URL: `sqlite:${join(project, 'sandbox.db')}` };
    await run(process.execPath, [command, 'migrate'], { env });
    const merchant = ['merchant', 'create', '--name', 'Acme', '--store-url', 'https://shop.example', '--json'];
    const { stdout } = await run(process.execPath, [command, ...merchant], { env });
    expect(JSON.parse(stdout)).toMatchObject({ apiKey: expect.stringMatching(/^ft_sandbox_key_/) });

    const check = [command, 'lender', 'check', 'http://127.0.0.1:1'];
    const secret = { LENDER_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}` };
    const checked = run(process.execPath, check, { env: secret });
    await expect(checked).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('no response: ECONNREFUSED') });
  });

  it('serves from PostgreSQL and runs commands without the binary of the SQLite driver', async () => {
    expect(filesOf(join(withoutScripts, sqlitePackage)).filter((file) => file.endsWith('.node'))).toEqual([]);
    const command = join(withoutScripts, 'fairterm', packageJsonOf(home).bin!['fairterm']!);
    const env = { DATABASE_URL: await createDatabaseUrl('postgres'), DATA_KEYS: TEST_DATA_KEYS, PORT: '0' };
    const fairterm = async (...args: string[]) => (await run(process.execPath, [command, ...args], { env })).stdout;
    const merchant = ['merchant', 'create', '--name', 'Acme', '--store-url', 'https://shop.example', '--json'];
    const service = spawn(process.execPath, [command, 'serve'], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    onCleanup(() => service.kill('SIGKILL'));
    let log = '';
    service.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
    const url = await until(() => /serves (http:\S+)/.exec(log)?.[1]);
    const created = JSON.parse(await fairterm(...merchant));
    const { fairterm: client } = clientOf(url, created);
    const { id: cartId } = await client.carts.create({ options: { customTotal: 129_900 } });
    await client.sandbox.checkout({ cartId });
    service.kill('SIGTERM');
    await once(service, 'exit');
    expect(await fairterm('audit')).toMatch(/^Transactions: 1, differing from their journal: 0\./);
  });
});
