/**
 * The most expensive request without credentials: processor time of the built service (`measured-server.ts`) for each of a list of
 * hostile requests, with rate limits off. Afterwards four connections repeat the worst one while a merchant reads a transaction, with
 * rate limits off (as if each request came from another address) and with the default ones.
 *
 * Goals: at most 20 ms of processor time each; the merchant's p99 stays below 50 ms.
 *
 * `node --import ./test/support/typescript.mjs test/bench/anonymous-requests.bench.ts [part of a name]`
 */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import { projectRoot } from '../../server/setup/project.mjs';
import { median, reportFigure } from './figures.ts';
import { type HostileRequest, hostileRequests, longProgram } from './hostile-requests.ts';
import { type MeasuredServer, startMeasurement } from './measured.ts';
import { createPurchases } from './purchases.ts';

const GOAL_MS = 20;
const MERCHANT_GOAL_MS = 50;
const HOSTILE_CONNECTIONS = 4;
const MERCHANT_REQUESTS = 500;
/** Unmeasured requests, enough for the JIT compiler to settle. */
const WARM_UP_REQUESTS = 10;
const BATCHES = 5;
const BATCH_REQUESTS = 5;
const ONLY = process.argv[2] ?? '';

const measurement = await startMeasurement();
const { file, folder, start } = measurement;
try {
  const { merchantId, authorization, purchase } = await createPurchases(file, 0);
  importProgram(longProgram, merchantId);
  const unlimited = await start('service');
  const requests = (await hostileRequests(unlimited.origin, authorization, file)).filter(({ name }) => name.includes(ONLY));

  console.log(`${availableParallelism()} cores, Node ${process.versions.node}; processor time per request, goal ${GOAL_MS} ms`);
  const costs = [];
  for (const request of requests) {
    const { cpuMs, wallMs, status } = await costOf(unlimited, request);
    costs.push({ request, cpuMs });
    console.log(`${cpuMs.toFixed(2).padStart(8)} ms (${wallMs.toFixed(1).padStart(6)} ms wall)  ${status}  ${request.name}`);
  }
  const worst = costs.toSorted((a, b) => b.cpuMs - a.cpuMs)[0]!;
  reportFigure({
    what: 'processor time of the most expensive request without credentials',
    value: worst.cpuMs,
    unit: 'ms',
    atMost: GOAL_MS,
    details: worst.request.name,
  });

  const limited = await start('limited-service');
  const runs = [
    { condition: 'other connections', server: unlimited, connections: 0 },
    { condition: 'connections that repeat it, no rate limits', server: unlimited, connections: HOSTILE_CONNECTIONS },
    { condition: 'connections that repeat it, default rate limits', server: limited, connections: HOSTILE_CONNECTIONS },
  ];
  for (const { condition, server, connections } of runs) {
    const { medianMs, p99Ms, hostile } = await merchantDuring(server, worst.request, connections, purchase, authorization);
    reportFigure({
      what: `p99 of a merchant during ${connections} ${condition}`,
      value: p99Ms,
      unit: 'ms',
      atMost: MERCHANT_GOAL_MS,
      details: `p50 ${medianMs.toFixed(1)} ms, ${hostile} hostile requests`,
    });
  }
} finally {
  await measurement.close();
}

function importProgram(program: any, merchantId: string) {
  const document = join(folder, 'program.json');
  writeFileSync(document, JSON.stringify(program));
  execFileSync(process.execPath, ['dist/server/cli.js', 'program', 'import', document, '--merchant', merchantId], {
    cwd: projectRoot,
    env: { ...process.env, DATABASE_URL: `sqlite:${file}` },
    stdio: 'pipe',
  });
}

/** Returns the median over batches of requests that are sent one after another over one connection. */
async function costOf({ cpuUs, origin }: MeasuredServer, request: HostileRequest) {
  const pool = new Pool(origin, { connections: 1 });
  const usedMs = async () => (await cpuUs()) / 1_000;
  let status = 0;
  const repeat = async (count: number) => {
    for (let sent = 0; sent < count; sent++) status = await send(pool, request);
  };
  await repeat(WARM_UP_REQUESTS);
  const batches = [];
  for (let number = 0; number < BATCHES; number++) {
    const [beforeMs, startedAtMs] = [await usedMs(), performance.now()];
    await repeat(BATCH_REQUESTS);
    const wallMs = (performance.now() - startedAtMs) / BATCH_REQUESTS;
    batches.push({ cpuMs: ((await usedMs()) - beforeMs) / BATCH_REQUESTS, wallMs });
  }
  await pool.close();
  return { status, cpuMs: median(batches.map(({ cpuMs }) => cpuMs)), wallMs: median(batches.map(({ wallMs }) => wallMs)) };
}

async function send(pool: Pool, { method, path, headers, body }: HostileRequest) {
  const nextBody = typeof body === 'function' ? body() : body;
  const response = await pool.request({ method, path, headers, body: nextBody ?? null });
  await response.body.dump();
  return response.statusCode;
}

/** Measures how long a merchant waits for a transaction while others repeat a hostile request. */
async function merchantDuring(
  { origin }: { origin: string },
  request: any,
  connections: number,
  purchase: any,
  authorization: string,
) {
  const pool = new Pool(origin, { connections: Math.max(1, connections) });
  const over = new AbortController();
  let hostile = 0;
  const repeat = async () => {
    while (!over.signal.aborted) {
      await send(pool, request);
      hostile += 1;
    }
  };
  const repeating = Array.from({ length: connections }, repeat);
  const headers = { authorization };
  const path = `/transactions/${purchase}`;
  const load = { origin, method: 'GET', path, headers, connections: 1, requests: MERCHANT_REQUESTS };
  const { medianMs, p99Ms } = await measurement.send(load);
  over.abort();
  await Promise.all(repeating);
  await pool.close();
  return { medianMs, p99Ms, hostile };
}
