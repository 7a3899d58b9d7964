import { dispatch } from '../../../server/commands/dispatch.ts';
import { readConfig } from '../../../server/config/config.ts';

/** What a command said, and how it ended. */
export interface Said {
  code: number;
  /** Standard output. */
  answers: string[];
  /** Standard error. */
  remarks: string[];
}

/** A moment on 2026-11-21, when these commands are run. */
export const now = '2026-11-21T09:30:00.000000Z';

/** Runs a command of the operator's in this process. Left out, there is no database to be had. */
export async function fairterm(
  args: string[],
  { databaseUrl, piped = '' }: { databaseUrl?: string; piped?: string | Uint8Array } = {},
): Promise<Said> {
  const said: Said = { code: 0, answers: [], remarks: [] };
  async function* input(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(piped);
  }
  said.code = await dispatch(args, {
    config: () => {
      if (databaseUrl === undefined) throw new Error('The environment was asked for');
      return readConfig({ DATABASE_URL: databaseUrl });
    },
    clock: { now: () => now },
    input,
    answer: (line) => said.answers.push(line),
    remark: (line) => said.remarks.push(line),
  });
  return said;
}
