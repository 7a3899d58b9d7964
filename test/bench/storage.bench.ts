/**
 * Bytes that a purchase (cart, sandbox checkout, authorize, settle) adds to the database, by table, on both engines, at once and after a
 * month, when its requests and the merchant's events are deleted; and the time that the service takes to seal and open its rows.
 *
 * The bytes of a table are those of its pages and indexes after `fairterm vacuum`, without those of an empty database.
 *
 * `node --import ./test/support/typescript.mjs test/bench/storage.bench.ts [purchases] [--columns]`; `--columns` prints the average
 * length of all texts of a purchase by column, and of the values of the sealed ones.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import pino from 'pino';
import { projectRoot } from '../../server/setup/project.mjs';
import type { KeyRing } from '../../server/base/key-ring.ts';
import type { Database } from '../../server/db/database.ts';
import { startPostgres } from '../support/postgres-server.mjs';
import { benchKeys, dist } from './built.ts';
import { median, reportFigure } from './figures.ts';
import { cartOf, createMerchant, postTo } from './purchases.ts';

const { values: flags, positionals } = parseArgs({ allowPositionals: true, options: { columns: { type: 'boolean' } } });
const PURCHASES = Number(positionals[0] ?? 400);
const BUYERS = 8;
const GOAL_KB = 50;
const GOAL_MS = 1;

const { openDatabase } = await dist('server/db/open-database.js');
const { readConfig } = await dist('server/base/config/config.js');
const { serve } = await dist('server/main.js');
const { unseal } = await dist('server/db/sealed.js');
const { sweepOnce } = await dist('server/operations/retention/sweep.js');
const { plusDays, systemClock } = await dist('server/base/time.js');

const folder = mkdtempSync(join(tmpdir(), 'fairterm-storage-'));
const postgres = await startPostgres();
try {
  await measure('SQLite', `sqlite:${join(folder, 'bench.db')}`);
  await measure('PostgreSQL', postgres.url);
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function measure(engine: string, url: string) {
  const calls: (() => void)[] = [];
  const database = openDatabase(url, () => recorded(benchKeys(), calls));
  const log = pino({ level: 'silent' });
  const config = readConfig({ PORT: '0' });
  const service = await serve(config, join(projectRoot, 'dist', 'widget'), { log, database });
  const monthLater = { now: () => plusDays(systemClock.now(), 31) };
  const onError = (thrown: unknown) => {
    throw thrown;
  };
  const bytesAfterMonth = async () => {
    await sweepOnce({ database, realClock: monthLater, retention: config.retention, onError });
    await database.vacuum();
    return bytesByTable(database);
  };
  try {
    const buy = await newBuyer(database, service);
    // Not measured: the first purchases compile code.
    for (let count = 0; count < 50; count++) await buy();
    calls.length = 0;
    await buy();
    const callsOfPurchase = calls.splice(0);
    const before = await bytesAfterMonth();
    await Promise.all(
      Array.from({ length: BUYERS }, async () => {
        for (let count = 0; count < PURCHASES / BUYERS; count++) await buy();
      }),
    );
    await database.vacuum();
    const after = await bytesByTable(database);
    const later = await bytesAfterMonth();
    const bytesIn = (tables: Record<string, number>, table: string) =>
      Math.max(0, Math.round(((tables[table] ?? 0) - (before[table] ?? 0)) / PURCHASES));
    const perPurchase = Object.keys(after)
      .map((table) => ({ table, bytes: bytesIn(after, table), afterMonth: bytesIn(later, table) }))
      .filter(({ bytes }) => bytes > 0)
      .toSorted((one, other) => other.bytes - one.bytes);
    console.log(`${engine}, bytes of a purchase`);
    console.table(perPurchase);
    if (flags.columns) console.table(await lengthsByColumn(database));
    for (const [when, column] of [
      ['at once', 'bytes'],
      ['after a month', 'afterMonth'],
    ] as const) {
      const kilobytes = perPurchase.reduce((sum, row) => sum + row[column], 0) / 1_000;
      reportFigure({ what: `${engine}, stored for a purchase ${when}`, value: kilobytes, unit: 'kB', atMost: GOAL_KB });
    }
    reportFigure({
      what: `${engine}, sealing and opening of a purchase`,
      value: msOf(callsOfPurchase),
      unit: 'ms',
      atMost: GOAL_MS,
    });
  } finally {
    await service.close();
  }
}

/** Records the calls of a key ring. */
function recorded(keyRing: KeyRing, calls: (() => void)[]) {
  for (const name of ['seal', 'open'] as const) {
    const method = keyRing[name].bind(keyRing);
    keyRing[name] = (...parameters) => {
      calls.push(() => method(...parameters));
      return method(...parameters);
    };
  }
  return keyRing;
}

/** Returns the time that calls take, each the median of some repetitions, so that other processes do not count. */
function msOf(calls: (() => void)[]) {
  const msOfCall = (call: () => void) => {
    const times = Array.from({ length: 51 }, () => {
      const startedAtMs = performance.now();
      call();
      return performance.now() - startedAtMs;
    });
    return median(times);
  };
  return calls.reduce((sum, call) => sum + msOfCall(call), 0);
}

/** Returns a function that makes a purchase over HTTP. */
async function newBuyer(database: Database, { publicUrl }: { publicUrl: string }) {
  const { authorization } = await createMerchant(database);
  const post = postTo(publicUrl, authorization);
  return async () => {
    const { id: cartId } = await post('/carts', cartOf(75_000));
    const { transactionId } = await post('/sandbox/checkouts', { cartId });
    await post(`/transactions/actions/${transactionId}`, { type: 'authorize', merchantOrderId: 'ORDER-1' });
    await post(`/transactions/actions/${transactionId}`, { type: 'settle' });
  };
}

interface TableSize {
  name: string;
  bytes: number | string;
}

/** Returns the bytes of each table with its indexes. */
async function bytesByTable({ engine, query }: Database): Promise<Record<string, number>> {
  const sizes =
    engine === 'sqlite'
      ? sql<TableSize>`select tbl_name as name, sum(pgsize) as bytes from dbstat join sqlite_schema using (name) group by tbl_name`
      : sql<TableSize>`select relname as name, pg_total_relation_size(oid) as bytes from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`;
  const { rows } = await sizes.execute(query);
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}

/** Returns the sum of the lengths of a column in all rows, divided by the number of transactions. */
async function lengthsByColumn({ query }: Database) {
  const lengths: Record<string, number> = {};
  const add = (name: string, value: unknown) => {
    if (typeof value === 'string') lengths[name] = (lengths[name] ?? 0) + Buffer.byteLength(value);
  };
  for (const entry of await query.selectFrom('transaction_entries').selectAll().execute()) {
    for (const [column, value] of Object.entries(entry)) add(`transaction_entries.${column}`, value);
  }
  for (const table of ['carts', 'applications', 'agreement_documents', 'transactions', 'outbox'] as const) {
    for (const row of await query.selectFrom(table).selectAll().execute()) {
      for (const [column, value] of Object.entries(row)) add(`${table}.${column}`, value);
      for (const [name, value] of Object.entries(unseal(query, table, row))) {
        add(`${table}.sealed.${name}`, typeof value === 'string' ? value : JSON.stringify(value));
      }
    }
  }
  const { count } = await query
    .selectFrom('transactions')
    .select((row) => row.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Object.entries(lengths)
    .map(([column, length]) => ({ column, length: Math.round(length / Number(count)) }))
    .filter(({ length }) => length >= 20)
    .toSorted((one, other) => other.length - one.length);
}
