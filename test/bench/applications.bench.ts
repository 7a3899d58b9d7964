/**
 * Time of a page from a list of a million applications: by depth, relative to a minimal Koa handler that runs the same statement and
 * responds with its rows as JSON, under load, and after many requests.
 *
 * `node --import ./test/support/typescript.mjs test/bench/applications.bench.ts [depth|offset|baseline|load|memory …]`; without a name, all of them.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { loadavg } from 'node:os';
import { projectRoot } from '../../server/setup/project.mjs';
import { pagesByDepth, pagesByOffset } from './applications-depth.ts';
import { seededApplications } from './applications-seed.ts';
import { median, reportFigure } from './figures.ts';
import { benchKeys, dist } from './built.ts';

const ROUNDS = 9;
const WARM_UP_ROUNDS = 4;
const REQUESTS = 2_000;
const MANY_REQUESTS = 100_000;
const TOKENS = 1_000;

const parts = process.argv.slice(2);
const isRequested = (part: string) => parts.length === 0 || parts.includes(part);
const seeded = await seededApplications();
console.log(
  `Node ${process.versions.node}, load ${loadavg()
    .map((load) => load.toFixed(1))
    .join(' ')}`,
);

if (isRequested('depth')) await pagesByDepth(seeded);
if (isRequested('offset')) await pagesByOffset(seeded);
if (['baseline', 'load', 'memory'].some(isRequested)) await overHttp();

async function overHttp() {
  const folder = mkdtempSync(join(projectRoot, 'data', 'bench-'));
  const client = fork(new URL('./load.ts', import.meta.url), { stdio: 'inherit' });
  const children = [client];
  try {
    const start = async (kind: string) => {
      const child = fork(new URL('./measured-server.ts', import.meta.url), [kind, seeded.file], {
        cwd: projectRoot,
        execArgv: ['--expose-gc'],
        stdio: ['ignore', openSync(join(folder, `${kind}.log`), 'w'), 'inherit', 'ipc'],
      });
      children.push(child);
      const [{ origin }] = await once(child, 'message');
      return { child, origin };
    };
    const [baseline, service] = [await start('baseline'), await start('service')];
    const tokens = await tokensFor(service.origin);
    baseline.child.send({ read: readOf(seeded) });
    await once(baseline.child, 'message');

    const usage = async ({ child }: { child: ChildProcess }) => {
      child.send('usage');
      return (await once(child, 'message'))[0];
    };
    const request = async ({ origin }: { origin: string }, requests: number, connections: number, bearers: string[]) => {
      const authorizations = bearers.map((token: string) => `Bearer ${token}`);
      client.send({ origin, method: 'GET', path: '/api/application', authorizations, requests, connections });
      const [response] = await once(client, 'message');
      if (response.rejected > 0) throw new Error(`${response.rejected} of ${requests} requests were rejected`);
      return response;
    };
    const cpuUs = async (server: any, bearers: string[]) => {
      const before = await usage(server);
      await request(server, REQUESTS, 64, bearers);
      return ((await usage(server)).cpuUs - before.cpuUs) / REQUESTS;
    };

    if (isRequested('baseline')) {
      for (const count of [1, TOKENS]) {
        const rounds: any[] = [];
        for (let round = 0; round < WARM_UP_ROUNDS + ROUNDS; round++) {
          const costUs = new Map();
          for (const server of round % 2 === 0 ? [baseline, service] : [service, baseline]) {
            costUs.set(server, await cpuUs(server, tokens.slice(0, count)));
          }
          if (round >= WARM_UP_ROUNDS) rounds.push([costUs.get(baseline), costUs.get(service)]);
        }
        const ratios = rounds.map(([baselineUs, serviceUs]) => baselineUs / serviceUs);
        const [baselineUs, serviceUs] = [0, 1].map((side) => median(rounds.map((round) => round[side])).toFixed(0));
        const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
        reportFigure({
          what: `processor time for a page of 10, ${count} tokens`,
          value: median(ratios),
          unit: 'of the baseline',
          atLeast: 0.35,
          details: `${range}; baseline ${baselineUs} us, service ${serviceUs} us`,
        });
      }
    }
    if (isRequested('load')) {
      await request(service, REQUESTS, 32, tokens);
      const responses: any[] = [];
      for (let round = 0; round < 5; round++) responses.push(await request(service, 5_000, 32, tokens));
      const p50 = median(responses.map((response) => response.medianMs));
      const p99 = median(responses.map((response) => response.p99Ms));
      const perSecond = median(responses.map((response) => response.perSecond)).toFixed(0);
      reportFigure({
        what: 'p99 with 32 connections',
        value: p99 / p50,
        unit: 'times p50',
        atMost: 5,
        details: `${perSecond} pages a second, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
      });
    }
    if (isRequested('memory')) {
      await request(service, MANY_REQUESTS / 5, 32, tokens);
      const before = await usage(service);
      await request(service, MANY_REQUESTS, 32, tokens);
      const after = await usage(service);
      const mib = (bytes: any) => (bytes / 2 ** 20).toFixed(1);
      reportFigure({
        what: `heap growth over ${MANY_REQUESTS} requests`,
        value: (after.heapUsed - before.heapUsed) / 2 ** 20,
        unit: 'MiB',
        atMost: 5,
        details: `heap ${mib(before.heapUsed)} to ${mib(after.heapUsed)} MiB, resident ${mib(before.rss)} to ${mib(after.rss)} MiB`,
      });
    }
  } finally {
    for (const child of children) child.disconnect();
    await Promise.all(children.slice(1).map((child) => once(child, 'exit')));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns distinct tokens of the largest tenant. */
async function tokensFor(origin: string) {
  const { openSqlite } = await dist('server/db/sqlite.js');
  const { createTokenIssuer } = await dist('server/tokens/issue.js');
  const { systemClock } = await dist('server/time.js');
  const database = openSqlite(seeded.file, benchKeys);
  const issue = createTokenIssuer(database, systemClock, origin.replace('127.0.0.1', 'localhost'));
  const grant = { tenantId: seeded.tenantId, scope: 'r:application' };
  const tokens = [];
  // Different lifetimes make the tokens distinct.
  for (let number = 0; number < TOKENS; number++) tokens.push(await issue(grant, 7_200 + number));
  await database.close();
  return tokens;
}

/** Returns a statement that reads the same page as the service: one row more than the page has. */
function readOf({ tenantId }: { tenantId: string }) {
  return {
    sql: 'select * from applications where tenant_id = ? order by created_at desc, id desc limit 11',
    parameters: [tenantId],
  };
}
