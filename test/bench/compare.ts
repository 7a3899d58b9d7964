/**
 * Compares this checkout with another revision: both services side by side on this machine, in turns, with the same requests. The
 * processor time of an operation includes the deliveries and jobs that follow from it.
 *
 * `npm run bench -- compare REV [sqlite|postgres]`; without an engine, both. Builds the revision in a temporary folder. Stop other work
 * on the machine. Takes about 6 minutes for each engine.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { projectRoot } from '../../server/setup/project.mjs';
import { freePort } from '../support/network.mjs';
import { startPostgres } from '../support/postgres-server.mjs';
import { median } from './figures.ts';
import { cartOf } from './purchases.ts';

const ROUNDS = 5;
/** The JIT compiler has seen each operation before. */
const WARM_UP_ROUNDS = 1;
const SECONDS = 3;
const CALLERS = 4;
/** Purchases that are authorized in each round. */
const PENDING = 150;

/** Replies to each message with the processor time used so far. Loaded in the process of the service, of any revision. */
const REPORTER = `data:text/javascript,${encodeURIComponent(`
  process.on('message', () => { const { user, system } = process.cpuUsage(); process.send(user + system); });
  process.channel.unref();
`)}`;

interface Service {
  /** Returns the processor time used so far. */
  cpuUs(): Promise<number>;
  operations: Record<string, () => Promise<void>>;
  /** Creates `PENDING` purchases for `authorize`. */
  addPending(): Promise<void>;
  stop(): Promise<void>;
}

interface Measured {
  perSecond: number;
  cpuUs: number;
}

/** Prints a table for each engine. */
export async function compare([revision, only]: string[]): Promise<void> {
  if (!revision || (only !== undefined && only !== 'sqlite' && only !== 'postgres'))
    throw new Error('Expected: npm run bench -- compare REV [sqlite|postgres]');
  const checkout = mkdtempSync(join(tmpdir(), 'fairterm-compare-'));
  try {
    build(checkout, revision);
    for (const engine of ['sqlite', 'postgres'] as const) {
      if (only !== undefined && only !== engine) continue;
      console.log(`\n${engine}: ${revision} and this checkout, ${CALLERS} callers, ${ROUNDS} rounds`);
      console.table(await rowsOf(engine, checkout));
    }
  } finally {
    git('worktree', 'remove', '--force', checkout);
  }
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: projectRoot, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Builds a revision in a folder, with the packages of this checkout if its list of packages is the same. */
function build(checkout: string, revision: string) {
  git('worktree', 'add', '--quiet', '--detach', '--force', checkout, revision);
  const run = (...args: string[]) => execFileSync('npm', args, { cwd: checkout, stdio: ['ignore', 'ignore', 'inherit'] });
  const packagesOf = (root: string) => readFileSync(join(root, 'package-lock.json'), 'utf8');
  if (packagesOf(checkout) === packagesOf(projectRoot))
    symlinkSync(join(projectRoot, 'node_modules'), join(checkout, 'node_modules'));
  else run('ci');
  run('run', 'build');
}

async function rowsOf(engine: 'sqlite' | 'postgres', checkout: string) {
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-compare-data-'));
  const postgres = engine === 'postgres' ? await startPostgres({ isDurable: true }) : undefined;
  const roots = { before: checkout, now: projectRoot };
  const services: Service[] = [];
  const measured = new Map<string, Record<keyof typeof roots, Measured>[]>();
  try {
    for (const [name, root] of Object.entries(roots)) {
      const url = postgres ? await createDatabase(postgres.url, name) : `sqlite:${join(folder, `${name}.db`)}`;
      services.push(await start(root, url));
    }
    const [before, now] = services as [Service, Service];
    for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
      for (const name of Object.keys(now.operations)) {
        // The one that runs first waits for the other's disk work, so they alternate.
        const first = round % 2 === 0 ? await measure(before, name) : undefined;
        const second = await measure(now, name);
        const pair = { before: first ?? (await measure(before, name)), now: second };
        if (round >= WARM_UP_ROUNDS) measured.set(name, [...(measured.get(name) ?? []), pair]);
      }
    }
  } finally {
    await Promise.all(services.map((service) => service.stop()));
    await postgres?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return [...measured].map(([operation, pairs]) => {
    const ratios = pairs.map((pair) => pair.now.cpuUs / pair.before.cpuUs);
    const [beforeMs, nowMs] = (['before', 'now'] as const).map((side) => median(pairs.map((pair) => pair[side].cpuUs)) / 1_000);
    const [before, now] = (['before', 'now'] as const).map((side) => median(pairs.map((pair) => pair[side].perSecond)));
    return {
      operation,
      'before, CPU ms': beforeMs!.toFixed(3),
      'now, CPU ms': nowMs!.toFixed(3),
      ratio: median(ratios).toFixed(2),
      spread: `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`,
      'per second': `${before!.toFixed(0)} and ${now!.toFixed(0)}`,
    };
  });
}

async function createDatabase(url: string, name: string): Promise<string> {
  const { Client } = await import('pg');
  const client = new Client(url);
  await client.connect();
  await client.query(`create database ${name}`);
  await client.end();
  return Object.assign(new URL(url), { pathname: name }).href;
}

/** Runs an operation with all callers for a while, or until nothing is pending. */
async function measure(service: Service, name: string): Promise<Measured> {
  if (name === 'authorize') await service.addPending();
  await untilIdle(service);
  const cpuBeforeUs = await service.cpuUs();
  const startedAtMs = performance.now();
  let count = 0;
  const call = async () => {
    while (name === 'authorize' ? count < PENDING : performance.now() - startedAtMs < SECONDS * 1_000) {
      count += 1;
      await service.operations[name]!();
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  const seconds = (performance.now() - startedAtMs) / 1_000;
  await untilIdle(service);
  return { perSecond: count / seconds, cpuUs: ((await service.cpuUs()) - cpuBeforeUs) / count };
}

/** Waits until the deliveries and jobs that follow from the operations have ended. */
async function untilIdle(service: Service) {
  for (let looks = 0; looks < 60; looks++) {
    const beforeUs = await service.cpuUs();
    await sleep(250);
    if ((await service.cpuUs()) - beforeUs < 5_000) return;
  }
}

/** Starts the service of a checkout on an empty database, with a merchant. */
async function start(root: string, databaseUrl: string): Promise<Service> {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    // With the data keys that `built.ts` has set.
    ...process.env,
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: String(port),
    PUBLIC_URL: origin,
    DATABASE_URL: databaseUrl,
    CHECKOUT_PAGES_PER_ADDRESS: '0',
  };
  const run = (...args: string[]) =>
    execFileSync(process.execPath, ['dist/server/cli.js', ...args], { cwd: root, env, encoding: 'utf8', stdio: 'pipe' });
  run('migrate');
  const { apiKey, secret } = JSON.parse(
    run('merchant', 'create', '--name', 'Acme Goods', '--store-url', 'https://shop.example/', '--json'),
  );
  const stdio = ['ignore', 'ignore', 'ignore', 'ipc'] as const;
  const child: ChildProcess = spawn(process.execPath, ['--import', REPORTER, 'dist/server/cli.js', 'serve'], {
    cwd: root,
    env,
    stdio: [...stdio],
  });
  const pool = new Pool(origin, { connections: CALLERS, pipelining: 1 });
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
  /** Returns the body of a response with one of the expected status codes. */
  const send = async (method: 'GET' | 'POST', path: string, body?: object, expected = [200]) => {
    const response = await pool.request({ method, path, headers: { authorization }, body: body ? JSON.stringify(body) : null });
    const text = await response.body.text();
    if (!expected.includes(response.statusCode))
      throw new Error(`${method} ${path}: expected ${expected.join()}, received ${response.statusCode}: ${text}`);
    return { text, location: String(response.headers['location'] ?? '') };
  };
  const call = async (path: string, body: object) => JSON.parse((await send('POST', path, body)).text);
  while (!(await send('GET', '/readyz').catch(() => undefined))) {
    if (child.exitCode !== null) throw new Error(`The service of ${root} ended with exit code ${child.exitCode}`);
    await sleep(100);
  }

  let number = 0;
  const pending: string[] = [];
  const settled: string[] = [];
  const cart = () => call('/carts', cartOf(10_000 + (number++ % 100_000)));
  const checkOut = async (): Promise<string> => {
    const { transactionId } = await call('/sandbox/checkouts', { cartId: (await cart()).id });
    return transactionId;
  };
  const act = (id: string, type: string) => call(`/transactions/actions/${id}`, { type });
  const purchase = async () => {
    const id = await checkOut();
    await act(id, 'authorize');
    await act(id, 'settle');
    settled.push(id);
  };
  const repeat = async (count: number, action: () => Promise<void>) => {
    for (let done = 0; done < count; done++) await action();
  };
  await repeat(20, purchase);
  const links: string[] = [];
  await repeat(30, async () => void links.push(new URL((await cart()).url).pathname));
  const operations = {
    purchase,
    authorize: async () => void (await act(pending.pop()!, 'authorize')),
    retrieve: async () => void (await send('GET', `/transactions/${settled[number++ % settled.length]}`)),
    'create a cart': async () => void (await cart()),
    'as low as': async () => void (await call('/aslowas', { customTotal: 5_000 + (number++ % 100_000) })),
    'first page': async () => {
      const { location } = await send('GET', links[number++ % links.length]!, undefined, [200, 303]);
      if (location) await send('GET', new URL(location, origin).pathname);
    },
  };
  return {
    cpuUs: async () => {
      child.send('');
      return (await once(child, 'message'))[0];
    },
    operations,
    addPending: () => repeat(PENDING, async () => void pending.push(await checkOut())),
    stop: async () => {
      await pool.close();
      child.kill();
      await once(child, 'exit');
    },
  };
}
