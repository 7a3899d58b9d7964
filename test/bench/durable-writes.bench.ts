/**
 * Measures the benefit of group commit, where waiting writes share a commit: 64 connections create carts over HTTP, once against a
 * service whose writes share commits and once against one with a commit per write. Both are the built service in this process,
 * each with its own SQLite file in `data/`. They take turns within one run, so that a slow disk or machine slows both; the result is
 * the median ratio of all rounds.
 *
 * The gain depends on the disk: the longer it takes to confirm a write, the larger the ratio. That confirmation time is
 * printed with the result.
 *
 * A separate process sends the requests (`load.ts`). With two cores, one is left for the service, which cannot use more. With one
 * core, the load generator competes with the service and the measured ratio is too small.
 *
 * `node --import ./test/support/typescript.mjs test/bench/durable-writes.bench.ts [rounds]`
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import pino from 'pino';
import { projectRoot } from '../../server/setup/project.mjs';
import { median, reportFigure } from './figures.ts';
import { benchKeys, dist } from './built.ts';
import { startMeasurement } from './measured.ts';
import { cartOf, createMerchant } from './purchases.ts';

const CONNECTIONS = 64;
const REQUESTS = 2_000;
const ROUNDS = Number(process.argv[2] ?? 9);
const GOAL = 2;

const body = JSON.stringify(cartOf(75_000));

const measurement = await startMeasurement();
const { folder } = measurement;
try {
  const shared = await startService('shared', {});
  const single = await startService('single', { maxJobsPerCommit: 1 });
  // Warm-up, not measured: code is compiled and files grow to their first checkpoint.
  for (const service of [shared, single]) await load(service);

  console.log(
    `${CONNECTIONS} connections, ${REQUESTS} carts a turn, ${availableParallelism()} cores, Node ${process.versions.node}`,
  );
  console.log(`The disk takes ${syncMs().toFixed(2)} ms to write and sync a page.`);
  console.log('round   shared commits             a commit each              ratio');
  const ratios = [];
  for (let round = 1; round <= ROUNDS; round++) {
    // The side that runs first has a colder or emptier disk, so alternate which side runs first.
    const order = round % 2 === 1 ? [shared, single] : [single, shared];
    const results = new Map();
    for (const service of order) results.set(service, await load(service));
    const one = results.get(shared);
    const other = results.get(single);
    ratios.push(one.perSecond / other.perSecond);
    console.log(`${String(round).padStart(5)}   ${shown(one)}   ${shown(other)}   ${ratios.at(-1)!.toFixed(2)}`);
  }
  reportFigure({ what: 'shared commits', value: median(ratios), unit: 'times a commit each', atLeast: GOAL });
  await Promise.all([shared.close(), single.close()]);
} finally {
  await measurement.close();
}

function shown({ perSecond, medianMs, p99Ms }: { perSecond: number; medianMs: number; p99Ms: number }) {
  return `${perSecond.toFixed(0).padStart(5)}/s p50 ${medianMs.toFixed(1).padStart(5)} p99 ${p99Ms.toFixed(1).padStart(5)} ms`.padEnd(
    24,
  );
}

/** Starts the service as in production, except for the options of the database. */
async function startService(name: string, sqliteOptions: { maxJobsPerCommit?: number }) {
  const { readConfig } = await dist('server/base/config/config.js');
  const { openSqlite } = await dist('server/db/sqlite.js');
  const { serve } = await dist('server/main.js');

  const database = openSqlite(join(folder, `${name}.db`), benchKeys, sqliteOptions);
  const log = pino({}, { write: () => undefined });
  const service = await serve(readConfig({ PORT: '0' }), join(projectRoot, 'dist', 'widget'), { log, database });
  const { authorization } = await createMerchant(database);
  return { origin: service.publicUrl, authorization, close: service.close };
}

/** Returns the median time to append and sync a block, of 200. */
function syncMs() {
  const file = openSync(join(folder, 'sync'), 'w');
  const block = Buffer.alloc(4_096);
  const times = Array.from({ length: 200 }, () => {
    const startedAtMs = performance.now();
    writeSync(file, block);
    fdatasyncSync(file);
    return performance.now() - startedAtMs;
  });
  closeSync(file);
  return median(times);
}

function load({ origin, authorization }: { origin: string; authorization: string }) {
  const headers = { authorization, 'content-type': 'application/json' };
  return measurement.send({ origin, path: '/carts', headers, body, connections: CONNECTIONS, requests: REQUESTS });
}
