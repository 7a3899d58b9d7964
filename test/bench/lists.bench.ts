/**
 * Time of the first pages of a list of the merchant API and of the last ones, up to page 20,000, with a million transactions and carts of one
 * merchant, on both engines: query, presentation and JSON.
 *
 * Also the time of the figures on the first page of the console, with the decisions of its days, and of its pages over HTTP.
 *
 * `node --import ./test/support/typescript.mjs test/bench/lists.bench.ts [sqlite | postgres [console]]`, with `console` only the console.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Database } from '../../server/db/database.ts';
import type { EventData } from '../../shared/wire/event.ts';
import type { CartItem } from '../../shared/wire/cart.ts';
import type { Instant } from '../../server/base/time.ts';
import { startPostgres } from '../support/postgres-server.mjs';
import { benchKeys, dist } from './built.ts';
import { reportConsolePages } from './console-pages.ts';
import { median, reportFigure } from './figures.ts';
import { CALLBACK_RULES } from './purchases.ts';

const [only, subject] = process.argv.slice(2);
const ROWS = 1_000_000;
const LIMIT = 50;
const SAMPLES = 300;
/** Number of consecutive pages that take turns, so that no page is requested every time. */
const PAGES = 10;
const STATUSES = ['PENDING', 'AUTHORIZED', 'SETTLED', 'CANCELED'] as const;

const { toJson } = await dist('server/db/json.js');
const { openDatabase } = await dist('server/db/open-database.js');
const { emailHash, seal } = await dist('server/db/sealed.js');
const { createMerchant } = await dist('server/merchants/merchants.js');
const { requireMerchant } = await dist('server/merchants/store.js');
const { createCart } = await dist('server/purchases/carts/carts.js');
const { readCartPage } = await dist('server/purchases/carts/list.js');
const { presentCart } = await dist('server/purchases/carts/present.js');
const { readTransactionPage } = await dist('server/purchases/transactions/list.js');
const { presentTransaction } = await dist('server/purchases/transactions/present.js');
const { createTransactions } = await dist('server/purchases/transactions/transactions.js');

const { instantOf } = await dist('server/base/time.js');
const { readDays, sumDays } = await dist('server/console/home/days.js');
const { readWaiting } = await dist('server/console/home/waiting.js');

/** Purchases with an event of their approval, the last ones: events are deleted after 30 days. */
const APPROVED = 30 * 1_440;

const FIRST_MS = Date.UTC(2024, 0, 1);
const NOW: Instant = '2026-03-01T00:00:00.000000Z';
const operations = createTransactions({ lifetimes: { pendingDays: 100_000, authorizedDays: 100_000 } });
const idAt = (number: number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
const timeAt = (number: number) => instantOf(FIRST_MS + number * 60_000);

for (const engine of ['sqlite', 'postgres'].filter((name) => !only || only === name)) await measure(engine);

async function measure(engine: string) {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-lists-'));
  const postgres = engine === 'postgres' ? await startPostgres() : undefined;
  const database = openDatabase(postgres?.url ?? `sqlite:${join(folder, 'lists.db')}`, benchKeys);
  try {
    const merchantId = await fill(database);
    if (subject !== 'console') await reportLists(engine, database, merchantId);
    await reportHome(engine, database, merchantId);
    await reportConsolePages(engine, database, merchantId, idAt(ROWS - 1), timeAt(ROWS));
  } finally {
    await database.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  }
}

async function reportLists(engine: string, database: Database, merchantId: string) {
  for (const [name, query] of [
    ['transactions', {}],
    ['transactions by status', { status: 'SETTLED' }],
    ['transactions by orderRef', { orderRef: 'ORDER' }],
    ['transactions by e-mail', { email: 'ada@example.com' }],
    ['transactions before a day', { 'createdAt[lt]': '2026-12-31' }],
    ['carts', {}],
    ['carts by status', { status: 'completed' }],
    ['carts by orderRef', { orderRef: 'ORDER' }],
  ] as const) {
    const pageOf = name.startsWith('carts') ? cartPage(database, merchantId) : transactionPage(database, merchantId);
    await report(`${engine}: ${name}`, pageOf, query);
  }
}

/** Measures the figures of the days before the last purchase. */
async function reportHome(engine: string, database: Database, merchantId: string) {
  const now = timeAt(ROWS);
  const times: number[] = [];
  for (let count = 0; count < SAMPLES + PAGES; count++) {
    const startedAtMs = performance.now();
    const days = await readDays({ query: database.query, mode: 'live' }, merchantId, 'America/New_York', now);
    await readWaiting(database.query, operations, merchantId, now);
    times.push(performance.now() - startedAtMs);
    const { purchases, approved } = sumDays(days);
    if (purchases < 27 * 1_440 || approved !== purchases) throw new Error(`expected figures, but received ${purchases}`);
  }
  const p95 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!;
  const details = `median ${median(times).toFixed(1)} ms, first ${times[0]!.toFixed(0)} ms`;
  reportFigure({ what: `${engine}: figures of 28 days, p95`, value: p95, unit: 'ms', atMost: 50, details });
}

type PageQuery = Record<string, string>;
type PageOf = (query: PageQuery) => Promise<{ next: string | undefined; count: number }>;

function transactionPage(database: Database, merchantId: string): PageOf {
  return async (query) => {
    const { transactions: found, next } = await readTransactionPage(database.query, operations, merchantId, query, NOW);
    const presented = [];
    for (const row of found) presented.push(await presentTransaction(database.query, row, NOW));
    JSON.stringify({ transactions: presented });
    return { next, count: presented.length };
  };
}

function cartPage(database: Database, merchantId: string): PageOf {
  return async (query) => {
    const { carts, next } = await readCartPage(database.query, merchantId, query, NOW);
    const presented = carts.map((cart) => presentCart(cart, 'http://localhost', NOW));
    JSON.stringify({ carts: presented });
    return { next, count: presented.length };
  };
}

/** Returns the position before the last pages: page 20,000, or 5,000 of a status, which every fourth row has. */
function positionOf(query: PageQuery): string {
  return idAt(LIMIT * (PAGES + 1) * (query['status'] === 'SETTLED' ? STATUSES.length : 1));
}

async function report(name: string, pageOf: PageOf, query: PageQuery) {
  const first = await consecutive(pageOf, query, undefined);
  const deep = await consecutive(pageOf, query, positionOf(query));
  const times: number[][] = [[], []];
  for (let turn = 0; turn < SAMPLES + PAGES; turn++) {
    for (const [index, pages] of [first, deep].entries()) {
      const startedAtMs = performance.now();
      await pageOf(pages[turn % pages.length]!);
      if (turn >= PAGES) times[index]!.push((performance.now() - startedAtMs) * 1_000);
    }
  }
  const [firstUs, deepUs] = times.map((some) => median(some));
  reportFigure({
    what: `${name}: the last of ${ROWS.toLocaleString('en')} rows`,
    value: deepUs! / firstUs!,
    unit: 'times page 1',
    atMost: 1.2,
    details: `${deepUs!.toFixed(0)} us, page 1 ${firstUs!.toFixed(0)} us`,
  });
}

async function consecutive(pageOf: PageOf, query: PageQuery, position: string | undefined): Promise<PageQuery[]> {
  const pages: PageQuery[] = [];
  let after = position;
  while (pages.length < PAGES) {
    const page = { ...query, limit: String(LIMIT), ...(after && { after }) };
    const { next, count } = await pageOf(page);
    if (count !== LIMIT) throw new Error(`expected a page of ${LIMIT}, but received ${count}`);
    pages.push(page);
    if (next === undefined) break;
    after = next;
  }
  return pages;
}

/**
 * Stores a million completed purchases. Each is a copy of one, sealed for its own row.
 *
 * @returns The id of their merchant.
 */
async function fill(database: Database): Promise<string> {
  await database.migrate();
  const shop = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
  const { merchantId } = await createMerchant(database, 'sandbox', shop, timeAt(0));
  const merchant = await requireMerchant(database.query, merchantId);
  const items: [CartItem] = [{ name: 'Chair', sku: 'CHAIR-1', price: 75_000, quantity: 1, imageUrl: '', detailUrl: '' }];
  const options = { orderRef: 'ORDER', items, disableEditShipping: false, requireShippingContact: false };
  await createCart(database, merchant, { options, expiration: '2099-12-31' }, timeAt(0), { callbacks: CALLBACK_RULES });
  const cart = await database.query.selectFrom('carts').selectAll().executeTakeFirstOrThrow();
  const hash = await emailHash(database.query, 'ada@example.com');
  await dropIndexes(database);
  const startedAtMs = performance.now();
  const sample = sampleTransaction(merchantId, items, hash);
  const dataJson = toJson<EventData['application.approved']>({
    cartId: '',
    orderRef: 'ORDER',
    applicationId: '',
    status: 'APPROVED',
  });
  for (let start = 0; start < ROWS; start += 1_000) {
    const numbers = Array.from({ length: 1_000 }, (_, index) => start + index);
    await database.write(async (tx) => {
      const carts = numbers.map((number) => {
        const id = idAt(number);
        const row = {
          ...cart,
          id,
          codeHash: id.replaceAll('-', '').padEnd(64, '0'),
          status: 'COMPLETED' as const,
          createdAt: timeAt(number),
        };
        return {
          ...row,
          emailHash: hash,
          transactionId: id,
          sealed: seal(tx, 'carts', row, { code: id, createdBy: 'Merchant API', options }),
        };
      });
      const transactions = numbers.map((number) => {
        const id = idAt(number);
        const { values, ...columns } = sample;
        const row = { ...columns, id, cartId: id, applicationId: id, status: STATUSES[number % 4]!, createdAt: timeAt(number) };
        return { ...row, statusSince: row.createdAt, updatedAt: row.createdAt, sealed: seal(tx, 'transactions', row, values) };
      });
      const applications = numbers.map((number) => {
        const id = idAt(number);
        const at = timeAt(number);
        const owners = { tenantId: merchant.tenantId, merchantId, programId: merchant.defaultProgramId, buyerId: id, cartId: id };
        const state = {
          status: 'CHECKOUT_COMPLETED',
          statusCode: '610000',
          currency: 'USD',
          language: 'en',
          revision: 1,
          requestAttempts: 0,
          emailHash: hash,
          normalizedAddressHash: '',
          cardReference: '',
          cardReturnHash: '',
          sessionHash: '',
          sealed: '',
        } as const;
        return { id, ...owners, ...state, createdAt: at, updatedAt: at, expiresAt: at };
      });
      const events = numbers.flatMap((number) => {
        const createdAt = timeAt(number);
        const event = { id: idAt(number), merchantId, type: 'application.approved', transactionId: null, dataJson } as const;
        return number < ROWS - APPROVED ? [] : [{ ...event, createdAt, enqueuedAt: createdAt }];
      });
      if (events.length > 0) await tx.insertInto('events').values(events).execute();
      // SQLite allows 32,766 parameters in a statement.
      for (let part = 0; part < 1_000; part += 500) {
        await tx
          .insertInto('carts')
          .values(carts.slice(part, part + 500))
          .execute();
        await tx
          .insertInto('applications')
          .values(applications.slice(part, part + 500))
          .execute();
        await tx
          .insertInto('transactions')
          .values(transactions.slice(part, part + 500))
          .execute();
      }
    });
  }
  await database.write((tx) => sql`analyze`.execute(tx));
  // As the automatic vacuum does after that many rows, so that indexes are read without their tables.
  if (database.engine === 'postgres') await sql`vacuum`.execute(database.query);
  console.log(`${ROWS} purchases written in ${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s`);
  return merchantId;
}

/** Drops the indexes of applications that no list of the merchant API reads. */
async function dropIndexes(database: Database) {
  const indexes =
    database.engine === 'sqlite'
      ? sql<{
          name: string;
        }>`select name from sqlite_schema where type = 'index' and tbl_name = 'applications' and sql is not null`
      : sql<{
          name: string;
        }>`select indexname as name from pg_indexes where tablename = 'applications' and indexname <> 'applications_pkey'`;
  const { rows } = await indexes.execute(database.query);
  await database.write(async (tx) => {
    for (const { name } of rows) if (name !== 'applications_current') await sql`drop index ${sql.ref(name)}`.execute(tx);
  });
}

function sampleTransaction(merchantId: string, [item]: readonly [CartItem], hash: string) {
  const contact = {
    fullName: 'Ada Lovelace',
    address: '1 Main',
    address2: '',
    city: 'Austin',
    state: 'TX',
    zip: '78701',
    phone: '',
    email: 'ada@example.com',
  };
  const { sku, price, quantity, imageUrl, detailUrl } = item;
  const financing = {
    amount: 75_000,
    termLength: 24,
    termInterval: 'Month',
    monthly: 3_461,
    apr: 0.0999,
    firstPaymentDue: '2026-04-01' as const,
    loanNumber: null,
  };
  return {
    merchantId,
    emailHash: hash,
    orderRef: 'ORDER',
    merchantOrderId: 'ORDER',
    totalCents: 75_000,
    adjustedTotalCents: 75_000,
    canceledCents: 0,
    refundedCents: 0,
    adjustedQuantitiesJson: toJson<{ sku: string; quantity: number }[]>([]),
    taxCents: null,
    shippingCents: 0,
    shippingMethodCode: '',
    shippingMethodName: '',
    carrierName: '',
    cardCents: 0,
    cardReference: '',
    cardReducedCents: 0,
    requestId: null,
    timeZone: 'America/New_York',
    merchantDiscountBps: 0,
    merchantDiscountCents: 0,
    lineItemsCents: 75_000,
    contactsDeletedAt: null,
    revision: 1,
    values: {
      billingContact: contact,
      shippingContact: contact,
      lineItems: [{ id: '1', sku, price, quantity, product: { name: 'Chair', sku, imageUrl, detailUrl } }],
      discounts: [],
      trackingNumber: '',
      cardLabel: '',
      financing,
    },
  };
}
