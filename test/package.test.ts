/** Packs the package like `npm publish`, installs it in a separate folder and uses it there like a merchant. */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listening } from './demo/listening.ts';
import { quote } from './shared/client/stand-in.ts';
import { codeBlocks, samplesGuide } from './support/docs.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const installed = (name: string) => join(root, 'node_modules', name);
const run = promisify(execFile);

/** TypeScript of a merchant. Each mistake has a `@ts-expect-error`, which fails to compile if the mistake is accepted. */
const typescript = `
import { type Cart, type CartOptions, Fairterm, FairtermError, UnknownOutcomeError, type Transaction, verifyCallback } from 'fairterm/client';
import { type Application, FairtermPlatform, FairtermPlatformError, normalizedAddressHash } from 'fairterm/client';

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

export async function platformMistakes(platform: FairtermPlatform): Promise<void> {
  // @ts-expect-error a token and a key pair
  new FairtermPlatform({ serviceUrl: 's', token: 't', apiKey: 'k', secret: 's' });
  // @ts-expect-error no credentials
  new FairtermPlatform({ serviceUrl: 's' });
  // @ts-expect-error an unknown status
  await platform.applications.list({ 'status.eq': 'PAID' });
  // @ts-expect-error an undefined merchant
  await platform.applications.list({ 'merchantID.eq': undefined });
  // @ts-expect-error a sort order that skips applications changed in the meantime
  platform.applications.all({}, { sort: 'updatedAt.desc' });
}

export async function mistakes(): Promise<void> {
  // @ts-expect-error a cart without options
  await fairterm.carts.create({});
  // @ts-expect-error an amount as a string
  await fairterm.transactions.refund('t', { amount: '5' });
  // @ts-expect-error an undefined amount
  await fairterm.transactions.refund('t', { amount: undefined });
  // @ts-expect-error an unknown outcome
  await fairterm.sandbox.checkout({ cartId: 'c', outcome: 'maybe' });
  // @ts-expect-error an unknown status
  if ((await fairterm.transactions.retrieve('t')).status === 'PAID') return;
  // @ts-expect-error no secrets
  await verifyCallback({ body: '', headers: {} });
}
`;

const javascript = `
import { Fairterm, UnknownOutcomeError, verifyCallback } from 'fairterm/client';

const fairterm = new Fairterm({ serviceUrl: process.argv[2], apiKey: 'ft_sandbox_key_1', secret: 'ft_sandbox_secret_1' });
const { asLowAs } = await fairterm.asLowAs({ customTotal: 50_000 });
const errorCode = await verifyCallback({ body: '{}', headers: {}, secrets: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' }).catch(({ code }) => code);
const isUnknownOutcome = await fairterm.carts.retrieve('c').catch((error) => error instanceof UnknownOutcomeError);
console.log(JSON.stringify({ amount: asLowAs.amount, errorCode, isUnknownOutcome }));
`;

/** TypeScript of a shop's page that uses the types of the widget. */
const page = `
import { type AsLowAs, FinancingButton, type FinancingErrorCode } from 'fairterm/financing-button';
import 'fairterm/define';

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

const onServer = `
import { FinancingButton } from 'fairterm/financing-button';
import * as defined from 'fairterm/define';
import * as react from 'fairterm/react';
import 'fairterm/vue';
import 'fairterm/svelte';
import 'fairterm/jsx/react';
import 'fairterm/jsx/preact';
import 'fairterm/jsx/solid';
const isOne = defined.FinancingButton === FinancingButton;
console.log(JSON.stringify([typeof FinancingButton, isOne, typeof react.FinancingButton, Object.keys(globalThis).includes('document')]));
`;

describe('The package', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-package-'));
  const project = join(folder, 'project');
  const home = join(project, 'node_modules', 'fairterm');
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const tarball = () =>
    join(
      folder,
      readdirSync(folder).find((name) => name.endsWith('.tgz'))!,
    );

  beforeAll(async () => {
    await run('npm', ['pack', '--offline', '--pack-destination', folder], { cwd: root });
    mkdirSync(home, { recursive: true });
    await run('tar', ['-xzf', tarball(), '-C', home, '--strip-components=1']);
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { dependencies: object };
    for (const name of [
      ...Object.keys(dependencies),
      'better-sqlite3-13',
      'lit-html',
      '@lit/reactive-element',
      'lit-element',
      'react',
    ]) {
      if (!existsSync(installed(name))) continue;
      mkdirSync(dirname(join(project, 'node_modules', name)), { recursive: true });
      symlinkSync(installed(name), join(project, 'node_modules', name));
    }
    writeFileSync(join(project, 'package.json'), '{"type":"module"}');
    writeFileSync(join(project, 'shop.ts'), typescript);
    writeFileSync(join(project, 'shop.mjs'), javascript);
    writeFileSync(join(project, 'page.ts'), page);
    const samples = codeBlocks(samplesGuide).filter(({ language }) => language === 'ts');
    writeFileSync(join(project, 'samples.ts'), samples.map(({ code }) => code).join('\n'));
    writeFileSync(join(project, 'on-server.mjs'), onServer);
  }, 120_000);

  const compile = async (compilerOptions: Record<string, unknown>, file = 'shop.ts') => {
    const strict = {
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
    };
    const config = { compilerOptions: { target: 'es2023', ...strict, ...compilerOptions }, files: [file] };
    writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
    const compiler = installed('typescript/bin/tsc');
    const { stdout } = await run(process.execPath, [compiler, '-p', project]).catch((error: { stdout: string }) => error);
    return stdout;
  };

  it('contains the client, the widget, the service with its guides, and nothing else', () => {
    const files = readdirSync(home, { recursive: true, encoding: 'utf8', withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => posix.relative(home, posix.join(entry.parentPath, entry.name)));
    const service = /^dist\/(server|shared)\/([\w-]+\/)*[\w-]+\.(js|js\.map|d\.ts|css|ttf)$/;
    const guide =
      /^dist\/(server\/docs\/([\w-]+\.md|images\/[\w-]+\.png)|(shared\/client|widget)\/README\.md|widget\/recipes\/.+)$/;
    const widget =
      /^dist\/widget\/([\w-]+(\.iife)?\.(js|css)|texts\/[\w-]+\.(js|json)|module\/(chunks\/)?[\w-]+\.js|types\/.+\.d\.ts|manifest\/.+)$/;
    const others = files.filter((file) => ![service, widget, guide].some((pattern) => pattern.test(file)));

    expect(others.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json']);
    // The source maps embed the sources, which are not published as files.
    for (const map of files.filter((file) => file.endsWith('.map'))) {
      const { sourcesContent } = JSON.parse(readFileSync(join(home, map), 'utf8')) as { sourcesContent?: unknown[] };
      expect([map, typeof sourcesContent?.[0]]).toEqual([map, 'string']);
    }
  });

  it('contains the command line tool', async () => {
    const { bin } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')) as { bin: { fairterm: string } };
    const command = join(home, bin.fairterm);
    expect(readFileSync(command, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const env = { DATABASE_URL: `sqlite:${join(folder, 'sandbox.db')}` };
    await run(process.execPath, [command, 'migrate'], { env });
    const merchant = ['merchant', 'create', '--name', 'Acme', '--store-url', 'https://shop.example', '--json'];
    const { stdout } = await run(process.execPath, [command, ...merchant], { env });
    expect(JSON.parse(stdout)).toMatchObject({ apiKey: expect.stringMatching(/^ft_sandbox_key_/) });

    const check = [command, 'lender', 'check', 'http://127.0.0.1:1'];
    const secret = { LENDER_SECRET: `whsec_${Buffer.alloc(32).toString('base64')}` };
    const checked = run(process.execPath, check, { env: secret });
    await expect(checked).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('no response: ECONNREFUSED') });
  });

  it('can be used from plain JavaScript', async () => {
    const { url } = await listening((request, response) => {
      response.statusCode = request.method === 'POST' ? 200 : 404;
      response.end(JSON.stringify(request.method === 'POST' ? quote : {}));
    });

    const { stdout } = await run(process.execPath, ['shop.mjs', url], { cwd: project });

    expect(JSON.parse(stdout)).toEqual({ amount: '$23.07', errorCode: 'missing-header', isUnknownOutcome: true });
  });

  it.each([
    ['for Node', { module: 'nodenext', lib: ['es2023'], types: ['node'], typeRoots: [installed('@types')] }],
    ['for a worker or a bundler', { module: 'esnext', moduleResolution: 'bundler', lib: ['es2023', 'dom'], types: [] }],
  ])('has types that accept correct code and report mistakes in strict TypeScript %s', async (_case, options) => {
    expect(await compile(options)).toBe('');
  });

  it('has types that accept the code samples', async () => {
    const options = { module: 'nodenext', lib: ['es2023', 'dom'], types: ['node'], typeRoots: [installed('@types')] };
    expect(await compile(options, 'samples.ts')).toBe('');
  });

  it.each([
    ['for Node', { module: 'nodenext' }],
    ['for a bundler', { module: 'esnext', moduleResolution: 'bundler' }],
  ])('has types of the element %s', async (_case, options) => {
    expect(await compile({ ...options, lib: ['es2023', 'dom', 'dom.iterable'], types: [] }, 'page.ts')).toBe('');
  });

  it('has an element that a server can import without a document, errors or output', async () => {
    const { stdout, stderr } = await run(process.execPath, ['on-server.mjs'], { cwd: project });
    expect([JSON.parse(stdout), stderr]).toEqual([['function', true, 'object', false], '']);
  });

  it('has a client that uses only web APIs, none of Node', async () => {
    const args = ['-p', 'server/setup/tsconfig.client.json', '--noEmit', '--emitDeclarationOnly', 'false'];
    expect((await run(process.execPath, [installed('typescript/bin/tsc'), ...args], { cwd: root })).stdout).toBe('');
  });

  it('does not export internal modules', async () => {
    writeFileSync(join(project, 'deep.mjs'), "import 'fairterm/dist/shared/wire/cart.js';");

    await expect(run(process.execPath, ['deep.mjs'], { cwd: project })).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
  });
});
