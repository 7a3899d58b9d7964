import { Progress } from '../../../../server/base/progress.js';
import { dispatch } from '../../../../server/operations/commands/dispatch.ts';
import { expect } from 'vitest';
import type { Json } from '../../../support/conformance.ts';
import { TEST_DATA_KEYS } from '../../../support/data-keys.ts';
import type { Clock, Instant } from '../../../../server/base/time.ts';

/** The output of a command and its exit code. */
export interface CommandResult {
  code: number;
  /** Lines of standard output. */
  stdout: string[];
  /** Lines of standard error, except the line with the database URL. */
  stderr: string[];
}

/** The time at which commands run. */
export const now: Instant = '2026-11-21T09:30:00.000000Z';

interface CommandOptions {
  /** If omitted, a command that opens the database fails; without `env`, one that reads its environment. */
  databaseUrl?: string;
  /** Additional environment variables. */
  env?: Record<string, string>;
  /** Standard input. */
  piped?: string | Uint8Array;
  clock?: Clock;
  /** Receives what the line of the progress shows on a terminal. */
  progress?: string[];
}

/** Runs a command in this process. */
export async function fairterm(
  args: string[],
  { databaseUrl, env, piped = '', clock = { now: () => now }, progress = [] }: CommandOptions = {},
): Promise<CommandResult> {
  const result: CommandResult = { code: 0, stdout: [], stderr: [] };
  async function* stdin(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(piped);
  }
  result.code = await dispatch(args, {
    get env() {
      if (databaseUrl === undefined && env === undefined) {
        throw new Error('The command read its environment, but the test passed neither a databaseUrl nor variables');
      }
      return { DATABASE_URL: databaseUrl ?? 'none:', DATA_KEYS: TEST_DATA_KEYS, ...env };
    },
    serve: () => Promise.reject(new Error('Expected a command that ends; tests start the service in another process')),
    clock,
    stdin,
    print: (line) => result.stdout.push(line),
    log: (line) => void (line.startsWith('Database: ') || result.stderr.push(line)),
    progress: new Progress({ isTTY: true, columns: 200, write: (text) => progress.push(text.replace('\r\u001b[2K', '')) }),
  });
  return result;
}

/** Runs a command with `--json`, which has to succeed, and returns what it prints. */
export async function fairtermJson(args: string[], options: CommandOptions): Promise<Json> {
  const { code, stdout, stderr } = await fairterm([...args, '--json'], options);
  expect([code, stdout.length, code === 0 ? [] : stderr]).toEqual([0, 1, []]);
  return JSON.parse(stdout[0]!);
}
