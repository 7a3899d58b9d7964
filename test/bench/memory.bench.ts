/**
 * Measures for a long time what mixed load does to the memory of the service and to the write-ahead log of SQLite: a fixed number of visits a
 * second, each with estimates of the button, a cart, a checkout, a delivered callback, an authorization, a settlement and a retrieval; some with
 * all pages of the checkout, a refund, or a page of a list. Prints the heap after a collection each minute.
 *
 * `node --expose-gc --import ./test/support/typescript.mjs test/bench/memory.bench.ts [minutes] [visits a second]`
 */
import { once } from 'node:events';
import { statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { completeCheckout } from './checkouts.ts';
import { median, quantile, reportFigure } from './figures.ts';
import { startMeasurement, type Usage } from './measured.ts';
import { cartOf, createMerchantIn } from './purchases.ts';

const [MINUTES = 30, VISITS_PER_SECOND = 8] = process.argv.slice(2).map(Number);
if (!globalThis.gc) throw new Error('Expected node --expose-gc');

/** Minutes at the end in which the heap must not grow. */
const COMPARED_MINUTES = Math.min(10, Math.floor(MINUTES / 2));

const SAMPLES_PER_MINUTE = 6;

const measurement = await startMeasurement();
const { file } = measurement;
let delivered = 0;
const receiver = createServer((request, response) => {
  delivered += 1;
  request.resume();
  response.end();
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;

try {
  const { authorization } = await createMerchantIn(`sqlite:${file}`);
  const service = await measurement.start('service');
  const latenciesMs: number[] = [];
  const call = async (path: string, body?: object): Promise<Record<string, string>> => {
    const startedAtMs = performance.now();
    const response = await fetch(service.origin + path, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    const received = (await response.json()) as Record<string, string>;
    latenciesMs.push(performance.now() - startedAtMs);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${JSON.stringify(received)}`);
    return received;
  };
  const visit = async (number: number) => {
    const price = 50_000 + (number % 500) * 100;
    for (const customTotal of [price, price + 7, price + 11]) await call('/aslowas', { customTotal });
    const { options } = cartOf(price);
    const { id: cartId, url } = await call('/carts', { options: { ...options, callbackUrl } });
    const transactionId =
      number % 4 === 0 ? await completeCheckout(url!) : (await call('/sandbox/checkouts', { cartId }))['transactionId'];
    const act = (type: string, more = {}) => call(`/transactions/actions/${transactionId}`, { type, ...more });
    await act('authorize', { merchantOrderId: `ORDER-${number}` });
    if (number % 7 === 0) await act('cancel');
    else await act('settle');
    if (number % 5 === 0 && number % 7 !== 0) await act('refund', { amount: 1_000 });
    await call(`/transactions/${transactionId}`);
    if (number % 10 === 0) await call('/transactions?limit=50');
  };

  const samples: (Usage & { logMb: number; minute: number })[] = [];
  const visits = new Set<Promise<void>>();
  const startedAtMs = performance.now();
  const minutes = () => (performance.now() - startedAtMs) / 60_000;
  const failures: unknown[] = [];
  let started = 0;
  console.log('minute   heap MB   resident MB   log MB   visits   p99 ms');
  while (minutes() < MINUTES && failures.length === 0) {
    while (started < minutes() * 60 * VISITS_PER_SECOND) {
      const one: Promise<void> = visit(started++)
        .catch((thrown: unknown) => void failures.push(thrown))
        .finally(() => visits.delete(one));
      visits.add(one);
    }
    if (samples.length < minutes() * SAMPLES_PER_MINUTE) {
      const logMb = statSync(`${file}-wal`).size / 1e6;
      samples.push({ ...(await service.send('usage')), logMb, minute: minutes() });
      if (samples.length % SAMPLES_PER_MINUTE === 0) {
        const { heapMb, rssMb } = typical(samples.slice(-SAMPLES_PER_MINUTE));
        const p99Ms = quantile(latenciesMs.splice(0), 0.99);
        const cells = [minutes().toFixed(0), heapMb.toFixed(2), rssMb.toFixed(1), logMb.toFixed(1), started, p99Ms.toFixed(0)];
        console.log(cells.map((cell) => String(cell).padStart(9)).join(''));
      }
    }
    await delay(5);
  }
  await Promise.all(visits);
  if (failures.length > 0) throw failures[0];

  const ofMinute = (minute: number) => typical(samples.filter((sample) => Math.floor(sample.minute) === minute)).heapMb;
  const [before, after] = [ofMinute(MINUTES - COMPARED_MINUTES - 1), ofMinute(MINUTES - 1)];
  const details = `${before.toFixed(2)} to ${after.toFixed(2)} MB, ${started} visits, ${delivered} callbacks`;
  const what = `growth of the heap in the last ${COMPARED_MINUTES} minutes`;
  reportFigure({ what, value: after - before, unit: 'MB', atMost: 1, details });
  reportFigure({ what: 'write-ahead log', value: Math.max(...samples.map(({ logMb }) => logMb)), unit: 'MB', atMost: 64 });
} finally {
  await measurement.close();
  receiver.close();
}

/** Returns the medians of some samples: a collection also counts what the requests of that moment use. */
function typical(some: readonly Usage[]) {
  return {
    heapMb: median(some.map(({ heapUsed }) => heapUsed / 1e6)),
    rssMb: median(some.map(({ rss }) => rss / 1e6)),
  };
}
