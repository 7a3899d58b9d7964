import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atTheEnd } from './cleanup.ts';
import { until } from './until.ts';

export const cli = fileURLToPath(new URL('../../dist/server/cli.js', import.meta.url));

export interface OwnService {
  child: ChildProcess;
  stderr(): string;
  /** Resolves once it has ended, with its exit code and what was said on standard error. */
  ended: Promise<{ code: number | null; stderr: string }>;
  /** Ends it at once, whatever it is doing. Resolves when nothing of it is left. */
  kill(): Promise<void>;
}

/** One that can be called. */
export interface ReachableService extends OwnService {
  url: string;
}

/** `fairterm serve` in a process of its own. It must have been built. */
export function startService(databaseUrl: string, env: Record<string, string>): OwnService {
  const environment = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, ...env };
  const child = spawn(process.execPath, [cli, 'serve'], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  atTheEnd(() => child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr: said }));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { child, stderr: () => said, ended, kill };
}

/** A service at a free port, once it can be called there. */
export async function startReachable(databaseUrl: string, env: Record<string, string> = {}): Promise<ReachableService> {
  const service = startService(databaseUrl, { PORT: '0', ...env });
  return { ...service, url: await addressOf(service) };
}

/** Where it can be reached, once it can. */
export async function addressOf(service: OwnService): Promise<string> {
  const url = await until(() => {
    if (service.child.exitCode !== null) throw new Error(`The service ended: ${service.stderr()}`);
    return /serves (https?:\S+)/.exec(service.stderr())?.[1];
  }, 20_000);
  return url.replace('localhost', '127.0.0.1');
}
