/** A service in a separate process, with two merchants of different tenants, for fuzz tests. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openDatabase } from '../../server/db/open-database.ts';
import { createMerchant } from '../../server/merchants/merchants.ts';
import { systemClock } from '../../server/base/time.ts';
import { enableConformanceChecks } from '../support/conformance.ts';
import { chair, open, submit, typed } from '../support/checkout.ts';
import { createMigratedDatabaseUrl, type Engine } from '../support/databases.ts';
import { onCleanup } from '../support/cleanup.ts';
import { clientOf, listApplications, requestToken, type TestMerchant } from '../support/service.ts';
import { compact } from '../support/tokens.ts';
import { type ConsoleBrowser, signIn } from '../support/console.ts';
import { FOREIGN_CANARY } from './checks.ts';
import type { Targets } from './inputs.ts';
import { testKeys } from '../support/data-keys.ts';

export interface FuzzedService {
  url: string;
  port: number;
  targets: Targets;
  /** Log lines of the levels error and fatal, and everything that is written to stderr. */
  errors: string[];
  /** Resolves when the process exits. Before the end of the tests, this is a crash. */
  ended: Promise<unknown>;
  /** Memory in use after a garbage collection, in bytes. */
  memory(): Promise<{ heapUsed: number; rss: number }>;
}

const script = fileURLToPath(new URL('../bench/measured-server.ts', import.meta.url));
const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Starts the built service without rate limits. Requires `dist/`. */
export async function startFuzzedService(engine: Engine): Promise<FuzzedService> {
  const databaseUrl = await createMigratedDatabaseUrl(engine);
  const database = openDatabase(databaseUrl, testKeys);
  const shop = { storeUrl: 'https://shop.example/', origins: ['https://shop.example'] };
  const own = await createMerchant(database, 'sandbox', { name: 'Acme Goods', ...shop }, systemClock.now());
  const other = await createMerchant(database, 'sandbox', { name: FOREIGN_CANARY, ...shop }, systemClock.now());

  const child = fork(script, ['service', databaseUrl.replace(/^sqlite:/, '')], {
    cwd: projectRoot,
    execArgv: ['--expose-gc', '--import', './test/support/typescript.mjs'],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const ended = once(child, 'exit');
  onCleanup(async () => {
    if (child.connected) child.disconnect();
    await ended;
  });
  const errors = errorsIn(child);
  const [{ origin: url }] = (await once(child, 'message')) as [{ origin: string }];
  enableConformanceChecks(url, 'sandbox');
  const targets = await createTargets(url, { ...own, ...clientOf(url, own) }, { ...other, ...clientOf(url, other) });
  const { browser } = await signIn({ publicUrl: url, database }, own);
  await database.close();
  return {
    url,
    port: Number(new URL(url).port),
    targets: { ...targets, console: await consoleTargets(browser, `/console/${own.merchantId}`) },
    errors,
    ended,
    memory: async () => {
      child.send({});
      const [{ heapUsed, rss }] = (await once(child, 'message')) as [{ heapUsed: number; rss: number }];
      return { heapUsed, rss };
    },
  };
}

function errorsIn({ stdout, stderr }: ChildProcess): string[] {
  const errors: string[] = [];
  let rest = '';
  stdout!.on('data', (chunk: Buffer) => {
    const text = rest + chunk.toString();
    const end = text.lastIndexOf('\n') + 1;
    rest = text.slice(end);
    if (!/"level":[56]0/.test(text)) return;
    errors.push(
      ...text
        .slice(0, end)
        .split('\n')
        .filter((line) => /"level":[56]0/.test(line)),
    );
  });
  stderr!.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  return errors;
}

/** Opens the pages of the console that links lead to, and returns them with their forms. */
async function consoleTargets(browser: ConsoleBrowser, home: string): Promise<Targets['console']> {
  const pages = [home];
  const forms: Targets['forms'] = [];
  for (let index = 0; index < pages.length && pages.length < MAX_CONSOLE_PAGES; index += 1) {
    const page = await browser.open(pages[index]!);
    const addresses = page.links.map((link) => new URL(link, page.url)).map(({ pathname, search }) => pathname + search);
    pages.push(...new Set(addresses.filter((address) => address.startsWith(home) && !pages.includes(address))));
    for (const { method, action, fields } of page.forms) {
      const body = new URLSearchParams(fields.map(({ name, value }) => [name, value])).toString();
      if (method === 'POST' && !action.endsWith('/sign-out')) forms.push({ path: new URL(action).pathname, body });
    }
  }
  return { pages: [...pages, '/console', '/console/sign-in'], forms, cookie: browser.cookieHeader };
}

const MAX_CONSOLE_PAGES = 150;

async function createTargets(url: string, own: TestMerchant, other: TestMerchant): Promise<Omit<Targets, 'console'>> {
  const basic = (user: string, password: string) => `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  const token = await requestToken(url, own);
  const foreignToken = await requestToken(url, other);
  const [head, claims, signature] = token.split('.') as [string, string, string];
  const [foreignHead, foreignClaims] = foreignToken.split('.') as [string, string];
  return {
    apiKey: own.apiKey,
    secret: own.secret,
    origin: 'https://shop.example',
    token,
    badTokens: [
      `${head}.${foreignClaims}.${signature}`,
      `${foreignHead}.${claims}.${signature.slice(0, -4)}AAAA`,
      `${head}.${claims}.`,
      compact({ alg: 'none', typ: 'at+jwt' }, { TenantID: other.tenantId }),
      '.....',
      'x'.repeat(8_000),
    ],
    badBasic: [
      basic(own.apiKey, other.secret),
      basic(other.apiKey, own.secret),
      basic(own.apiKey, ''),
      basic('__proto__', 'x'),
      basic(`${own.apiKey}\0`, own.secret),
      basic(own.secret, own.apiKey),
      `Basic ${own.apiKey}:${own.secret}`,
      `Bearer ${token}`,
    ],
    ...(await createPurchases(url, own)),
    foreign: await createForeignObjects(url, other),
  };
}

async function createPurchases(
  url: string,
  merchant: TestMerchant,
): Promise<Pick<Targets, 'carts' | 'transactions' | 'pages' | 'forms'>> {
  const targets: Pick<Targets, 'carts' | 'transactions' | 'pages' | 'forms'> = {
    carts: [],
    transactions: [],
    pages: [],
    forms: [],
  };
  const pathOf = (address: string) => address.slice(url.length);
  for (let purchase = 0; purchase < 8; purchase += 1) {
    const { id, url: link } = await merchant.fairterm.carts.create({ options: { items: [{ ...chair, quantity: 3 }] } });
    const { id: completed } = await merchant.fairterm.carts.create({ options: { items: [{ ...chair, quantity: 3 }] } });
    targets.carts.push(id, completed);
    targets.transactions.push((await merchant.fairterm.sandbox.checkout({ cartId: completed })).transactionId);
    let page = await open(new URL(link).href.replace(/^https?:\/\/[^/]+/, url));
    targets.pages.push(pathOf(page.url));
    for (let step = 0; step < purchase % 4; step += 1) page = await submit(page);
    const fields = { ...typed, ...page.fields };
    targets.pages.push(pathOf(page.url), `${pathOf(page.url)}?lang=es`);
    targets.forms.push({ path: pathOf(page.action), body: new URLSearchParams(fields).toString() });
  }
  targets.pages.push('/c/unknown', '/c/AAAAAAAAAAAAAAAAAAAAAA', '/a/AAAAAAAAAAAAAAAAAAAAAA', '/docs', '/');
  return targets;
}

/**
 * Creates carts, transactions and applications of the other merchant, with the canary in every text, and returns all ids that only this
 * merchant may see.
 */
async function createForeignObjects(url: string, merchant: TestMerchant): Promise<string[]> {
  const contact = {
    firstName: FOREIGN_CANARY,
    lastName: FOREIGN_CANARY,
    address: FOREIGN_CANARY,
    city: FOREIGN_CANARY,
    state: 'IL',
    zip: '62701',
  };
  const options = {
    items: [{ ...chair, name: FOREIGN_CANARY, sku: FOREIGN_CANARY }],
    orderRef: FOREIGN_CANARY,
    shippingContact: contact,
    billingContact: contact,
    metadata: { note: FOREIGN_CANARY },
  };
  const ids: string[] = [merchant.merchantId, merchant.tenantId];
  for (const action of [undefined, 'authorize', 'cancel'] as const) {
    const cart = await merchant.fairterm.carts.create({ options });
    const { transactionId } = await merchant.fairterm.sandbox.checkout({ cartId: cart.id });
    if (action) await merchant.fairterm.transactions[action](transactionId, {});
    ids.push(cart.id, transactionId, (await merchant.fairterm.carts.create({ options })).id);
  }
  const { body } = await listApplications(url, await requestToken(url, merchant));
  for (const { id, buyerID, programID } of body.applications) ids.push(id, buyerID, programID);
  return [...new Set(ids)];
}
