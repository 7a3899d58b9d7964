import { dispatch } from '../../../server/commands/dispatch.ts';
import { readConfig } from '../../../server/config/config.ts';
import type { Clock } from '../../../server/time.ts';

/** What a command said, and how it ended. */
export interface Said {
  code: number;
  /** Standard output. */
  answers: string[];
  /** Standard error, without the line that names the database. */
  remarks: string[];
}

/** A moment on 2026-11-21, when these commands are run. */
export const now = '2026-11-21T09:30:00.000000Z';

interface Circumstances {
  /** Left out, there is no database to be had, and no environment. */
  databaseUrl?: string;
  /** What else the environment says. */
  env?: Record<string, string>;
  piped?: string | Uint8Array;
  clock?: Clock;
}

/** Runs a command of the operator's in this process. */
export async function fairterm(
  args: string[],
  { databaseUrl, env = {}, piped = '', clock = { now: () => now } }: Circumstances = {},
): Promise<Said> {
  const said: Said = { code: 0, answers: [], remarks: [] };
  async function* stdin(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(piped);
  }
  said.code = await dispatch(args, {
    config: () => {
      if (databaseUrl === undefined) throw new Error('The environment was asked for');
      return readConfig({ DATABASE_URL: databaseUrl, ...env });
    },
    clock,
    stdin,
    print: (line) => said.answers.push(line),
    log: (line) => void (line.startsWith('Database: ') || said.remarks.push(line)),
  });
  return said;
}
