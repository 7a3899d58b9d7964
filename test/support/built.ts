import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

/** Brings `dist/` up to date, for examples that start processes of their own: Node 20 runs no TypeScript. */
export const buildService = (): Promise<void> => build('service');

/** The same for what pages load, and for what a shop's own build imports. */
export const buildWidget = (): Promise<void> => build('widget');

async function build(part: 'service' | 'widget'): Promise<void> {
  const script = `import { ensureBuilt } from './server/setup/build.mjs'; await ensureBuilt({ only: '${part}' });`;
  await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { cwd: projectRoot });
}

/** A process of our own that runs `script`, and what it prints, line by line. */
export interface OwnProcess {
  child: ChildProcess;
  /** Whole lines of its standard output so far. */
  lines: string[];
  /** Resolves once it has ended and its output is read, with its exit code; null when a signal ended it. */
  ended: Promise<number | null>;
}

/** @param script - Below the project's folder. */
export function startProcess(script: string, args: string[]): OwnProcess {
  const child = spawn(process.execPath, [script, ...args], { cwd: projectRoot, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let rest = '';
  child.stdout.on('data', (chunk: Buffer) => {
    const parts = (rest + chunk.toString()).split('\n');
    rest = parts.pop()!;
    lines.push(...parts);
  });
  return { child, lines, ended: once(child, 'close').then(([code]) => code as number | null) };
}
