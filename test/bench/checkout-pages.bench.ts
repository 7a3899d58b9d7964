/**
 * Processor time per page of the hosted checkout in the built service (request id, log line, database reads, plans, rendering), as a
 * multiple of a minimal Koa handler that writes as many bytes (`measured-server.ts`). Each has its own process; they take turns.
 *
 * `node --import ./test/support/typescript.mjs test/bench/checkout-pages.bench.ts [rounds] [name of a page]`
 */
import { availableParallelism } from 'node:os';
import { completeCheckouts } from './checkouts.ts';
import { reportFigure } from './figures.ts';
import { compareInTurns, type MeasuredServer, startMeasurement } from './measured.ts';
import { createPurchases } from './purchases.ts';

const CONNECTIONS = 16;
const REQUESTS = 1_000;
/** Unmeasured turns, enough for the JIT compiler to settle. */
const WARM_UP_TURNS = 3;
const GOAL_TIMES = 60;
const ROUNDS = Number(process.argv[2] ?? 7);
const ONLY = process.argv[3];

const measurement = await startMeasurement();
const { file, start } = measurement;
try {
  const { authorization, cartOf } = await createPurchases(file, 0);
  const baseline = await start('baseline');
  const service = await start('service');
  const paths = await completeCheckouts(service.origin, authorization, cartOf(129_900));
  const cases = Object.entries(paths).filter(([name]) => !ONLY || name === ONLY);

  // The baseline returns the same response as the service, so that both write the same bytes.
  const responses: Record<string, any> = {};
  for (const [name, path] of cases) {
    const response = await fetch(service.origin + path, { redirect: 'error' });
    if (response.status !== 200) throw new Error(`${name} responded with ${response.status}`);
    responses[name] = await response.text();
  }
  await baseline.send({ responses });

  console.log(
    `${CONNECTIONS} connections, ${REQUESTS} requests a turn, ${ROUNDS} rounds, ${availableParallelism()} cores, Node ${process.versions.node}`,
  );
  for (const [name, path] of cases) {
    const cost = (server: MeasuredServer) => cpuUsPerRequest(server, server === baseline ? `/pages/${name}` : path);
    const { times, details } = await compareInTurns({ baseline, service }, cost, { rounds: ROUNDS, warmUpTurns: WARM_UP_TURNS });
    const size = `${(responses[name].length / 1000).toFixed(1)} kB`;
    reportFigure({
      what: name,
      value: times,
      unit: 'times the baseline',
      atMost: GOAL_TIMES,
      details: `${details}; ${size}`,
    });
  }
} finally {
  await measurement.close();
}

async function cpuUsPerRequest({ cpuUs, origin }: MeasuredServer, path: string) {
  const beforeUs = await cpuUs();
  await measurement.send({ origin, method: 'GET', path, connections: CONNECTIONS, requests: REQUESTS });
  return ((await cpuUs()) - beforeUs) / REQUESTS;
}
