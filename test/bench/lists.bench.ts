/**
 * Time of the first pages of a list of the merchant API and of the last ones, up to page 20,000, with a million transactions and carts of one
 * merchant, on both engines: query, presentation and JSON.
 *
 * Also the time of the pages of the console over HTTP, with the events of the last days, and the time of a start until the service is ready, on this
 * database and on an empty one.
 *
 * `node --import ./test/support/typescript.mjs test/bench/lists.bench.ts [sqlite | postgres [console]]`, with `console` without the lists.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Database } from '../../server/db/database.ts';
import type { EventData } from '../../shared/wire/event.ts';
import type { Instant } from '../../server/base/time.ts';
import { projectRoot } from '../../server/setup/project.mjs';
import { freePort } from '../support/network.mjs';
import { startPostgres } from '../support/postgres-server.mjs';
import { benchKeys, dist } from './built.ts';
import { reportConsolePages } from './console-pages.ts';
import { median, reportFigure } from './figures.ts';
import { createPurchase } from './purchases.ts';

const [only, subject] = process.argv.slice(2);
const ROWS = 1_000_000;
const LIMIT = 50;
const SAMPLES = 300;
/** Number of consecutive pages that take turns, so that no page is requested every time. */
const PAGES = 10;
const STATUSES = ['PENDING', 'AUTHORIZED', 'SETTLED', 'CANCELED'] as const;

const { toJson } = await dist('server/db/json.js');
const { openDatabase } = await dist('server/db/open-database.js');
const { seal, unseal } = await dist('server/db/sealed.js');
const { readCartPage } = await dist('server/purchases/carts/list.js');
const { presentCart } = await dist('server/purchases/carts/present.js');
const { readTransactionPage } = await dist('server/purchases/transactions/list.js');
const { presentTransaction } = await dist('server/purchases/transactions/present.js');
const { createTransactions } = await dist('server/purchases/transactions/transactions.js');

const { instantOf } = await dist('server/base/time.js');

/** Purchases with events, the last ones: events are deleted after 30 days. */
const WITH_EVENTS = 30 * 1_440;
const EVENT_TYPES = ['application.approved', 'transaction.authorized', 'transaction.settled'] as const;

const FIRST_MS = Date.UTC(2024, 0, 1);
const NOW: Instant = '2026-03-01T00:00:00.000000Z';
const operations = createTransactions({ lifetimes: { pendingDays: 100_000, authorizedDays: 100_000 } });
const idAt = (number: number) => `${number.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
const timeAt = (number: number) => instantOf(FIRST_MS + number * 60_000);

for (const engine of ['sqlite', 'postgres'].filter((name) => !only || only === name)) await measure(engine);

async function measure(engine: string) {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-lists-'));
  const postgres = engine === 'postgres' ? await startPostgres() : undefined;
  const url = postgres?.url ?? `sqlite:${join(folder, 'lists.db')}`;
  const database = openDatabase(url, benchKeys);
  try {
    // Before the database has rows, and with all of them.
    await reportStart(`${engine}: ready on an empty database`, url);
    const merchantId = await fill(database);
    if (subject !== 'console') await reportLists(engine, database, merchantId);
    await reportStart(`${engine}: ready with ${ROWS.toLocaleString('en')} transactions`, url);
    await reportConsolePages(engine, database, merchantId, idAt(ROWS - 1), timeAt(ROWS));
  } finally {
    await database.close();
    await postgres?.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Starts the service three times, each until it is ready. */
async function reportStart(what: string, databaseUrl: string) {
  const times: number[] = [];
  while (times.length < 3) {
    const port = await freePort();
    const env = { ...process.env, DATABASE_URL: databaseUrl, PORT: String(port) };
    const startedAtMs = performance.now();
    const child = spawn(process.execPath, ['dist/server/cli.js', 'serve'], { cwd: projectRoot, env, stdio: 'ignore' });
    const isReady = () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      );
    while (!(await isReady())) await delay(5);
    times.push(performance.now() - startedAtMs);
    child.kill();
    await once(child, 'exit');
  }
  const details = times.map((ms) => ms.toFixed(0)).join(', ');
  reportFigure({ what, value: median(times), unit: 'ms', atMost: 2_000, details });
}

async function reportLists(engine: string, database: Database, merchantId: string) {
  for (const [name, query] of [
    ['transactions', {}],
    ['transactions by status', { status: 'SETTLED' }],
    ['transactions by orderRef', { orderRef: 'A-1001' }],
    ['transactions by e-mail', { email: 'ada@example.com' }],
    ['transactions before a day', { 'createdAt[lt]': '2026-12-31' }],
    ['carts', {}],
    ['carts by status', { status: 'completed' }],
    ['carts by orderRef', { orderRef: 'A-1001' }],
  ] as const) {
    const pageOf = name.startsWith('carts') ? cartPage(database, merchantId) : transactionPage(database, merchantId);
    await report(`${engine}: ${name}`, pageOf, query);
  }
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
 * Stores a million copies of a completed purchase, each sealed for its own row.
 *
 * @returns The id of their merchant.
 */
async function fill(database: Database): Promise<string> {
  const { query } = database;
  await database.migrate();
  const { merchantId } = await createPurchase(database, timeAt(0));
  const cart = await query.selectFrom('carts').selectAll().executeTakeFirstOrThrow();
  const application = await query.selectFrom('applications').selectAll().executeTakeFirstOrThrow();
  const transaction = await query.selectFrom('transactions').selectAll().executeTakeFirstOrThrow();
  const ofCart = unseal(query, 'carts', cart);
  const ofTransaction = unseal(query, 'transactions', transaction);
  const { orderRef, emailHash } = transaction;
  const data: EventData['application.approved'] = { cartId: '', orderRef, applicationId: '', status: 'APPROVED' };
  const indexes = await dropIndexes(database);
  const startedAtMs = performance.now();
  for (let start = 0; start < ROWS; start += 1_000) {
    await database.write(async (tx) => {
      const rows = Array.from({ length: 1_000 }, (_, index) => {
        const number = start + index;
        const id = idAt(number);
        const createdAt = timeAt(number);
        const shared = { id, createdAt, updatedAt: createdAt };
        const carts = { ...cart, id, createdAt, codeHash: id.replaceAll('-', '').padEnd(64, '0'), transactionId: id, emailHash };
        const ended = { status: STATUSES[number % 4]!, statusSince: createdAt, merchantOrderId: orderRef };
        const transactions = { ...transaction, ...shared, ...ended, cartId: id, applicationId: id };
        return {
          carts: { ...carts, sealed: seal(tx, 'carts', carts, { ...ofCart, code: id }) },
          applications: { ...application, ...shared, cartId: id, buyerId: id, sealed: '', expiresAt: createdAt },
          transactions: { ...transactions, sealed: seal(tx, 'transactions', transactions, ofTransaction) },
          events: EVENT_TYPES.map((type, ordinal) => {
            return {
              id: `${id.slice(0, -1)}${ordinal}`,
              merchantId,
              type,
              transactionId: null,
              dataJson: toJson(data),
              createdAt,
            };
          }),
        };
      });
      // SQLite allows 32,766 parameters in a statement.
      for (const part of [rows.slice(0, 500), rows.slice(500)]) {
        for (const table of ['carts', 'applications', 'transactions', 'events'] as const) {
          if (table === 'events' && start < ROWS - WITH_EVENTS) continue;
          const values: never[] = part.flatMap((row) => row[table] as never);
          await tx.insertInto(table).values(values).execute();
        }
      }
    });
  }
  for (const definition of indexes) await database.write((tx) => sql.raw(definition).execute(tx));
  await database.write((tx) => sql`analyze`.execute(tx));
  // As the automatic vacuum does after that many rows, so that indexes are read without their tables.
  if (database.engine === 'postgres') await sql`vacuum`.execute(query);
  console.log(`${ROWS} purchases written in ${((performance.now() - startedAtMs) / 1_000).toFixed(0)} s`);
  return merchantId;
}

/** Drops the indexes of applications, so that the rows are written faster. Returns the statements that create them again. */
async function dropIndexes(database: Database): Promise<string[]> {
  const indexes =
    database.engine === 'sqlite'
      ? sql<Index>`select name, sql as definition from sqlite_schema where type = 'index' and tbl_name = 'applications' and sql is not null`
      : sql<Index>`select indexname as name, indexdef as definition from pg_indexes
          where tablename = 'applications' and indexname <> 'applications_pkey'`;
  const { rows } = await indexes.execute(database.query);
  const dropped = rows.filter(({ name }) => name !== 'applications_current');
  await database.write(async (tx) => {
    for (const { name } of dropped) await sql`drop index ${sql.ref(name)}`.execute(tx);
  });
  return dropped.map(({ definition }) => definition);
}

interface Index {
  name: string;
  definition: string;
}
