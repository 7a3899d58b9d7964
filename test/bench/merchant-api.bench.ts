/**
 * Processor time per request of the merchant API in the built service (key pair, request id, log line, validation, durable writes),
 * relative to a minimal Koa handler that reads, validates and writes the same bytes (`measured-server.ts`) and encrypts nothing
 * (decisions/0035). Each has its own process; they take turns within one run. The result is the median ratio of all rounds, because
 * processor time also depends on other load.
 *
 * `node --import ./test/support/typescript.mjs test/bench/merchant-api.bench.ts [rounds] [name of a case]`
 */
import { availableParallelism } from 'node:os';
import { reportFigure } from './figures.ts';
import type { Load } from './load.ts';
import { compareInTurns, type MeasuredServer, startMeasurement } from './measured.ts';
import { createPurchases } from './purchases.ts';

const CONNECTIONS = 64;
const REQUESTS = 2_000;
/** Unmeasured turns, enough for the JIT compiler to settle. */
const WARM_UP_TURNS = 6;
/** A shop requests the prices of its products repeatedly. */
const DISTINCT_PRICES = 200;
const ROUNDS = Number(process.argv[2] ?? 9);
const TURNS = WARM_UP_TURNS + ROUNDS;
const ONLY = process.argv[3];

const measurement = await startMeasurement();
const { file, start } = measurement;
try {
  const { authorization, cartOf, purchase, pending } = await createPurchases(file, TURNS * REQUESTS + 1);
  const headers = { authorization, 'content-type': 'application/json' };
  const prices = Array.from({ length: DISTINCT_PRICES }, (_, index) => 25_000 + 1_100 * index);
  const authorize = { type: 'authorize', merchantOrderId: 'A-1001' };
  const cases = [
    { name: 'retrieve', goal: 0.33, method: 'GET' as const, path: () => `/transactions/${purchase}` },
    { name: 'aslowas', goal: 0.3, path: () => '/aslowas', bodies: prices.map((customTotal) => ({ customTotal })) },
    { name: 'carts', goal: 0.3, path: () => '/carts', bodies: prices.map(cartOf) },
    { name: 'authorize', goal: 0.2, path: (index: number) => `/transactions/actions/${pending[index]}`, bodies: [authorize] },
  ].filter(({ name }) => !ONLY || name === ONLY);
  const baseline = await start('baseline');
  const service = await start('service');

  console.log(
    `${CONNECTIONS} connections, ${REQUESTS} requests a turn, ${ROUNDS} rounds, ${availableParallelism()} cores, Node ${process.versions.node}`,
  );
  // The baseline returns the same response as the service, so that both write the same bytes.
  const responses: Record<string, unknown> = {};
  for (const { name, method = 'POST', path, bodies } of cases) {
    const body = bodies && JSON.stringify(bodies[0]);
    const response = await fetch(service.origin + path(TURNS * REQUESTS), { method, headers, ...(body && { body }) });
    responses[name] = await response.json();
  }
  await baseline.send({ responses });

  for (const { name, goal, method = 'POST', path, bodies } of cases) {
    const turn = (server: MeasuredServer, number: number) => {
      const paths = Array.from({ length: REQUESTS }, (_, index) => path(number * REQUESTS + index));
      return cpuUsPerRequest(server, { method, paths, headers, bodies: bodies?.map((body) => JSON.stringify(body)) });
    };
    const { times, details } = await compareInTurns({ baseline, service }, turn, { rounds: ROUNDS, warmUpTurns: WARM_UP_TURNS });
    reportFigure({ what: name, value: 1 / times, unit: 'of the baseline', atLeast: goal, details });
  }
} finally {
  await measurement.close();
}

async function cpuUsPerRequest(
  { cpuUs, origin }: MeasuredServer,
  { paths, ...call }: Pick<Load, 'method' | 'headers' | 'bodies'> & { paths: string[] },
) {
  const beforeUs = await cpuUs();
  await measurement.send({ origin, ...call, paths, connections: CONNECTIONS, requests: paths.length });
  return ((await cpuUs()) - beforeUs) / paths.length;
}
