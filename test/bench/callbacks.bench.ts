/**
 * Measures how long a merchant's callbacks take while another merchant's receiver hangs: the time from the checkout response to
 * the callback's arrival, first on an idle service and then with hundreds of callbacks waiting for a receiver that hangs.
 *
 * The benchmark runs the built service in this process, with a SQLite file below `data/`. Receivers and checkouts use real
 * sockets. The two halves run one after the other, each on its own service.
 *
 * `node --import ./test/support/typescript.mjs test/bench/callbacks.bench.ts [callbacks] [hanging]`
 */
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { projectRoot } from '../../server/setup/project.mjs';
import { quantile, reportFigure } from './figures.ts';
import { dist } from './built.ts';

const CALLBACKS = Number(process.argv[2] ?? 200);
const HANGING = Number(process.argv[3] ?? 400);
const GOAL_MS = 2_000;

const { readConfig } = await dist('server/config/config.js');
const { serve } = await dist('server/main.js');
const { createMerchant } = await dist('server/merchants/merchants.js');
mkdirSync(join(projectRoot, 'data'), { recursive: true });
const folder = mkdtempSync(join(projectRoot, 'data', 'bench-'));

/** Arrival time of each callback by transaction id, in milliseconds since this process started. */
const arrivedAtMs = new Map();
const receiver = await listen(async (request: any, response: any) => {
  const { transactionId } = JSON.parse(await text(request));
  arrivedAtMs.set(transactionId, performance.now());
  response.writeHead(204).end();
});
let hangingCount = 0;
const hangingReceiver = await listen(() => (hangingCount += 1));

try {
  const without = await measure('without', 0);
  const withHanging = await measure('with', HANGING);
  console.log(`${CALLBACKS} callbacks, one after the other`);
  console.log(
    `no receiver hangs                            p50 ${formatted(without, 0.5)} ms   p99 ${formatted(without, 0.99)} ms`,
  );
  console.log(
    `${String(HANGING).padStart(4)} wait for a receiver that hangs           p50 ${formatted(withHanging, 0.5)} ms   p99 ${formatted(withHanging, 0.99)} ms`,
  );
  const delayMs = quantile(withHanging, 0.99) - quantile(without, 0.99);
  reportFigure({ what: 'delay at p99 caused by a receiver that hangs', value: delayMs, unit: 'ms', atMost: GOAL_MS });
} finally {
  for (const { server } of [receiver, hangingReceiver]) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(folder, { recursive: true, force: true });
}

/** Returns the duration of each callback in milliseconds, sorted. */
async function measure(name: string, hanging: number) {
  const config = { ...readConfig({}), port: 0, databaseUrl: `sqlite:${join(folder, `${name}.db`)}` };
  const service = await serve(config, join(projectRoot, 'dist/widget'), { log: pino({ enabled: false }) });
  const [slow, measured] = [await createMerchantClient(service), await createMerchantClient(service)];
  // Warm-up, not measured.
  for (let count = 0; count < 20; count++) await arrival(await checkout(measured, receiver.url));

  for (let count = 0; count < hanging; count++) await checkout(slow, hangingReceiver.url);
  if (hanging > 0 && hangingCount === 0) throw new Error('No request hangs: the benchmark measures nothing');
  const durationsMs = [];
  for (let count = 0; count < CALLBACKS; count++) {
    const transactionId = await checkout(measured, receiver.url);
    const respondedAtMs = performance.now();
    durationsMs.push(Math.max(0, (await arrival(transactionId)) - respondedAtMs));
  }
  if (hanging > 0) {
    // Closes the hanging connections so that the service does not wait for them on shutdown.
    hangingReceiver.server.close();
    hangingReceiver.server.closeAllConnections();
  }
  await service.close();
  return durationsMs.toSorted((a, b) => a - b);
}

/** Creates a merchant, and returns a function that sends POST requests with its key pair. */
async function createMerchantClient(service: any) {
  const newMerchant = { name: 'Acme', storeUrl: 'https://shop.example/', origins: [] };
  const { apiKey, secret } = await createMerchant(service.database, 'sandbox', newMerchant, service.clock.now());
  const authorization = `Basic ${Buffer.from(`${apiKey}:${secret}`).toString('base64')}`;
  return async (path: string, body: any) => {
    const response = await fetch(service.publicUrl + path, {
      method: 'POST',
      headers: { authorization },
      body: JSON.stringify(body),
    });
    if (response.status !== 200) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return response.json();
  };
}

async function checkout(post: any, callbackUrl: string) {
  const items = [{ name: 'Chair', sku: 'CHAIR-1', price: 75_000, quantity: 1, imageUrl: '', detailUrl: '' }];
  const { id: cartId } = await post('/carts', { options: { items, callbackUrl } });
  return (await post('/sandbox/checkouts', { cartId })).transactionId;
}

/** Waits for the callback of a transaction and returns its arrival time, or the deadline if it did not arrive. */
async function arrival(transactionId: string) {
  const deadlineMs = performance.now() + 60_000;
  while (!arrivedAtMs.has(transactionId)) {
    if (performance.now() > deadlineMs) return deadlineMs;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  return arrivedAtMs.get(transactionId);
}

async function listen(respond: any) {
  const server = createServer((request, response) => void respond(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback` };
}

function formatted(sorted: readonly number[], share: number) {
  return quantile(sorted, share).toFixed(1).padStart(6);
}
