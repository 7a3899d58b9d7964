import { parseArgs } from 'node:util';
import type { Program } from '../../shared/programs/program.ts';
import { findProgram, getVersion, versionsOf } from '../as-low-as/store.ts';
import { versionOn } from '../as-low-as/versions.ts';
import type { Query } from '../db/database.ts';
import { dateOf } from '../time.ts';
import { type Command, onlyOne, required, UsageError, withDatabase } from './command.ts';
import { dateOption } from './options.ts';
import { programLines } from './program-text.ts';

export const programShow: Command = {
  usage: 'program show CODE --merchant M [--version V | --on DATE] [--json]',
  run: async (args, surroundings) => {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: {
        merchant: { type: 'string' },
        version: { type: 'string' },
        on: { type: 'string' },
        json: { type: 'boolean' },
      },
    });
    const code = onlyOne('CODE', positionals);
    const merchantId = required('--merchant', values.merchant);
    if (values.version && values.on) throw new UsageError('expected --version or --on, but received both');
    const { clock, answer } = surroundings;
    const on = dateOption('--on', values.on) ?? dateOf(clock.now());

    const program = await withDatabase(surroundings, ({ query }) => shown(query, merchantId, code, values.version, on));
    if (values.json) answer(JSON.stringify(program));
    else for (const line of programLines(program)) answer(line);
  },
};

/** The version that was asked for, or the one that is sold on a day. */
async function shown(query: Query, merchantId: string, code: string, wanted: string | undefined, on: string): Promise<Program> {
  const row = await findProgram(query, merchantId, code);
  if (!row) throw new Error(`expected a program of merchant ${merchantId}, but there is none called "${code}"`);
  const versions = await versionsOf(query, row.id);
  const found = wanted ? versions.find(({ version }) => String(version) === wanted) : versionOn(versions, on);
  if (!found) {
    const there = versions.map(({ version }) => version).sort((a, b) => a - b);
    const what = wanted ? `no version ${wanted}` : `no version that is sold on ${on}`;
    throw new Error(`"${code}" has ${what}; its versions: ${there.join(', ')}`);
  }
  return getVersion(query, row.id, found.version);
}
