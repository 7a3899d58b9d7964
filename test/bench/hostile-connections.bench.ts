/**
 * A merchant while four connections send pipelined requests without credentials to every path that anyone can call, with rate limits
 * off (as if each request were sent from another address), on SQLite and PostgreSQL. The requests are sent from the merchant's own address, so
 * that rotation between networks does not help.
 *
 * Goals for each path: the p99 of the event-loop delay of the service is below 50 ms, and the slowest call of the merchant takes less
 * than 100 ms.
 *
 * `node --import ./test/support/typescript.mjs test/bench/hostile-connections.bench.ts [sqlite | postgres] [part of a path]`
 */
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { startPostgres } from '../support/postgres-server.mjs';
import { completeCheckouts } from './checkouts.ts';
import { reportFigure } from './figures.ts';
import { largestCart } from './hostile-requests.ts';
import { startMeasurement } from './measured.ts';
import { createMerchantIn, documentPathOf } from './purchases.ts';

const DELAY_GOAL_MS = 50;
const MERCHANT_GOAL_MS = 100;
const CONNECTIONS = 4;
const PIPELINED = 200;
/** Time for which requests are sent to one path, after one in which the JIT compiler settles. */
const WARM_UP_MS = 300;
const MEASURED_MS = 1_000;

const ORIGIN = 'https://shop.example';
const oneItem = { items: [{ name: 'Chair', sku: 'C-1', price: 75_000, quantity: 1, imageUrl: '', detailUrl: '' }] };

const engines = ['sqlite', 'postgres'].filter((engine) => !process.argv[2] || process.argv[2] === engine);
const ONLY = process.argv[3] ?? '';
for (const engine of engines) await measureEngine(engine);

async function measureEngine(engine: string) {
  const measurement = await startMeasurement();
  const postgres = engine === 'postgres' ? await startPostgres({ isDurable: true }) : undefined;
  try {
    const url = postgres?.url ?? `sqlite:${measurement.file}`;
    const merchant = await createMerchantIn(url);
    const service = await measurement.start('service', postgres?.url);
    const requests = await anonymousRequests(service.origin, merchant, url);
    const transactionId = await createPurchase(service.origin, merchant.authorization);
    const worst = { delayMs: 0, delayPath: '', callMs: 0, callPath: '' };
    for (const { name, bytes } of requests.filter((request) => request.name.includes(ONLY))) {
      const { delayMs, callMs, sent } = await measurePath(
        service,
        bytes,
        merchant.authorization,
        `/transactions/${transactionId}`,
      );
      console.log(
        `${engine.padEnd(9)} ${delayMs.toFixed(0).padStart(4)} ms delay ${callMs.toFixed(0).padStart(5)} ms call ${String(sent).padStart(7)} responses  ${name}`,
      );
      if (delayMs > worst.delayMs) Object.assign(worst, { delayMs, delayPath: name });
      if (callMs > worst.callMs) Object.assign(worst, { callMs, callPath: name });
    }
    reportFigure({
      what: `p99 of the event-loop delay on the worst path, ${engine}`,
      value: worst.delayMs,
      unit: 'ms',
      atMost: DELAY_GOAL_MS,
      details: worst.delayPath,
    });
    reportFigure({
      what: `slowest call of a merchant on the worst path, ${engine}`,
      value: worst.callMs,
      unit: 'ms',
      atMost: MERCHANT_GOAL_MS,
      details: worst.callPath,
    });
  } finally {
    await measurement.close();
    await postgres?.stop();
  }
}

/** Repeats a request on hostile connections, and calls the service as a merchant in the meantime. */
async function measurePath(service: any, bytes: Buffer, authorization: string, path: string) {
  const over = new AbortController();
  const received = { responses: 0 };
  const closed = Array.from({ length: CONNECTIONS }, () => repeatOn(service.origin, bytes, over.signal, received));
  await delay(WARM_UP_MS);
  await service.send('usage');
  const pool = new Pool(service.origin, { connections: 1 });
  const callsMs = [];
  for (const endsAtMs = performance.now() + MEASURED_MS; performance.now() < endsAtMs;) {
    const startedAtMs = performance.now();
    const response = await pool.request({ method: 'GET', path, headers: { authorization } });
    await response.body.dump();
    if (response.statusCode !== 200) throw new Error(`The merchant received ${response.statusCode}`);
    callsMs.push(performance.now() - startedAtMs);
  }
  const { eventLoopP99Ms } = await service.send('usage');
  over.abort();
  await Promise.all(closed);
  await pool.close();
  return { delayMs: eventLoopP99Ms, callMs: Math.max(...callsMs), sent: received.responses };
}

/** Sends pipelined requests on a connection, and again when it has received a response to each or when the service closes it. */
function repeatOn(origin: string, bytes: Buffer, signal: AbortSignal, received: { responses: number }) {
  return new Promise<void>((resolve) => {
    const open = () => {
      if (signal.aborted) return resolve();
      const socket = connect({ port: Number(new URL(origin).port), host: '127.0.0.1' });
      let pending = 0;
      const send = () => {
        pending += PIPELINED;
        socket.write(Buffer.concat(Array(PIPELINED).fill(bytes)));
      };
      const abort = () => socket.destroy();
      socket.on('connect', send);
      socket.on('data', (chunk) => {
        const responses = chunk.toString('latin1').split('HTTP/1.1 ').length - 1;
        received.responses += responses;
        pending -= responses;
        if (pending < PIPELINED / 2) send();
      });
      socket.on('error', () => undefined);
      socket.once('close', () => {
        signal.removeEventListener('abort', abort);
        setImmediate(open);
      });
      signal.addEventListener('abort', abort);
    };
    open();
  });
}

async function createPurchase(origin: string, authorization: string) {
  const post = async (path: string, body: object) => {
    const response = await fetch(origin + path, { method: 'POST', headers: { authorization }, body: JSON.stringify(body) });
    if (response.status !== 200) throw new Error(await response.text());
    return response.json();
  };
  const { id: cartId } = await post('/carts', { options: oneItem });
  return (await post('/sandbox/checkouts', { cartId })).transactionId;
}

/** Returns a request for every path that anyone can call: `{ name, bytes }`. */
async function anonymousRequests(
  origin: string,
  { apiKey, authorization }: { apiKey: string; authorization: string },
  databaseUrl: string,
) {
  const request = (method: string, path: string, headers = {}, body = '') => {
    const length = method === 'POST' ? { 'content-length': Buffer.byteLength(body) } : {};
    const lines = Object.entries({ host: 'x', ...length, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  };
  const get = (path: string, headers: Record<string, string> = {}) => ({
    name: `GET ${path}`,
    bytes: request('GET', path, headers),
  });
  const post = (path: string, headers: Record<string, string>, body: string) => ({
    name: `POST ${path}`,
    bytes: request('POST', path, headers, body),
  });
  const named = (name: string, { bytes }: { bytes: Buffer }) => ({ name, bytes });

  const pages = [];
  for (const [size, options] of Object.entries({ 'one item': oneItem, '500 items': largestCart })) {
    const paths = await completeCheckouts(origin, authorization, { options });
    for (const [page, path] of Object.entries(paths)) pages.push(named(`${page} page, cart of ${size}`, get(path)));
    pages.push(named(`link of a cart of ${size}`, get(paths.details.split('/').slice(0, 3).join('/'))));
    pages.push(named(`signed agreement, cart of ${size}`, get(await documentPathOf(databaseUrl, paths.completed))));
  }
  const checkoutPage = await (await fetch(origin + (await linkOf(origin, authorization)))).text();
  const [stylesheet] = /\/checkout\/[^"]+\.css/.exec(checkoutPage)!;
  const wrong = `Basic ${Buffer.from(`${apiKey}:wrong`).toString('base64')}`;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const cart = JSON.stringify({ key: apiKey, idempotencyKey: 'the-same-each-time', options: oneItem });
  return [
    ...['/', '/docs', '/docs/guides', '/openapi.json', '/program.schema.json', '/healthz'].map((path) => get(path)),
    ...['/readyz', stylesheet, '/widget/manifest.json', '/widget/v1/financing-button.js', '/widget/0.0.0/unknown.js'].map(
      (path) => get(path),
    ),
    get(`/storefront/programs?key=${apiKey}`, { origin: ORIGIN }),
    named('OPTIONS /storefront/carts', { bytes: request('OPTIONS', '/storefront/carts', { origin: ORIGIN }) }),
    post('/storefront/carts', { origin: ORIGIN }, cart),
    ...['/.well-known/jwks.json', '/.well-known/oauth-authorization-server'].map((path) => get(path)),
    post('/oauth/token', form, 'grant_type=client_credentials&client_id=x&client_secret=y'),
    post('/api/auth/service/authorize', {}, JSON.stringify({ apiKey, secret: 'wrong' })),
    get('/api/application'),
    named('GET /api/application, wrong token', get('/api/application', { authorization: 'Bearer a.b.c' })),
    ...['/transactions/x', '/carts/x', '/sandbox/messages', '/nowhere', '/c/unknown', '/a/unknown'].map((path) => get(path)),
    post('/aslowas', {}, '{}'),
    named('GET /transactions/x, wrong secret', get('/transactions/x', { authorization: wrong })),
    ...pages,
  ];
}

async function linkOf(origin: string, authorization: string) {
  const body = JSON.stringify({ options: oneItem });
  const response = await fetch(`${origin}/carts`, { method: 'POST', headers: { authorization }, body });
  return new URL((await response.json()).url).pathname;
}
