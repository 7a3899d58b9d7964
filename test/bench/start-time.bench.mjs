/**
 * How long `npm start` takes until the service and the shop answer: from a built tree, and with nothing built. Measured in a
 * copy of the project, with no data of its own yet and on ports that are free, so that nothing of yours is touched.
 *
 * `node test/bench/start-time.bench.mjs [runs]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureBuilt } from '../../server/setup/build.mjs';
import { ensureDependencies } from '../../server/setup/dependencies.mjs';
import { projectRoot } from '../../server/setup/project.mjs';
import { reportFigure } from './figures.mjs';
import { median } from './median.mjs';
import { freePort } from '../support/network.mjs';

const RUNS = Number(process.argv[2] ?? 5);
const TIMEOUT_MS = 60_000;

const cases = [
  { name: 'built', goalMs: 2_000, removed: ['data'] },
  { name: 'not built', goalMs: 10_000, removed: ['data', 'dist'] },
];

// The copy shares node_modules, which must be complete: it would be installed into otherwise.
await ensureDependencies();
await ensureBuilt();
const copy = realpathSync(mkdtempSync(join(tmpdir(), 'fairterm-start-')));
try {
  const copied = ['package.json', 'package-lock.json', 'tsconfig.json', 'shared', 'server', 'widget', 'demo', 'dist'];
  for (const path of copied) cpSync(join(projectRoot, path), join(copy, path), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));
  for (const { name, goalMs, removed } of cases) {
    const times = [];
    for (let run = 0; run < RUNS; run++) {
      for (const path of removed) rmSync(join(copy, path), { recursive: true, force: true });
      times.push(await start());
    }
    const all = times.map((time) => time.toFixed(0)).join(' ');
    reportFigure({ what: `npm start, ${name}`, value: median(times), unit: 'ms', atMost: goalMs, details: `median of ${all}` });
  }
} finally {
  rmSync(copy, { recursive: true, force: true });
}

/** @returns {Promise<number>} milliseconds until both ports answered */
async function start() {
  const [port, shopPort] = [await freePort(), await freePort()];
  const { HOST: _host, MODE: _mode, PUBLIC_URL: _url, DATABASE_URL: _database, ...environment } = process.env;
  const startedAtMs = performance.now();
  const child = spawn('npm', ['start'], {
    cwd: copy,
    env: { ...environment, PORT: String(port), DEMO_PORT: String(shopPort) },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A group of its own, so that npm and what it starts can be told to stop together.
    detached: true,
  });
  let words = '';
  child.stderr.on('data', (chunk) => (words += chunk));
  const ended = once(child, 'exit');
  try {
    const urls = [`http://127.0.0.1:${port}/readyz`, `http://127.0.0.1:${shopPort}/`];
    const answering = Promise.all(urls.map((url) => waitUntilReady(url, startedAtMs)));
    const failed = ended.then(() => Promise.reject(new Error(`npm start ended:\n${words}`)));
    await Promise.race([answering, failed]);
    return performance.now() - startedAtMs;
  } finally {
    if (child.exitCode === null) process.kill(-Number(child.pid), 'SIGTERM');
    await ended;
  }
}

async function waitUntilReady(url, startedAtMs) {
  while (performance.now() - startedAtMs < TIMEOUT_MS) {
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await delay(10);
  }
  throw new Error(`${url} did not answer within ${TIMEOUT_MS / 1000} s`);
}
