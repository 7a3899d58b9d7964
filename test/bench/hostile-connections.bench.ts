/**
 * A merchant while four addresses send requests without valid credentials as fast as nginx (`server/docs/proxy/nginx.conf`) lets them, to
 * every path that anyone can call, on SQLite and PostgreSQL. Each has more connections than its requests can use. The service has no rate
 * limits, so that the limits are those of nginx.
 *
 * Goals for each path, and for all kinds of requests together: the p99 of the event-loop delay of the service is below 50 ms, and that of
 * the merchant's calls below 250 ms.
 *
 * `npm run test:nightly -- proxy`, or
 * `node --import ./test/support/typescript.mjs test/bench/hostile-connections.bench.ts [sqlite | postgres] [part of a path]`
 */
import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Pool } from 'undici';
import { certificate } from '../support/http.ts';
import { startNginx } from '../support/nginx.mjs';
import { startPostgres } from '../support/postgres-server.mjs';
import { completeCheckouts } from './checkouts.ts';
import { quantile, reportFigure } from './figures.ts';
import { type HostileRequest, largestCart } from './hostile-requests.ts';
import { type MeasuredServer, startMeasurement } from './measured.ts';
import { createMerchantIn, documentPathOf, postTo } from './purchases.ts';

const DELAY_GOAL_MS = 50;
const MERCHANT_GOAL_MS = 250;
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
const CONNECTIONS = 20;
/** Time for which requests are sent to one path, after one in which the JIT compiler settles. */
const WARM_UP_MS = 500;
const MEASURED_MS = 2_000;
/** Time between the merchant's calls. */
const PAUSE_MS = 20;

const ORIGIN = 'https://shop.example';
const oneItem = { items: [{ name: 'Chair', sku: 'C-1', price: 75_000, quantity: 1, imageUrl: '', detailUrl: '' }] };

const engines = ['sqlite', 'postgres'].filter((engine) => !process.argv[2] || process.argv[2] === engine);
const ONLY = process.argv[3] ?? '';
process.env['TRUST_PROXY'] = '1';
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
    const all = { name: 'all of them', requests };
    const attacks = [...requests.map((request) => ({ name: request.name, requests: [request] })), all];
    for (const attack of attacks.filter(({ name }) => name.includes(ONLY))) {
      const { delayMs, callMs, responses } = await measureAttack(
        service,
        attack.requests,
        merchant.authorization,
        `/transactions/${transactionId}`,
      );
      const counts = [...responses].map(([status, count]) => `${count} × ${status}`).join(', ');
      console.log(
        `${engine.padEnd(9)} ${delayMs.toFixed(0).padStart(4)} ms delay ${callMs.toFixed(0).padStart(5)} ms call  ${attack.name} (${counts})`,
      );
      if (delayMs > worst.delayMs) Object.assign(worst, { delayMs, delayPath: attack.name });
      if (callMs > worst.callMs) Object.assign(worst, { callMs, callPath: attack.name });
    }
    reportFigure({
      what: `p99 of the event-loop delay in the worst attack, ${engine}`,
      value: worst.delayMs,
      unit: 'ms',
      atMost: DELAY_GOAL_MS,
      details: worst.delayPath,
    });
    reportFigure({
      what: `p99 of a merchant's calls in the worst attack, ${engine}`,
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

/** Sends requests from all addresses, and calls the service as a merchant in the meantime. nginx has no requests of an earlier attack. */
async function measureAttack(service: MeasuredServer, requests: readonly HostileRequest[], authorization: string, path: string) {
  const nginx = await startNginx({ servicePort: Number(new URL(service.origin).port), ...certificate.rsa });
  const proxy = `https://127.0.0.1:${nginx.port}`;
  const end = new AbortController();
  setMaxListeners(0, end.signal);
  const responses = new Map<number, number>();
  const senders = ADDRESSES.map((address) => sendFrom(address, proxy, requests, end.signal, responses));
  await delay(WARM_UP_MS);
  await service.send('usage');
  const pool = new Pool(proxy, { connections: 1, connect: { rejectUnauthorized: false } });
  const callsMs = [];
  for (const endsAtMs = performance.now() + MEASURED_MS; performance.now() < endsAtMs;) {
    const startedAtMs = performance.now();
    const response = await pool.request({ method: 'GET', path, headers: { authorization } });
    await response.body.dump();
    if (response.statusCode !== 200) throw new Error(`The merchant received ${response.statusCode}`);
    callsMs.push(performance.now() - startedAtMs);
    await delay(PAUSE_MS);
  }
  const { eventLoopP99Ms } = await service.send('usage');
  end.abort();
  await Promise.all(senders);
  await pool.close();
  await nginx.stop();
  return { delayMs: eventLoopP99Ms, callMs: quantile(callsMs, 0.99), responses };
}

/** Repeats requests on many connections from one address. Counts their responses by status. */
async function sendFrom(
  localAddress: string,
  proxy: string,
  requests: readonly HostileRequest[],
  signal: AbortSignal,
  responses: Map<number, number>,
) {
  const pool = new Pool(proxy, { localAddress, connections: CONNECTIONS, connect: { rejectUnauthorized: false } });
  const sendOn = async (_connection: unknown, first: number) => {
    for (let index = first; !signal.aborted; index += 1) {
      const { method, path, headers, body } = requests[index % requests.length]!;
      try {
        const response = await pool.request({ method, path, headers, body: String(body ?? ''), signal });
        await response.body.dump();
        responses.set(response.statusCode, (responses.get(response.statusCode) ?? 0) + 1);
      } catch (thrown) {
        if (!signal.aborted) throw thrown;
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, sendOn));
  await pool.destroy();
}

async function createPurchase(origin: string, authorization: string) {
  const post = postTo(origin, authorization);
  const { id: cartId } = await post('/carts', { options: oneItem });
  return (await post('/sandbox/checkouts', { cartId }))['transactionId'];
}

/** Returns a request for every path that anyone can call. */
async function anonymousRequests(
  origin: string,
  { apiKey, authorization }: { apiKey: string; authorization: string },
  databaseUrl: string,
): Promise<HostileRequest[]> {
  const get = (path: string, headers: Record<string, string> = {}): HostileRequest => {
    return { name: `GET ${path}`, method: 'GET', path, headers };
  };
  const post = (path: string, headers: Record<string, string>, body: string): HostileRequest => {
    return { name: `POST ${path}`, method: 'POST', path, headers, body };
  };
  const named = (name: string, request: HostileRequest): HostileRequest => ({ ...request, name });
  const wrong = `Basic ${Buffer.from(`${apiKey}:wrong`).toString('base64')}`;

  const pages = [];
  for (const [size, options] of Object.entries({ 'one item': oneItem, '500 items': largestCart })) {
    const paths = await completeCheckouts(origin, authorization, { options });
    for (const [page, path] of Object.entries(paths)) pages.push(named(`${page} page, cart of ${size}`, get(path)));
    const withCredentials = get(paths.details, { authorization: wrong });
    pages.push(named(`details page, cart of ${size}, with credentials`, withCredentials));
    pages.push(named(`link of a cart of ${size}`, get(paths.details.split('/').slice(0, 3).join('/'))));
    pages.push(named(`signed agreement, cart of ${size}`, get(await documentPathOf(databaseUrl, paths.completed))));
  }
  const { url } = await postTo(origin, authorization)('/carts', { options: oneItem });
  const checkoutPage = await (await fetch(origin + new URL(url!).pathname)).text();
  const [stylesheet] = /\/checkout\/[^"]+\.css/.exec(checkoutPage)!;
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const cart = JSON.stringify({ key: apiKey, idempotencyKey: 'the-same-each-time', options: oneItem });
  return [
    ...['/', '/docs', '/docs/guides', '/openapi.json', '/program.schema.json'].map((path) => get(path)),
    ...[stylesheet, '/widget/manifest.json', '/widget/v1/financing-button.js', '/widget/0.0.0/unknown.js'].map((path) =>
      get(path),
    ),
    get(`/storefront/programs?key=${apiKey}`, { origin: ORIGIN }),
    { ...get('/storefront/carts', { origin: ORIGIN }), name: 'OPTIONS /storefront/carts', method: 'OPTIONS' },
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
