/** Load generator of a benchmark, in its own process: sends the requests of each message from its parent and replies with the results. */
import { Pool } from 'undici';
import { median, quantile } from './figures.ts';

/** Requests to send. `paths`, `bodies` and `authorizations` are used in turn; `path` and `body` are the same for every request. */
export interface Load {
  origin: string;
  method?: 'GET' | 'POST';
  path?: string;
  paths?: readonly string[];
  body?: string;
  bodies?: readonly string[] | undefined;
  headers?: Record<string, string>;
  authorizations?: readonly string[];
  connections: number;
  requests: number;
}

export interface LoadResult {
  perSecond: number;
  medianMs: number;
  p99Ms: number;
  /** Responses with another status than 200. */
  rejected: number;
}

process.on('message', (message: Load) => void load(message));

async function load({ origin, method = 'POST', connections, requests, headers = {}, ...rest }: Load) {
  const { path = '/', paths = [path], body = null, bodies = [body], authorizations } = rest;
  const everyHeaders = authorizations?.map((authorization) => ({ ...headers, authorization })) ?? [headers];
  const pool = new Pool(origin, { connections, pipelining: 1 });
  const latenciesMs: number[] = [];
  let started = 0;
  let rejected = 0;
  const callOn = async () => {
    while (started < requests) {
      const index = started++;
      const nextPath = paths[index % paths.length]!;
      const nextBody = bodies[index % bodies.length]!;
      const startedAtMs = performance.now();
      const response = await pool.request({
        method,
        path: nextPath,
        headers: everyHeaders[index % everyHeaders.length]!,
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

  const p99Ms = quantile(latenciesMs, 0.99);
  const result: LoadResult = { perSecond: requests / seconds, medianMs: median(latenciesMs), p99Ms, rejected };
  process.send?.(result);
}
