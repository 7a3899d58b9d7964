/** Builds the project and starts its programs in child processes. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onCleanup } from './cleanup.ts';
import { until } from './time.ts';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TEST_DATA_KEYS } from './data-keys.ts';
import { freePort } from './network.mjs';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Builds `dist/` for tests that start processes, because Node 20 does not run TypeScript, and for tests of the built widget. */
export async function buildProject(): Promise<void> {
  await promisify(execFile)(process.execPath, ['server/setup/build.mjs'], { cwd: projectRoot });
}

export interface ScriptProcess {
  child: ChildProcess;
  /** Complete lines of its standard output so far. */
  lines: string[];
  /** Resolves with the exit code when the process has ended and its output is read; with null if a signal ended it. */
  ended: Promise<number | null>;
}

/** @param script - Path in the project's folder. */
export function startProcess(script: string, args: string[]): ScriptProcess {
  const child = spawn(process.execPath, [script, ...args], { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let incompleteLine = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (incompleteLine + chunk.toString()).split('\n');
    incompleteLine = parts.pop()!;
    lines.push(...parts);
  });
  return { child, lines, ended: once(child, 'close').then(([code]) => code as number | null) };
}

export const cli = fileURLToPath(new URL('../../dist/server/cli.js', import.meta.url));

export interface ServiceProcess {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when the process has ended, with its exit code and its standard error. */
  ended: Promise<{ code: number | null; stderr: string }>;
  /** Sends SIGKILL, and resolves when the process has ended. */
  kill(): Promise<void>;
}

/** A service that accepts requests. */
export interface ReachableService extends ServiceProcess {
  url: string;
}

/** Starts `fairterm serve` in a child process. Requires `dist/`. @param args - Another script and its arguments, or more arguments. */
export function startServiceProcess(
  databaseUrl: string,
  env: Record<string, string>,
  args: readonly string[] = [cli, 'serve'],
): ServiceProcess {
  const environment = {
    PATH: process.env['PATH'],
    DATABASE_URL: databaseUrl,
    DATA_KEYS: TEST_DATA_KEYS,
    ...env,
  };
  const child = spawn(process.execPath, args, { cwd: projectRoot, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => (log += chunk.toString()));
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  onCleanup(() => child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, stderr: output }));
  const kill = async () => {
    child.kill('SIGKILL');
    await ended;
  };
  return { child, stdout: () => log, stderr: () => output, ended, kill };
}

/** Starts a service on a free port, and waits until it accepts requests. */
export async function startReachableProcess(
  databaseUrl: string,
  env: Record<string, string> = {},
  args?: readonly string[],
): Promise<ReachableService> {
  const service = startServiceProcess(databaseUrl, { PORT: '0', ...env }, args);
  return { ...service, url: await addressOf(service) };
}

/** Returns the URL of the service when it accepts requests. */
export async function addressOf(service: ServiceProcess): Promise<string> {
  const url = await until(() => {
    if (service.child.exitCode !== null) throw new Error(`The service ended: ${service.stderr()}`);
    return /serves (https?:\S+)/.exec(service.stderr())?.[1];
  }, 50_000);
  return url.replace('localhost', '127.0.0.1');
}

export interface StartedSandbox {
  /** Replaces the default ports of the service and the shop in a text by those of this sandbox. */
  withPorts(text: string): string;
  /** Output of `npm start`. */
  output: string;
  /** Environment for commands and examples: `KEY`, `SECRET`, `MERCHANT`, `CALLBACK_SECRETS`, and the database of the service. */
  environment: Record<string, string>;
  stop(): Promise<void>;
}

/** Runs `npm start` on free ports with an empty database, by default without sample orders. */
export async function npmStart(variables: Record<string, string> = {}): Promise<StartedSandbox> {
  const port = await freePort();
  const demoPort = await freePort();
  const lenderPort = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'fairterm-test-'));
  const environment: Record<string, string> = {
    ...(process.env as Record<string, string>),
    // Overrides the MODE that vitest sets.
    MODE: 'sandbox',
    PORT: String(port),
    DEMO_PORT: String(demoPort),
    DEMO_LENDER_PORT: String(lenderPort),
    DATABASE_URL: `sqlite:${join(folder, 'sandbox.db')}`,
    DEMO_SAMPLES: '0',
    ...variables,
  };
  const npm: ChildProcess = spawn('npm', ['start'], { cwd: projectRoot, env: environment });
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
      text
        .replaceAll('localhost:4000', `localhost:${port}`)
        .replaceAll('localhost:4001', `localhost:${demoPort}`)
        .replaceAll('localhost:4002', `localhost:${lenderPort}`),
    output,
    environment,
    stop: async () => {
      // npm does not wait for the service, which has the same output, and writes files until it ends.
      const ended = once(npm, 'close');
      npm.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
