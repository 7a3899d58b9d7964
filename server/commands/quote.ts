import { parseArgs } from 'node:util';
import { languages } from '../../shared/disclosure/languages.ts';
import type { Language } from '../../shared/languages.ts';
import type { Program } from '../../shared/programs/program.ts';
import { getSoldProgram } from '../as-low-as/programs.ts';
import { standardProgram } from '../as-low-as/standard-program.ts';
import { versionOn } from '../as-low-as/versions.ts';
import { requireMerchant } from '../merchants/store.ts';
import { dateOf } from '../time.ts';
import { parseAmount } from './amount.ts';
import { type Command, onlyOne, type Surroundings, UsageError, withDatabase } from './command.ts';
import { choiceOption, dateOption, stateOption } from './options.ts';
import { quoteLines } from './quote-text.ts';
import { quoteReport } from './quote-report.ts';
import { readProgram } from './read-program.ts';

const options = {
  merchant: { type: 'string' },
  program: { type: 'string' },
  file: { type: 'string' },
  tier: { type: 'string' },
  term: { type: 'string' },
  state: { type: 'string' },
  on: { type: 'string' },
  language: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Source of the program: a merchant, a file, or by default the built-in program, which needs no database. */
interface Source {
  merchant?: string | undefined;
  program?: string | undefined;
  file?: string | undefined;
}

export const quoteCommands: Record<string, Command> = {
  quote: {
    usage:
      'quote AMOUNT [--merchant M [--program CODE] | --file FILE] [--tier T] [--term MONTHS]\n' +
      '                 [--state S] [--on DATE] [--language en|es] [--json]',
    run: async (args, surroundings) => {
      const { values, positionals } = parseArgs({ args: args.map(asPositional), allowPositionals: true, options });
      const typed = onlyOne(
        'AMOUNT',
        positionals.map((positional) => positional.trim()),
      );
      if (values.file && values.merchant) throw new UsageError('expected --merchant or --file, but received both');
      if (values.program && !values.merchant) throw new UsageError('expected --merchant beside --program');

      const language = choiceOption('--language', values.language, Object.keys(languages) as Language[]) ?? 'en';
      const date = dateOption('--on', values.on) ?? dateOf(surroundings.clock.now());
      const state = stateOption('--state', values.state);
      const termLength = termOption(values.term);
      const program = await programFrom(values, date, surroundings);
      if (!program) return 1;

      const amountCents = parseAmount(typed, program.currency);
      const wanted = { tierId: values.tier, termLength };
      const report = quoteReport(program, { amountCents, date, state, texts: languages[language], wanted });
      if (values.json) surroundings.answer(JSON.stringify(report));
      else for (const line of quoteLines(report)) surroundings.answer(line);
      return 0;
    },
  },
};

/** An amount below 0 looks like an option; with a space before it, it is refused as the amount it is. */
function asPositional(arg: string): string {
  return /^-\W?\d/.test(arg) ? ` ${arg}` : arg;
}

function termOption(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,2}$/.test(value)) return Number(value);
  throw new Error(`--term: expected a number of months, but received "${value}"`);
}

/** Returns the program, or undefined if its file is invalid and the errors were printed. */
async function programFrom(source: Source, date: string, surroundings: Surroundings): Promise<Program | undefined> {
  if (source.file) {
    const { program } = await readProgram(source.file, surroundings);
    if (program && !isSoldOn(program, date)) surroundings.remark(`warning: "${program.id}" is not sold on ${date}`);
    return program;
  }
  if (!source.merchant) return standardProgram;
  const { merchant: merchantId, program: code } = source;
  return withDatabase(surroundings, async ({ query }) => {
    return (await getSoldProgram(query, await requireMerchant(query, merchantId), code, date)).program;
  });
}

function isSoldOn({ version, status, effective }: Program, date: string): boolean {
  return versionOn([{ version, status, effective_from: effective.from, effective_to: effective.to }], date) !== undefined;
}
