/** Servers and a load generator of one benchmark, each in its own process, with a database in a temporary folder. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../server/setup/build.mjs';
import { projectRoot } from '../../server/setup/project.mjs';
import { median } from './figures.ts';
import type { Load, LoadResult } from './load.ts';

/** The reply of a server to a message. */
export interface Usage {
  cpuUs: number;
  rss: number;
  heapUsed: number;
  eventLoopP99Ms: number;
}

/** A server in its own process. */
export interface MeasuredServer {
  origin: string;
  /** Sends a message and returns the reply, which contains the processor time used so far. */
  send(message: string | object): Promise<Usage>;
  /** Returns the processor time used so far. */
  cpuUs(): Promise<number>;
  stop(): Promise<void>;
}

/**
 * @returns `folder`; the database `file` in it; `start(kind, database)`, which starts a `measured-server.ts`; `send(load)`, which sends requests
 *   with the load generator; and `close()`.
 */
export async function startMeasurement() {
  await ensureBuilt();
  mkdirSync(join(projectRoot, 'data'), { recursive: true });
  const folder = mkdtempSync(join(projectRoot, 'data', 'bench-'));
  const file = join(folder, 'bench.db');
  const generator = fork(new URL('./load.ts', import.meta.url), { stdio: 'inherit' });
  const servers = new Set<ChildProcess>();

  /** The server writes its log to a file, as in production. */
  const start = async (kind: string, database = file): Promise<MeasuredServer> => {
    const log = openSync(join(folder, `${kind}.log`), 'a');
    const child = fork(new URL('./measured-server.ts', import.meta.url), [kind, database], {
      cwd: projectRoot,
      stdio: ['ignore', log, 'inherit', 'ipc'],
    });
    servers.add(child);
    const [{ origin }] = await once(child, 'message');
    const request = async (message: string | object): Promise<Usage> => {
      child.send(message);
      return (await once(child, 'message'))[0];
    };
    return { origin, send: request, cpuUs: async () => (await request('usage')).cpuUs, stop: () => stop(child) };
  };
  const stop = async (child: ChildProcess) => {
    servers.delete(child);
    child.disconnect();
    await once(child, 'exit');
  };
  /** @throws Error - a request was rejected. */
  const send = async (load: Load): Promise<LoadResult> => {
    generator.send(load);
    const [result]: LoadResult[] = await once(generator, 'message');
    if (result!.rejected > 0) throw new Error(`${result!.rejected} of ${load.requests} requests were rejected`);
    return result!;
  };
  const close = async () => {
    generator.disconnect();
    await Promise.all([...servers].map(stop));
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, file, start, send, close };
}

/**
 * Measures two servers in turns, after `warmUpTurns` for the JIT compiler, because processor time also depends on other load. The one
 * that runs first waits for the other's disk work, so they alternate.
 *
 * @param {(server: MeasuredServer, turn: number) => Promise<number>} cost - Returns the processor time of a request, in microseconds.
 * @returns the median of service / baseline, and a text with its range and both medians
 */
export async function compareInTurns(
  { baseline, service }: Record<'baseline' | 'service', MeasuredServer>,
  cost: (server: MeasuredServer, turn: number) => Promise<number>,
  { rounds, warmUpTurns }: { rounds: number; warmUpTurns: number },
) {
  const measured: { baselineUs: number; serviceUs: number }[] = [];
  for (let turn = 0; turn < warmUpTurns + rounds; turn++) {
    const costUs = new Map<MeasuredServer, number>();
    for (const server of turn % 2 === 0 ? [baseline, service] : [service, baseline]) costUs.set(server, await cost(server, turn));
    if (turn >= warmUpTurns) measured.push({ baselineUs: costUs.get(baseline)!, serviceUs: costUs.get(service)! });
  }
  const times = measured.map(({ baselineUs, serviceUs }) => serviceUs / baselineUs);
  const baselineUs = median(measured.map((round) => round.baselineUs)).toFixed(0);
  const serviceUs = median(measured.map((round) => round.serviceUs)).toFixed(0);
  const range = `${Math.min(...times).toFixed(2)} to ${Math.max(...times).toFixed(2)} times`;
  return { times: median(times), details: `${range}; baseline ${baselineUs} us, service ${serviceUs} us` };
}
