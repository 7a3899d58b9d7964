/** Load generator of a benchmark, in its own process: sends the requests of each message from its parent and replies with the results. */
import { Pool } from 'undici';
import { median } from './figures.ts';

process.on('message', (message) => void load(message));

/** Sends requests. `paths`, `bodies` and `authorizations` are used in turn; `path` and `body` are the same for every request. */
async function load({
  origin,
  method = 'POST',
  path,
  paths = [path],
  body,
  bodies = [body],
  connections,
  requests,
  ...rest
}: any) {
  const { headers, authorizations } = rest;
  const everyHeaders = authorizations?.map((authorization: string) => ({ ...headers, authorization })) ?? [headers];
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const latenciesMs: number[] = [];
  let started = 0;
  let rejected = 0;
  const callOn = async () => {
    while (started < requests) {
      const index = started++;
      const nextPath = paths[index % paths.length];
      const nextBody = bodies[index % bodies.length];
      const startedAtMs = performance.now();
      const response = await pool.request({
        method,
        path: nextPath,
        headers: everyHeaders[index % everyHeaders.length],
        body: nextBody,
      });
      await response.body.dump();
      latenciesMs.push(performance.now() - startedAtMs);
      if (response.statusCode !== 200) rejected += 1;
    }
  };

  const startedAtMs = performance.now();
  await Promise.all(Array.from({ length: connections }, callOn));
  const seconds = (performance.now() - startedAtMs) / 1000;
  await pool.close();

  const p99Ms = latenciesMs.toSorted((a, b) => a - b)[Math.floor(0.99 * latenciesMs.length)];
  process.send?.({ perSecond: requests / seconds, medianMs: median(latenciesMs), p99Ms, rejected });
}
