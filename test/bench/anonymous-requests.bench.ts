/**
 * The most expensive request without credentials: processor time of the built service (`measured-server.ts`) for each of a list of
 * hostile requests, with rate limits off. `hostile-connections.bench.ts` measures other callers meanwhile.
 *
 * Goal: at most 20 ms of processor time each.
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
/** Unmeasured requests, enough for the JIT compiler to settle. */
const WARM_UP_REQUESTS = 10;
const BATCHES = 5;
const BATCH_REQUESTS = 5;
const ONLY = process.argv[2] ?? '';

const measurement = await startMeasurement();
const { file, folder, start } = measurement;
try {
  const { merchantId, authorization } = await createPurchases(file, 0);
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
} finally {
  await measurement.close();
}

function importProgram(program: object, merchantId: string) {
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
    const beforeMs = await usedMs();
    const startedAtMs = performance.now();
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
