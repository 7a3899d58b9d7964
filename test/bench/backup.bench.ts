/**
 * Measures what `fairterm backup` of a SQLite database does to the writes of the service, while purchases start at a fixed rate: the p99 of
 * all writes, the longest one, and the size of the write-ahead log, in turns without and with a backup. A purchase has four writes.
 *
 * The service, the backup and this process, which sends the requests, compete for the processor and the disk.
 *
 * `node --import ./test/support/typescript.mjs test/bench/backup.bench.ts [megabytes] [rounds] [purchases a second]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { projectRoot } from '../../server/setup/project.mjs';
import { median, quantile, reportFigure } from './figures.ts';
import { startMeasurement } from './measured.ts';
import { cartOf, createPurchases } from './purchases.ts';

const [MEGABYTES = 100, ROUNDS = 3, PURCHASES_PER_SECOND = 10] = process.argv.slice(2).map(Number);

/** A copy of a purchase, in the tables and the indexes. */
const BYTES_PER_PURCHASE = 15_000;

/** Limit of the log in `server/db/sqlite.ts`. */
const MAX_LOG_MB = (64 * 1_024 * 1_024) / 1e6;

const measurement = await startMeasurement();
const { file, folder } = measurement;
const logMb = () => (statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) / 1e6;

try {
  const { authorization } = await createPurchases(file, Math.ceil((MEGABYTES * 1e6) / BYTES_PER_PURCHASE));
  const service = await measurement.start('service');
  const pool = new Pool(service.origin, { connections: 128, pipelining: 1 });
  const megabytes = statSync(file).size / 1e6;
  console.log(`${megabytes.toFixed(0)} MB, ${PURCHASES_PER_SECOND} purchases a second`);

  /** Starts purchases at the fixed rate until `end` resolves. Returns the latencies of their writes, and the largest size of the log. */
  async function buyUntil(end: Promise<unknown>) {
    const latenciesMs: number[] = [];
    let maxLogMb = 0;
    const write = async (path: string, body: object): Promise<Record<string, string>> => {
      const startedAtMs = performance.now();
      const response = await pool.request({ method: 'POST', path, headers: { authorization }, body: JSON.stringify(body) });
      const received = (await response.body.json()) as Record<string, string>;
      latenciesMs.push(performance.now() - startedAtMs);
      if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode} ${JSON.stringify(received)}`);
      return received;
    };
    const buy = async () => {
      const { id: cartId } = await write('/carts', cartOf(75_000));
      const { transactionId } = await write('/sandbox/checkouts', { cartId });
      for (const type of ['authorize', 'settle']) await write(`/transactions/actions/${transactionId}`, { type });
    };
    const ended = new AbortController();
    void end.finally(() => ended.abort());
    const purchases: Promise<void>[] = [];
    const startedAtMs = performance.now();
    while (!ended.signal.aborted) {
      // Also behind schedule, so that a pause of the service is not a pause of its buyers.
      while (purchases.length < ((performance.now() - startedAtMs) / 1_000) * PURCHASES_PER_SECOND) purchases.push(buy());
      maxLogMb = Math.max(maxLogMb, logMb());
      await delay(5);
    }
    await Promise.all(purchases);
    return { latenciesMs, maxLogMb, seconds: (performance.now() - startedAtMs) / 1_000 };
  }

  async function backUp() {
    const backup = join(folder, 'backup.db');
    const env = { ...process.env, DATABASE_URL: `sqlite:${file}` };
    // As the guide recommends.
    const args = ['-n', '19', process.execPath, join(projectRoot, 'dist/server/cli.js'), 'backup', backup];
    const child = spawn('nice', args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = await once(child, 'close');
    if (code !== 0) throw new Error(`The backup ended with exit code ${code}`);
    rmSync(backup);
  }

  // Warm-up: code is compiled, and the log grows to its first checkpoint.
  await buyUntil(delay(5_000));
  const rounds = [];
  console.log('round  without: p50     p99     max ms   with: p50     p99     max ms  seconds   log MB: without  with  after');
  for (let round = 1; round <= ROUNDS; round++) {
    const during = await buyUntil(backUp());
    // Enough writes to start the log again, if it was copied to the file.
    await buyUntil(delay(2_000));
    const afterLogMb = logMb();
    const without = await buyUntil(delay(1_000 * during.seconds));
    rounds.push({ during, without, afterLogMb });
    const shown = ({ latenciesMs }: typeof during) =>
      [0.5, 0.99, 1].map((share) =>
        (share === 1 ? Math.max(...latenciesMs) : quantile(latenciesMs, share)).toFixed(1).padStart(8),
      );
    const logs = [without.maxLogMb, during.maxLogMb, afterLogMb].map((size) => size.toFixed(0).padStart(8)).join('');
    console.log(
      `${String(round).padStart(5)}      ${shown(without).join('')}       ${shown(during).join('')}  ${during.seconds.toFixed(1).padStart(7)}   ${logs}`,
    );
  }
  await pool.close();

  const ratios = rounds.map(({ during, without }) => quantile(during.latenciesMs, 0.99) / quantile(without.latenciesMs, 0.99));
  const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
  const longestMs = Math.max(...rounds.map(({ during }) => Math.max(...during.latenciesMs)));
  reportFigure({
    what: 'p99 of writes during a backup',
    value: median(ratios),
    unit: 'times without',
    atMost: 2,
    details: range,
  });
  reportFigure({ what: 'longest write during a backup', value: longestMs, unit: 'ms', atMost: 999 });
  reportFigure({
    what: 'write-ahead log during a backup',
    value: Math.max(...rounds.map(({ during }) => during.maxLogMb)),
    unit: 'MB',
  });
  reportFigure({
    what: 'write-ahead log after a backup',
    value: Math.max(...rounds.map(({ afterLogMb }) => afterLogMb)),
    unit: 'MB',
    atMost: Math.ceil(MAX_LOG_MB),
  });
} finally {
  await measurement.close();
}
