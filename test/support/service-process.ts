import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { atTheEnd } from './cleanup.ts';
import { until } from './until.ts';

const cli = fileURLToPath(new URL('../../dist/server/cli.js', import.meta.url));

/** The built service in a process of its own, which can be killed and started again. */
export interface ServiceProcess {
  /** Where the process that runs last can be called. */
  url(): string;
  start(): Promise<void>;
  /** Ends it at once, whatever it is doing. Resolves when nothing of it is left. */
  kill(): Promise<void>;
}

/** Not started yet. Needs `buildService` before. */
export function givenServiceProcess(databaseUrl: string, env: Record<string, string> = {}): ServiceProcess {
  let child: ChildProcess | undefined;
  let url = '';

  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
  };
  atTheEnd(kill);

  return {
    url: () => url,
    kill,
    start: async () => {
      const environment = { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, PORT: '0', ...env };
      const started = spawn(process.execPath, [cli, 'serve'], { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
      child = started;
      let said = '';
      started.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
      url = await until(() => {
        if (started.exitCode !== null) throw new Error(`The service ended: ${said}`);
        return /serves (http:\S+)/.exec(said)?.[1];
      }, 20_000);
    },
  };
}
