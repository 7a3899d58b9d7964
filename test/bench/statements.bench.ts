/**
 * Statements that the built service sends to PostgreSQL for one whole purchase: cart, checkout, authorize, settle, read, including the
 * starts and ends of database transactions. The checkout runs once as the sandbox's test buyer and once with the forms of its pages.
 * The delivery of the callback is counted separately, because concurrent purchases share most of its statements.
 *
 * `node --import ./test/support/typescript.mjs test/bench/statements.bench.ts [--list]`
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { startPostgres } from '../support/postgres-server.mjs';
import { reportFigure } from './figures.ts';
import { dist } from './built.ts';
import { createMerchantIn } from './purchases.ts';
import { completeCheckout } from './checkouts.ts';

/** By how the checkout runs. */
const GOALS = { sandbox: 53, pages: 65 };

interface Sent {
  step: string;
  text: string;
  /** The operations of the service that sent it, the innermost first. */
  issuers: string[];
}

const sent: Sent[] = [];
let step = '';
const send = pg.Client.prototype.query;
pg.Client.prototype.query = function query(this: pg.Client, ...args: [string | { text: string }]) {
  const text = typeof args[0] === 'string' ? args[0] : args[0].text;
  sent.push({ step, text, issuers: issuersIn(new Error().stack ?? '') });
  return Reflect.apply(send, this, args);
} as typeof send;
Error.stackTraceLimit = 100;

const postgres = await startPostgres();
const receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
await once(receiver, 'listening');
try {
  const { readConfig } = await dist('server/base/config/config.js');
  const { serve } = await dist('server/main.js');
  const { authorization } = await createMerchantIn(postgres.url);
  const env = { PORT: '0', DATABASE_URL: postgres.url, DATA_KEYS: process.env['DATA_KEYS'] };
  const service = await serve(readConfig(env), 'dist/widget');
  const call = async (name: string, path: string, body?: object): Promise<Record<string, string>> => {
    step = name;
    const headers = { authorization, 'content-type': 'application/json' };
    const method = body ? 'POST' : 'GET';
    const response = await fetch(service.publicUrl + path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const result = await response.json();
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(result)}`);
    return result;
  };

  const purchase = async (kind: 'sandbox' | 'pages') => {
    const { id: cartId, url } = await call('cart', '/carts', cart());
    const delivered = once(receiver, 'request');
    step = 'checkout';
    const transactionId =
      kind === 'sandbox'
        ? (await call('checkout', '/sandbox/checkouts', { cartId }))['transactionId']
        : await completeCheckout(url!);
    await delivered;
    // The result of the delivery is stored after its response.
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await call('authorize', `/transactions/actions/${transactionId}`, { type: 'authorize', merchantOrderId: 'ORDER-1' });
    await call('settle', `/transactions/actions/${transactionId}`, { type: 'settle' });
    await call('read', `/transactions/${transactionId}`);
  };

  for (const kind of ['sandbox', 'pages'] as const) {
    // The first purchase fills the caches.
    await purchase(kind);
    sent.length = 0;
    await purchase(kind);
    report(kind);
  }
  await service.close();
} finally {
  receiver.close();
  await postgres.stop();
}

function cart() {
  return {
    options: {
      orderRef: 'A-1001',
      completeUrl: 'https://shop.example/thanks',
      callbackUrl: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`,
      items: [{ name: 'Chair', sku: 'CHAIR-1', price: 75_000, quantity: 1, imageUrl: '', detailUrl: '' }],
      shippingOptions: [{ type: 'Ground', typeId: 'ground', cost: 0 }],
    },
  };
}

/** Returns the functions of the service in a stack trace, without those of `db/`. */
function issuersIn(stack: string): string[] {
  const frames = [...stack.matchAll(/at (?:async )?([\w.#<>]+) \(.*\/dist\/server\/(.*?)\.js/g)];
  return frames.filter(([, , file]) => !file!.startsWith('db/')).map(([, name, file]) => `${file} ${name}`);
}

function report(kind: keyof typeof GOALS) {
  const isDelivery = ({ issuers }: Sent) =>
    issuers.some((issuer) => /^messages\/(deliver|claim-store|webhooks\/enqueue)/.test(issuer));
  const ofPurchase = sent.filter((statement) => !isDelivery(statement));
  if (process.argv.includes('--list')) {
    for (const { step: at, text, issuers } of ofPurchase) {
      console.log(`${at.padEnd(10)} ${text.slice(0, 110).padEnd(112)} ${issuers.slice(0, 3).join(' < ')}`);
    }
  }
  const steps = new Set(ofPurchase.map(({ step: at }) => at));
  const counts = Array.from(steps, (name) => `${name} ${ofPurchase.filter(({ step: at }) => at === name).length}`);
  const details = `${counts.join(', ')}, delivery ${sent.length - ofPurchase.length}`;
  reportFigure({ what: `${kind}: statements of a purchase`, value: ofPurchase.length, unit: '', atMost: GOALS[kind], details });
}
