/**
 * Compares the widget with public widgets of the same kind, on one page each: 24 amounts, a processor slowed down four times, the script
 * half a second late. The stubs for the vendors' servers are in `peers.ts` and listed in the output.
 *
 * `npm run bench:peers [-- rounds]`. Needs npm's registry; without it, prints a message and exits with 0.
 */
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { brotliCompressSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { projectRoot } from '../../server/setup/project.mjs';
import { browserArgs, ensureBrowser } from '../support/chromium.mjs';
import { fetchPeers, Unavailable } from './peers.ts';
import { median } from './figures.ts';
import { dist } from './built.ts';

const TILES = 24;
const SLOWER = 4;
const LATE_MS = 500;
/** Time a page gets after rendering, because it may still shift its layout, report and measure itself. */
const SETTLES_MS = 1_500;
const ROUNDS = Number(process.argv[2] ?? 5);
// The vendor scripts require their own host names. `--host-resolver-rules` below maps them to this machine.
const VENDOR_HOST = 'maker.paypal.com';

const [{ standardProgram }, { rateSheet }, { languages }] = await Promise.all(
  ['server/programs/standard-program.js', 'shared/programs/rate-sheet.js', 'shared/languages/disclosures.js'].map(dist),
);

let current: any;
let bodies: any;
const server = createServer((request, response) => void respond(request, response)).listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = server.address() as AddressInfo;
const folder = mkdtempSync(join(tmpdir(), 'fairterm-peers-'));
let browser: any;
try {
  const widgets = [fairterm(`http://${VENDOR_HOST}:${port}`), ...(await fetchPeers(folder, `http://${VENDOR_HOST}:${port}`))];
  browser = await chromium.launch({
    executablePath: await ensureBrowser(),
    // Runs frames of other sites in the process of the page, as on a small phone. Otherwise, they are neither throttled nor measured.
    args: [
      ...browserArgs,
      `--host-resolver-rules=MAP ${VENDOR_HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
      '--disable-site-isolation-trials',
      '--disable-features=IsolateOrigins,site-per-process',
    ],
  });
  const results = new Map(widgets.map(({ name }): [string, object[]] => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const widget of round % 2 ? widgets.toReversed() : widgets) results.get(widget.name)!.push(await measured(widget));
  }
  printTable(widgets, results);
} catch (error) {
  if (!(error instanceof Unavailable)) throw error;
  console.log(`Nothing measured: ${error.message}. Try again with a connection.`);
} finally {
  await browser?.close();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}

/** One visit with a fresh browser profile and an empty cache. */
async function measured(widget: any) {
  current = widget;
  bodies = [];
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(() => {
    (globalThis as any).shifted = 0;
    new PerformanceObserver((list) => {
      for (const { value } of list.getEntries() as any[]) (globalThis as any).shifted += value;
    }).observe({ type: 'layout-shift', buffered: true });
  });
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await session.send('Performance.enable');
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.waitForFunction(widget.isDone);
  await delay(SETTLES_MS);
  const { metrics } = await session.send('Performance.getMetrics');
  const timeOf = (metric: any) => 1_000 * metrics.find(({ name }: { name: string }) => name === metric).value;
  // `ScriptDuration` excludes work triggered by responses and promises; `TaskDuration` includes everything, layout too.
  const [scriptMs, taskMs] = [timeOf('ScriptDuration'), timeOf('TaskDuration')];
  const shifted = await page.evaluate(() => (globalThis as any).shifted);
  await context.close();
  const bytes = bodies.reduce((sum: number, body: Buffer) => sum + (body.length && brotliCompressSync(body).byteLength), 0);
  return { bytes, requests: bodies.length, shifted, scriptMs, taskMs };
}

async function respond({ url = '/', method, headers }: IncomingMessage, response: ServerResponse) {
  const requested = new URL(url, 'http://shop');
  if (requested.pathname === '/') return response.writeHead(200, { 'content-type': 'text/html' }).end(pageOf(current));
  if (requested.pathname === '/favicon.ico') return response.writeHead(204).end();
  const crossOrigin = {
    'access-control-allow-origin': headers.origin ?? '*',
    'access-control-allow-credentials': 'true',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '*',
  };
  if (method === 'OPTIONS') return response.writeHead(204, crossOrigin).end();
  const file = current.respond(requested);
  const { type, body, isCacheable } = file ?? { type: 'text/plain', body: '' };
  bodies.push(Buffer.from(body));
  if (requested.pathname === '/entry.js') await delay(LATE_MS);
  const caching = { 'cache-control': isCacheable ? 'max-age=300' : 'no-store' };
  response.writeHead(file ? 200 : 404, { 'content-type': type, ...caching, ...crossOrigin });
  return response.end(body);
}

function pageOf({ head, tile }: { head: any; tile: any }) {
  const tiles = Array.from(
    { length: TILES },
    (_, index) =>
      `<li><h2>Chair ${index}</h2><p>A chair to sit on.</p>${tile(20_000 + 4_321 * index)}<a href="#">Read more</a></li>`,
  );
  return `<!doctype html><meta charset="utf-8"><title>Shop</title>${head}<style>
      body { margin: 16px; font: 16px/1.5 sans-serif }
      ul { display: grid; grid-template-columns: repeat(auto-fill, minmax(240px, 1fr)); gap: 24px; margin: 0; padding: 0; list-style: none }
    </style><h1>Chairs</h1><ul>${tiles.join('')}</ul>`;
}

function fairterm(origin: string) {
  const file = (name: string) => readFileSync(`${projectRoot}/dist/widget/${name}`);
  const programs = { defaultProgramId: 'standard', programs: [rateSheet(standardProgram)], texts: languages };
  const responses: Record<string, object> = {
    '/entry.js': { type: 'text/javascript', body: file('financing-button.js'), isCacheable: true },
    '/reserve.css': { type: 'text/css', body: file('reserve.css'), isCacheable: true },
    '/storefront/programs': { type: 'application/json', body: JSON.stringify(programs), isCacheable: true },
  };
  return {
    name: 'Fairterm',
    head: `<link rel="stylesheet" href="${origin}/reserve.css"><script type="module" src="${origin}/entry.js"></script>`,
    tile: (amountCents: number) =>
      `<financing-button api-key="k" service="${origin}" amount="${amountCents}" cart-url="/cart"></financing-button>`,
    isDone: () =>
      [...document.querySelectorAll('financing-button')].every(({ shadowRoot }) => shadowRoot?.querySelector('strong')),
    respond: ({ pathname }: { pathname: string }) => responses[pathname],
    stubbed: 'the program document, built by the code that serves it',
  };
}

function printTable(widgets: any, results: any) {
  console.log(`${TILES} amounts, processor slowed ${SLOWER} times, script ${LATE_MS} ms late, median of ${ROUNDS} rounds`);
  const row = (...cells: string[]) => cells.map((cell, index) => (index ? cell.padStart(13) : cell.padEnd(38))).join('');
  console.log(row('', 'brotli bytes', 'requests', 'CLS', 'script ms', 'all tasks ms'));
  for (const { name } of widgets) {
    const of = (key: string) => median(results.get(name).map((result: any) => result[key]));
    console.log(
      row(
        name,
        of('bytes').toLocaleString('en'),
        String(of('requests')),
        of('shifted').toFixed(4),
        of('scriptMs').toFixed(0),
        of('taskMs').toFixed(0),
      ),
    );
  }
  console.log('Bytes and requests are those that the servers received, without the page of the shop.');
  console.log('Frames of other sites run in the process of the page, as on a phone with little memory. Stubs:');
  for (const { name, stubbed } of widgets) console.log(`  ${name}: ${stubbed}.`);
}
