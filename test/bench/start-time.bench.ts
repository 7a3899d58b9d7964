/**
 * Measures how long `npm start` takes until the service and the shop respond, relative to an `npm start` of two bare HTTP servers. The
 * two cases are a built project, and one without `dist/`, both without sample orders. Runs in a copy of the project without data, on free ports.
 *
 * `node --import ./test/support/typescript.mjs test/bench/start-time.bench.ts [runs]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ensureBuilt } from '../../server/setup/build.mjs';
import { projectRoot } from '../../server/setup/project.mjs';
import { median, reportFigure } from './figures.ts';
import { freePort } from '../support/network.mjs';

const RUNS = Number(process.argv[2] ?? 5);
const TIMEOUT_MS = 60_000;

const cases = [
  { name: 'built', goal: 8, removed: ['data'] },
  { name: 'not built', goal: 20, removed: ['data', 'dist'] },
];

// The copy shares node_modules, so they have to be installed before: `npm start` would install into the shared folder.
await ensureBuilt();
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'fairterm-start-')));
const baseline = join(folder, 'baseline');
const copy = join(folder, 'copy');
try {
  mkdirSync(baseline);
  writeFileSync(join(baseline, 'package.json'), JSON.stringify({ type: 'module', scripts: { start: 'node server.js' } }));
  const listen =
    "for (const port of [process.env.PORT, process.env.DEMO_PORT]) createServer((_, r) => r.end()).listen(port, '127.0.0.1');";
  writeFileSync(join(baseline, 'server.js'), `import { createServer } from 'node:http';\n${listen}\n`);
  const copied = ['package.json', 'package-lock.json', 'tsconfig.json', 'shared', 'server', 'widget', 'demo', 'dist'];
  for (const path of copied) cpSync(join(projectRoot, path), join(copy, path), { recursive: true });
  symlinkSync(join(projectRoot, 'node_modules'), join(copy, 'node_modules'));
  for (const { name, goal, removed } of cases) {
    const rounds = [];
    for (let run = 0; run < RUNS; run++) {
      for (const path of removed) rmSync(join(copy, path), { recursive: true, force: true });
      rounds.push({ baselineMs: await startMs(baseline), projectMs: await startMs(copy) });
    }
    reportFigure({
      what: `npm start, ${name}`,
      value: median(rounds.map(({ baselineMs, projectMs }) => projectMs / baselineMs)),
      unit: 'times the baseline',
      atMost: goal,
      details: `${rounds.map(({ baselineMs, projectMs }) => `${projectMs.toFixed(0)}/${baselineMs.toFixed(0)}`).join(' ')} ms`,
    });
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns {Promise<number>} milliseconds until both ports responded */
async function startMs(cwd: string) {
  const port = await freePort();
  const shopPort = await freePort();
  const { HOST: _host, MODE: _mode, PUBLIC_URL: _url, DATABASE_URL: _database, ...environment } = process.env;
  const startedAtMs = performance.now();
  const child = spawn('npm', ['start'], {
    cwd,
    env: {
      ...environment,
      PORT: String(port),
      DEMO_PORT: String(shopPort),
      DEMO_LENDER_PORT: String(await freePort()),
      DEMO_SAMPLES: '0',
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    // A process group, so that npm and its children are stopped together.
    detached: true,
  });
  let stderr = '';
  child.stderr.on('data', (chunk) => (stderr += chunk));
  const ended = once(child, 'exit');
  try {
    const urls = [`http://127.0.0.1:${port}/readyz`, `http://127.0.0.1:${shopPort}/`];
    const responding = Promise.all(urls.map((url) => waitUntilReady(url, startedAtMs)));
    const failed = ended.then(() => Promise.reject(new Error(`npm start ended:\n${stderr}`)));
    await Promise.race([responding, failed]);
    return performance.now() - startedAtMs;
  } finally {
    if (child.exitCode === null) process.kill(-Number(child.pid), 'SIGTERM');
    await ended;
  }
}

async function waitUntilReady(url: string, startedAtMs: number) {
  while (performance.now() - startedAtMs < TIMEOUT_MS) {
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    if (response?.ok) return;
    await delay(10);
  }
  throw new Error(`${url} did not respond within ${TIMEOUT_MS / 1000} s`);
}
