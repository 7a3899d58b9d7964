/** Whole pages of the console, measured over HTTP with a million purchases of one merchant. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import Koa from 'koa';
import { sql } from 'kysely';
import type { Database } from '../../server/db/database.ts';
import type { Instant } from '../../server/base/time.ts';
import { applicationRow, cartRow } from '../support/purchases.ts';
import { dist } from './built.ts';
import { median, quantile, reportFigure } from './figures.ts';
import { CALLBACK_RULES, checkoutDeps } from './purchases.ts';

const { addApplication } = await dist('server/lending/applications/store.js');
const { addCart } = await dist('server/purchases/carts/store.js');
const { getServiceKey } = await dist('server/checkout/session/store.js');
const { readConfig } = await dist('server/base/config/config.js');
const { consoleRoutes } = await dist('server/console/routes.js');
const { hashesOfWords } = await dist('server/db/order-words.js');
const { idAt, idOf, newId } = await dist('server/base/ids.js');
const { createMerchant } = await dist('server/merchants/merchants.js');
const { outboxRow } = await dist('server/messages/outbox.js');
const { requireMerchant } = await dist('server/merchants/store.js');
const { savePurchase } = await dist('server/purchases/transactions/save-change.js');
const { getTransaction } = await dist('server/purchases/transactions/store.js');
const { createTransactions } = await dist('server/purchases/transactions/transactions.js');
const { FailedLogins } = await dist('server/merchants/failed-logins.js');
const { plusMs, systemClock } = await dist('server/base/time.js');
const { newBrowserToken } = await dist('server/console/users/sessions.js');
const { signInWithLink } = await dist('server/console/users/sign-in.js');
const { inviteUser } = await dist('server/console/users/users.js');

const SAMPLES = 60;
const GOAL_MS = 50;
const REQUESTS = 100_000;
const transactions = createTransactions({ lifetimes: { pendingDays: 100_000, authorizedDays: 100_000 } });

/** Measures the pages of a merchant whose last purchase was at `now`. @param sampleId - Of a purchase. */
export async function reportConsolePages(engine: string, database: Database, merchantId: string, sampleId: string, now: Instant) {
  const orderId = await addLongOrder(database, merchantId, sampleId, now);
  await addWords(database, merchantId);
  await addRequests(database, merchantId);
  await addDeliveries(database, merchantId);
  const { origin, close } = await startConsole(database, now);
  try {
    await reportHome(engine, origin, database, merchantId);
    const cookie = await signIn(database, merchantId);
    const pages = {
      Home: '',
      ...Object.fromEntries(
        ['all', 'authorize', 'ship', 'expiring', 'settled', 'refunded', 'ended'].map((view) => [
          `Orders, ${view}`,
          `/orders?view=${view}`,
        ]),
      ),
      'an order with 30 lines': `/orders/${orderId}`,
      'its refund': `/orders/${orderId}/cancel?all=yes`,
      'a search by name': '/orders?q=ada+lovelace',
      'a search by order': '/orders?q=A-1001',
      'a search by amount': '/orders?q=750.00',
      'a search without a match': '/orders?q=unknown',
      Links: '/links',
      Money: '/money',
      Webhooks: '/developers/webhooks',
      Requests: '/developers/requests',
      'rejected requests': '/developers/requests?show=rejected',
    };
    for (const [name, path] of Object.entries(pages)) {
      const times: number[] = [];
      for (let count = 0; count < SAMPLES; count++) {
        times.push((await timeOf(`${origin}/console/${merchantId}${path}`, cookie)).ms);
      }
      // The first response is of code that was not compiled yet, and of an empty cache.
      const [first = 0, ...others] = times;
      const p95 = quantile(others, 0.95);
      const details = `median ${median(others).toFixed(1)} ms, first ${first.toFixed(0)} ms`;
      reportFigure({ what: `${engine}: ${name} in the console, p95`, value: p95, unit: 'ms', atMost: GOAL_MS, details });
    }
  } finally {
    await close();
  }
}

/** Requests a page of the console. Returns its text, and the milliseconds until the end of it. */
async function timeOf(address: string, cookie: string): Promise<{ ms: number; text: string }> {
  const startedAtMs = performance.now();
  const response = await fetch(address, { headers: { cookie }, redirect: 'manual' });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`Expected ${address}, but received ${response.status} ${text.slice(0, 2_000)}`);
  return { ms: performance.now() - startedAtMs, text };
}

/**
 * Measures the pages with figures when they are opened for the first time, without cached days, and the longest time for which they block the
 * process. The same pages of a merchant without purchases were opened before, so that their code is compiled.
 */
async function reportHome(engine: string, origin: string, database: Database, merchantId: string) {
  const other = { name: 'Empty', storeUrl: 'https://empty.example/', origins: [] };
  const { merchantId: emptyId } = await createMerchant(database, 'live', other, systemClock.now());
  const emptyCookie = await signIn(database, emptyId);
  const cookie = await signIn(database, merchantId);
  const pages = {
    'Home, 28 days': { path: '', atMost: 200 },
    'Home, 12 months': { path: '?range=12m', atMost: 1_000 },
    'Home, 90 days': { path: '?range=90d', atMost: 1_000 },
    'Home, 7 days': { path: '?range=7d', atMost: 200 },
    'deliveries of 28 days': { path: '/developers/webhooks', atMost: 1_000 },
    'requests of 7 days': { path: '/developers/requests', atMost: 200 },
  };
  for (const [name, { path, atMost }] of Object.entries(pages)) {
    await timeOf(`${origin}/console/${emptyId}${path}`, emptyCookie);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const { ms, text } = await timeOf(`${origin}/console/${merchantId}${path}`, cookie);
    delay.disable();
    if (!text.includes('class="plots"')) throw new Error(`Expected figures, but received ${text.slice(0, 2_000)}`);
    const details = `blocked for at most ${(delay.max / 1e6).toFixed(0)} ms`;
    reportFigure({ what: `${engine}: ${name} in the console, the first time`, value: ms, unit: 'ms', atMost, details });
  }
}

async function startConsole(database: Database, now: Instant) {
  const { console: limits, messageLimits } = readConfig({});
  const app = new Koa();
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  app.on('error', (error) => console.error(error));
  const forms = { key: await getServiceKey(database.query), ownOrigin: origin };
  const deps = {
    database,
    clock: { now: () => now, moveTo: () => undefined },
    realClock: systemClock,
    mode: 'live',
    transactions,
    mail: { ...(await checkoutDeps(database)).mail, publicUrl: origin },
    messageLimits,
    callbacks: CALLBACK_RULES,
    passkeySite: { origin, key: forms.key, name: 'Fairterm' },
    wakeDelivery: () => undefined,
  } as const;
  const failedLogins = new FailedLogins();
  const pageLimit = () => 0;
  for (const middleware of consoleRoutes({ forms, deps, limits, pageLimit, exportLimit: pageLimit, failedLogins }))
    app.use(middleware);
  const handle = app.callback();
  server.on('request', (request, response) => void handle(request, response));
  return { origin, close: () => new Promise((resolve) => server.close(resolve)) };
}

/** Returns the cookie of a new administrator. */
async function signIn(database: Database, merchantId: string): Promise<string> {
  const { tenantId } = await requireMerchant(database.query, merchantId);
  const invited = { tenantId, merchantId, role: 'admin', email: 'ada@acme.example', name: 'Ada Lovelace' } as const;
  const { console: limits } = readConfig({});
  const { mail } = await checkoutDeps(database);
  const now = systemClock.now();
  const { path } = await inviteUser(database, invited, undefined, mail, now);
  const after = newBrowserToken();
  await signInWithLink(database, path.split('/').at(-1)!, { before: undefined, after }, limits, now);
  return `fairterm-console=${after}`;
}

/** Adds an order with 30 lines, whose other values are those of a purchase. @returns Its id. */
async function addLongOrder(database: Database, merchantId: string, sampleId: string, at: Instant): Promise<string> {
  const { tenantId, defaultProgramId: programId } = await requireMerchant(database.query, merchantId);
  const sample = await getTransaction(database.query, merchantId, sampleId);
  const line = sample.lineItems[0]!;
  const lineItems = Array.from({ length: 30 }, (_, index) => ({ ...line, id: String(index), sku: `SKU-${index}` }));
  const totalCents = lineItems.reduce((sum, { price }) => sum + price, 0);
  const amounts = { totalCents, adjustedTotalCents: totalCents, lineItemsCents: totalCents };
  const id = newId();
  const references = { id, tenantId, merchantId, programId, at };
  const ids = { id, cartId: id, applicationId: id, createdAt: at, updatedAt: at, statusSince: at };
  await database.write(async (tx) => {
    await addCart(tx, cartRow(references));
    await addApplication(tx, applicationRow(references));
    await savePurchase(tx, { ...sample, ...ids, ...amounts, lineItems, status: 'PENDING' });
  });
  return id;
}

/** Adds the first name of all buyers, and the last name of each thousandth one. */
async function addWords(database: Database, merchantId: string) {
  const [first, last] = await hashesOfWords(database.query, merchantId, 'order-name', ['ada', 'lovelace']);
  const isThousandth = sql`id like '%00-0000-4000-8000-000000000000'`;
  await database.write(async (tx) => {
    await sql`insert into order_words (hash, created_at, transaction_id)
      select ${first}, created_at, id from transactions where id like '%-4000-8000-000000000000'`.execute(tx);
    await sql`insert into order_words (hash, created_at, transaction_id)
      select ${last}, created_at, id from transactions where ${isThousandth}`.execute(tx);
  });
  await database.write((tx) => sql`analyze order_words`.execute(tx));
}

/** Adds the callbacks, events and e-mails of a purchase a minute, as they are in the list of deliveries: in real time. */
async function addDeliveries(database: Database, merchantId: string) {
  const now = systemClock.now();
  const channels = ['callback', 'webhook', 'webhook', 'webhook', 'webhook', 'email', 'email', 'email'] as const;
  const minutes = 28 * 1_440;
  for (let start = minutes; start > 0; start -= 90) {
    await database.write(async (tx) => {
      const rows = Array.from({ length: 90 }, (_, index) => {
        const createdAt = plusMs(now, (index - start) * 60_000);
        const delivery = {
          merchantId,
          endpoint: 'e',
          url: 'https://shop.example/',
          body: 'x'.repeat(500),
          createdAt,
          dueAt: null,
        };
        return channels.map((channel, ordinal) => {
          const id = idOf(`${start}/${index}`, ordinal, createdAt);
          return { ...outboxRow(tx, { ...delivery, id, channel }), attempts: 1, deliveredAt: createdAt };
        });
      });
      await tx.insertInto('outbox').values(rows.flat()).execute();
    });
  }
  await database.write((tx) => sql`analyze outbox`.execute(tx));
}

async function addRequests(database: Database, merchantId: string) {
  const now = systemClock.now();
  const path = '/transactions/actions/01a20eda-f851-7121-9041-4e9dbd4e9270';
  for (let start = 0; start < REQUESTS; start += 1_000) {
    const rows = Array.from({ length: 1_000 }, (_, index) => {
      const id = idAt(plusMs(now, -(REQUESTS - start - index) * 1_000));
      const isRejected = index % 100 === 0;
      const result = isRejected ? { status: 400, code: 'wrong-state' } : { status: 200, code: null };
      return { id, merchantId, keyId: 'aB3_x9Zq', method: 'POST', path, ...result } as const;
    });
    await database.write((tx) => tx.insertInto('merchant_requests').values(rows).execute());
  }
}
