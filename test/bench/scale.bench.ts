/**
 * The number of whole purchases per second for many buyers at once: cart, sandbox checkout, authorize, settle,
 * read. SQLite with one process, PostgreSQL with 1, 2 and 4 processes, each at 1, 4, 16, 48 and 128 concurrent buyers.
 *
 * Runs the built service. The PostgreSQL server has its default durability; SQLite writes to `data/`, PostgreSQL to the system's
 * temporary folder. The load generator is a separate process on the same machine. The requests of a purchase are sent to the
 * service's processes in turn, so that every purchase involves all of them.
 *
 * `node --import ./test/support/typescript.mjs test/bench/scale.bench.ts [seconds per level] [buyers,buyers,…]`
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Pool } from 'undici';
import { startPostgres } from '../support/postgres-server.mjs';
import { type Figure, quantile, reportFigure } from './figures.ts';
import { startMeasurement } from './measured.ts';
import { cartOf, createMerchantIn } from './purchases.ts';

const GENERATOR = 'generator';

/** Purchases that the load generator makes. */
interface Load {
  origins: string[];
  authorization: string;
  buyers: number;
  seconds: number;
}

/** The measurements at one level. */
interface Row {
  name: string;
  buyers: number;
  rate: number;
  p50Ms: number;
  p99Ms: number;
  checkoutP50Ms: number;
  checkoutP99Ms: number;
  errors: Record<string, number>;
  serviceCpuMs: number;
  databaseCpuMs: number;
  generatorCpuMs: number;
}

if (process.argv[2] === GENERATOR) process.on('message', (load: Load) => void buy(load).then((bought) => process.send?.(bought)));
else await main(Number(process.argv[2] ?? 6), (process.argv[3] ?? '1,4,16,48,128').split(',').map(Number));

/**
 * Sends purchases to `origins` for `seconds`, `buyers` at a time, each as soon as its buyer's previous one is complete.
 *
 * @returns the latency of each purchase and of each sandbox checkout in milliseconds, errors by their code, the seconds until the
 *   last purchase was complete, and the processor seconds of this process
 */
async function buy({ origins, authorization, buyers, seconds }: Load) {
  const pools = origins.map((origin: string) => new Pool(origin, { connections: buyers, pipelining: 1 }));
  const purchasesMs: number[] = [];
  const checkoutsMs: number[] = [];
  const errors: Record<string, number> = {};
  let calls = 0;

  const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<Record<string, string>> => {
    const pool = pools[calls++ % pools.length]!;
    const response = await pool.request({ method, path, headers: { authorization }, body: body ? JSON.stringify(body) : null });
    const result = (await response.body.json()) as Record<string, string>;
    if (response.statusCode !== 200) throw new Error(result['code'] ?? `status ${response.statusCode}`);
    return result;
  };
  const purchase = async () => {
    const { id: cartId } = await call('POST', '/carts', cartOf(75_000));
    const checkoutAtMs = performance.now();
    const { transactionId } = await call('POST', '/sandbox/checkouts', { cartId });
    checkoutsMs.push(performance.now() - checkoutAtMs);
    await call('POST', `/transactions/actions/${transactionId}`, { type: 'authorize', merchantOrderId: 'ORDER-1' });
    await call('POST', `/transactions/actions/${transactionId}`, { type: 'settle' });
    const { status } = await call('GET', `/transactions/${transactionId}`);
    if (status !== 'SETTLED') throw new Error(`status ${status}`);
  };

  const cpuBefore = process.cpuUsage();
  const startedAtMs = performance.now();
  const buyer = async () => {
    while (performance.now() - startedAtMs < seconds * 1_000) {
      const purchaseAtMs = performance.now();
      try {
        await purchase();
        purchasesMs.push(performance.now() - purchaseAtMs);
      } catch (thrown) {
        const { message } = thrown as Error;
        errors[message] = (errors[message] ?? 0) + 1;
      }
    }
  };
  await Promise.all(Array.from({ length: buyers }, buyer));
  const elapsedSeconds = (performance.now() - startedAtMs) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  await Promise.all(pools.map((pool: Pool) => pool.close()));
  return { purchasesMs, checkoutsMs, errors, elapsedSeconds, cpuSeconds: (user + system) / 1e6 };
}

async function main(seconds: number, levels: number[]) {
  const measurement = await startMeasurement();
  const generator = fork(fileURLToPath(import.meta.url), [GENERATOR]);
  const generate = async (load: Load) => {
    generator.send(load);
    return (await once(generator, 'message'))[0];
  };

  /** Starts `processes` of the service on one database and measures every level. */
  const measure = async (name: string, database: string, processes: number, serverCpuSeconds: () => number) => {
    const { authorization } = await createMerchantIn(database.startsWith('postgres:') ? database : `sqlite:${database}`);
    const services = await Promise.all(Array.from({ length: processes }, () => measurement.start('service', database)));
    const origins = services.map(({ origin }) => origin);
    const serviceCpuSeconds = async () => {
      const used = await Promise.all(services.map(({ cpuUs }) => cpuUs()));
      return used.reduce((sum, cpuUs) => sum + cpuUs / 1e6, 0);
    };
    // Unmeasured warm-up: compiles code and opens connections.
    await generate({ origins, authorization, buyers: 16, seconds: 2 });

    const rows = [];
    for (const buyers of levels) {
      const before = { service: await serviceCpuSeconds(), server: serverCpuSeconds() };
      const bought = await generate({ origins, authorization, buyers, seconds });
      const { purchasesMs, checkoutsMs, errors, elapsedSeconds, cpuSeconds } = bought;
      const count = Math.max(1, purchasesMs.length);
      const perPurchaseMs = (spentSeconds: number) => (1_000 * spentSeconds) / count;
      const row = {
        name,
        buyers,
        rate: purchasesMs.length / elapsedSeconds,
        p50Ms: quantile(purchasesMs, 0.5),
        p99Ms: quantile(purchasesMs, 0.99),
        checkoutP50Ms: quantile(checkoutsMs, 0.5),
        checkoutP99Ms: quantile(checkoutsMs, 0.99),
        errors,
        serviceCpuMs: perPurchaseMs((await serviceCpuSeconds()) - before.service),
        databaseCpuMs: perPurchaseMs(serverCpuSeconds() - before.server),
        generatorCpuMs: perPurchaseMs(cpuSeconds),
      };
      rows.push(row);
      print(row);
    }
    await Promise.all(services.map(({ stop }) => stop()));
    return rows;
  };

  const postgres = await startPostgres({ isDurable: true });
  try {
    console.log('Processor time is per purchase, in milliseconds. Latencies are of a whole purchase and of its checkout.');
    console.log(
      'database, processes   buyers  purchases/s   p50 ms   p99 ms  checkout p50  p99     service  database  generator  errors',
    );
    const sqlite = await measure('SQLite, 1', measurement.file, 1, () => 0);
    const postgresCpu = () => treeCpuSeconds(postgres.pid);
    const one = await measure('PostgreSQL, 1', await newDatabase(postgres.url, 'one'), 1, postgresCpu);
    const two = await measure('PostgreSQL, 2', await newDatabase(postgres.url, 'two'), 2, postgresCpu);
    const four = await measure('PostgreSQL, 4', await newDatabase(postgres.url, 'four'), 4, postgresCpu);
    report({ sqlite, one, two, four });
  } finally {
    generator.disconnect();
    await measurement.close();
    await postgres.stop();
  }
}

/** Creates an empty database on the server and returns its address. */
async function newDatabase(serverUrl: string, name: string) {
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** Processor seconds of a process, its children and those of its children that have ended. Linux only; 0 elsewhere. */
function treeCpuSeconds(rootPid: number) {
  const TICKS_PER_SECOND = 100;
  let ticks = 0;
  for (const pid of safely(() => readdirSync('/proc'), []).filter((name: string) => /^\d+$/.test(name))) {
    const stat = safely(() => readFileSync(`/proc/${pid}/stat`, 'utf8'), '');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [parentPid = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map((index) =>
      Number(fields[index]),
    );
    if (Number(pid) === rootPid) ticks += user + system + endedUser + endedSystem;
    else if (parentPid === rootPid) ticks += user + system;
  }
  return ticks / TICKS_PER_SECOND;
}

function safely<T>(read: () => T, otherwise: T) {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function print(row: Row) {
  const number = (value: number, width: number, digits = 1) => value.toFixed(digits).padStart(width);
  console.log(
    `${row.name.padEnd(20)} ${number(row.buyers, 7, 0)} ${number(row.rate, 12)} ${number(row.p50Ms, 8)} ${number(row.p99Ms, 8)}` +
      `  ${number(row.checkoutP50Ms, 12)} ${number(row.checkoutP99Ms, 7)} ${number(row.serviceCpuMs, 9)} ${number(row.databaseCpuMs, 9)}` +
      ` ${number(row.generatorCpuMs, 10)}  ${JSON.stringify(row.errors)}`,
  );
}

/** Reports the goals. */
function report({ sqlite, one, two, four }: { sqlite: Row[]; one: Row[]; two: Row[]; four: Row[] }) {
  const at = (rows: Row[], buyers: number) => rows.find((row) => row.buyers === buyers);
  const ratios = one.map((row, index) => row.rate / sqlite[index]!.rate);
  const everyRow = [...sqlite, ...one, ...two, ...four];
  const count = (errors: Record<string, number>) => Object.values(errors).reduce((sum, number) => sum + number, 0);
  console.log();
  const figure = (what: string, value: number, goal: Pick<Figure, 'atLeast'> | Pick<Figure, 'atMost'>) =>
    reportFigure({ what, value, unit: '', ...goal });
  figure('PostgreSQL / SQLite, one process each, worst level', Math.min(...ratios), { atLeast: 0.5 });
  figure(
    'errors returned to callers',
    everyRow.reduce((sum, { errors }) => sum + count(errors), 0),
    { atMost: 0 },
  );
  const quiet = at(one, 4);
  for (const busy of [at(one, 48), at(one, 128)]) {
    if (quiet && busy) figure(`PostgreSQL, rate at ${busy.buyers} buyers / at 4`, busy.rate / quiet.rate, { atLeast: 1 });
  }
  const busyOne = at(one, 48);
  const busyTwo = at(two, 48);
  if (!busyOne) return;
  figure('PostgreSQL, p99 / p50 of a purchase at 48 buyers', busyOne.p99Ms / busyOne.p50Ms, { atMost: 8 });
  figure('PostgreSQL, p99 / p50 of a checkout at 48 buyers', busyOne.checkoutP99Ms / busyOne.checkoutP50Ms, { atMost: 8 });
  figure('PostgreSQL, two processes / one at 48 buyers', busyTwo!.rate / busyOne.rate, { atLeast: 1.2 });
}
