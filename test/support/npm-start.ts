import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './free-port.mjs';
import { until } from './until.ts';

export interface StartedSandbox {
  /** Replaces the default addresses of the service and the shop in a text by those of this sandbox. */
  withPorts(text: string): string;
  /** What `npm start` has printed. */
  output: string;
  /** Environment for commands and examples: `KEY`, `SECRET`, `MERCHANT`, `CALLBACK_SECRETS`, and the database of the service. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/** Runs `npm start` on free ports with an empty database. */
export async function npmStart(): Promise<StartedSandbox> {
  const [port, demoPort] = [await freePort(), await freePort()];
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
  const environment: Record<string, string> = {
    ...(process.env as Record<string, string>),
    // vitest sets a MODE of its own.
    MODE: 'sandbox',
    PORT: String(port),
    DEMO_PORT: String(demoPort),
    DATABASE_URL: `sqlite:${join(folder, 'sandbox.db')}`,
  };
  const npm: ChildProcess = spawn('npm', ['start'], { cwd: fileURLToPath(new URL('../..', import.meta.url)), env: environment });
  let output = '';
  npm.stdout!.on('data', (chunk) => (output += chunk));
  npm.stderr!.on('data', (chunk) => (output += chunk));
  await until(() => {
    if (npm.exitCode !== null) throw new Error(`npm start ended: ${output}`);
    return /Stop\s+Ctrl-C/.test(output);
  }, 90_000);
  const printed = (label: string) => new RegExp(`${label}\\s+(\\S+)`).exec(output)![1]!;
  Object.assign(environment, {
    KEY: printed('API key'),
    SECRET: printed('Secret'),
    MERCHANT: printed('Merchant ID'),
    CALLBACK_SECRETS: printed('Callback secret'),
  });
  return {
    withPorts: (text) =>
      text.replaceAll('localhost:4000', `localhost:${port}`).replaceAll('localhost:4001', `localhost:${demoPort}`),
    output,
    environment,
    stop: async () => {
      npm.kill('SIGTERM');
      await until(() => npm.exitCode !== null || npm.signalCode !== null);
      const responds = () =>
        fetch(`http://localhost:${port}/healthz`).then(
          () => true,
          () => false,
        );
      // npm does not wait for the service.
      await until(async () => !(await responds()), 20_000);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
