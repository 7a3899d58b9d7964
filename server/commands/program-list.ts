import { parseArgs } from 'node:util';
import type { Program } from '../../shared/programs/program.ts';
import { getVersion, programsOf, versionsOf } from '../as-low-as/store.ts';
import { versionOn, versionsAfter } from '../as-low-as/versions.ts';
import type { Query } from '../db/database.ts';
import { allMerchants, type MerchantRow, requireMerchant } from '../merchants/store.ts';
import { dateOf } from '../time.ts';
import { type Command, withDatabase } from './command.ts';

/** A program of a merchant, and what is sold of it. */
interface ListedProgram {
  merchantId: string;
  merchantName: string;
  program: string;
  programId: string;
  isDefault: boolean;
  /** The version that is sold today; null when none is. */
  current: { version: number; effective: Program['effective']; offers: number } | null;
  /** Versions that take effect later. */
  waiting: { version: number; from: string }[];
}

export const programList: Command = {
  usage: 'program list [--merchant M] [--json]',
  run: async (args, surroundings) => {
    const { values } = parseArgs({ args, options: { merchant: { type: 'string' }, json: { type: 'boolean' } } });
    const { clock, answer } = surroundings;
    const today = dateOf(clock.now());
    const listed = await withDatabase(surroundings, async ({ query }) => {
      const programs: ListedProgram[] = [];
      for (const merchant of await merchantsCalled(query, values.merchant)) {
        programs.push(...(await programsListed(query, merchant, today)));
      }
      return programs;
    });
    if (values.json) answer(JSON.stringify(listed));
    else for (const line of linesOf(listed)) answer(line);
  },
};

async function merchantsCalled(query: Query, merchantId: string | undefined): Promise<MerchantRow[]> {
  return merchantId === undefined ? allMerchants(query) : [await requireMerchant(query, merchantId)];
}

async function programsListed(query: Query, merchant: MerchantRow, today: string): Promise<ListedProgram[]> {
  const listed: ListedProgram[] = [];
  for (const { id, code } of await programsOf(query, merchant.id)) {
    const versions = await versionsOf(query, id);
    const sold = versionOn(versions, today);
    const program = sold && (await getVersion(query, id, sold.version));
    listed.push({
      merchantId: merchant.id,
      merchantName: merchant.name,
      program: code,
      programId: id,
      isDefault: merchant.default_program_id === id,
      current: program ? { version: program.version, effective: program.effective, offers: program.offers.length } : null,
      waiting: versionsAfter(versions, today).map(({ version, effective_from }) => ({ version, from: effective_from })),
    });
  }
  return listed;
}

/** A merchant's programs below its name, in lines that fit a terminal: ids are long. */
function* linesOf(listed: readonly ListedProgram[]): Generator<string> {
  let above: string | undefined;
  for (const { merchantId, merchantName, program, programId, isDefault, current, waiting } of listed) {
    if (merchantId !== above) yield `${above === undefined ? '' : '\n'}${merchantName}  ${merchantId}`;
    above = merchantId;
    yield `  ${program}${isDefault ? ', the default' : ''}  ${programId}`;
    yield `    ${current ? soldAs(current) : 'not sold today'}`;
    for (const { version, from } of waiting) yield `    version ${version} waits for ${from}`;
  }
}

function soldAs({ version, effective, offers }: NonNullable<ListedProgram['current']>): string {
  return `version ${version}, ${effective.from} to ${effective.to ?? 'no end'}, ${offers} ${offers === 1 ? 'offer' : 'offers'}`;
}
