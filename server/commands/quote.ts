import { isInstant } from '../time.ts';
import { aprFraction, asLowAs } from '../../shared/as-low-as.ts';
import { type CivilDate, dateIn } from '../../shared/dates.ts';
import { discloseLoan } from '../../shared/disclosure/disclose-loan.ts';
import { disclosureTexts } from '../../shared/languages/index.ts';
import type { DisclosureTexts } from '../../shared/languages/texts.ts';
import type { LoanDisclosure } from '../../shared/disclosure/loan-disclosure.ts';
import type { Language } from '../../shared/languages/index.ts';
import { CALCULATION_VERSION, isAdvertised, type Plan, plansFor } from '../../shared/plans.ts';
import type { Program } from '../../shared/programs/program.ts';
import { rateSheet } from '../../shared/programs/rate-sheet.ts';
import { excludedStates } from '../../shared/programs/states.ts';
import type { AsLowAs, QuoteBasis } from '../../shared/wire/as-low-as.ts';
import { type DayOrInstant, getSoldProgram, versionOn } from '../programs/programs.ts';
import { standardProgram } from '../programs/standard-program.ts';
import { requireMerchant } from '../merchants/store.ts';
import { parseAmount } from './amount.ts';
import {
  choiceOption,
  type Command,
  type CommandContext,
  commandOn,
  dateOption,
  flag,
  printResult,
  stateOption,
  text,
  UsageError,
  withDatabase,
} from './command.ts';
import { readProgram } from './program-file.ts';
import { quoteLines } from './quote-text.ts';

/** The program of a merchant or of a file. Defaults to the standard program, which requires no database. */
interface Source {
  merchant?: string | undefined;
  program?: string | undefined;
  file?: string | undefined;
}

const quote = commandOn(
  'AMOUNT [--merchant M [--program CODE] | --file FILE] [--tier T] [--term MONTHS]\n' +
    '                 [--state S] [--on DATE] [--language en|es] [--json]',
  'AMOUNT',
  { merchant: text, program: text, file: text, tier: text, term: text, state: text, on: text, language: text, json: flag },
  async (amount, values, context) => {
    if (values.file && values.merchant) throw new UsageError('expected --merchant or --file, but received both');
    if (values.program && !values.merchant) throw new UsageError('expected --merchant with --program');

    const language = choiceOption('--language', values.language, Object.keys(disclosureTexts) as Language[]) ?? 'en';
    const when = dateOption('--on', values.on) ?? context.clock.now();
    const state = stateOption('--state', values.state);
    const termLength = termOption(values.term);
    const program = await programFrom(values, when, context);
    if (!program) return 1;

    const date = dayIn(program, when);
    const amountCents = parseAmount(amount.trim(), program.currency);
    const selection = { tierId: values.tier, termLength };
    const report = quoteReport(program, { amountCents, date, state, texts: disclosureTexts[language], selection });
    printResult(context, values.json, report, quoteLines(report));
    return 0;
  },
);

export const quoteCommands: Record<string, Command> = {
  quote: { ...quote, run: (args, context) => quote.run(args.map(asPositional), context) },
};

/** Adds a space before a negative amount, so that it is not parsed as an option and `parseAmount` rejects it. */
function asPositional(arg: string): string {
  return /^-\W?\d/.test(arg) ? ` ${arg}` : arg;
}

function termOption(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  if (/^[1-9]\d{0,2}$/.test(value)) return Number(value);
  throw new Error(`--term: expected months from 1 to 999, but received "${value}"`);
}

/** Returns the program, or undefined if its file is invalid and the errors were printed. */
async function programFrom(source: Source, when: DayOrInstant, context: CommandContext): Promise<Program | undefined> {
  if (source.file) {
    const { program } = await readProgram(source.file, context);
    if (program && !isSoldOn(program, dayIn(program, when))) {
      context.log(`warning: "${program.id}" is not sold on ${dayIn(program, when)}`);
    }
    return program;
  }
  if (!source.merchant) return standardProgram;
  const { merchant: merchantId, program: code } = source;
  return withDatabase(context, async ({ query }) => {
    return (await getSoldProgram(query, await requireMerchant(query, merchantId), code, when)).program;
  });
}

/** Returns a day in the time zone of the program. */
function dayIn({ timeZone }: Program, when: DayOrInstant): CivilDate {
  return isInstant(when) ? dateIn(when, timeZone) : when;
}

function isSoldOn({ version, status, effective }: Program, date: CivilDate): boolean {
  return versionOn([{ version, status, effectiveFrom: effective.from, effectiveTo: effective.to }], date) !== undefined;
}

interface QuoteOptions {
  amountCents: number;
  date: CivilDate;
  /** State of the buyer, if known. */
  state: string | undefined;
  texts: DisclosureTexts;
  /** The plan to show in detail. Defaults to that of the "as low as" example, or else the one with the lowest monthly payment. */
  selection: { tierId: string | undefined; termLength: number | undefined };
}

/** All plans of a program for an amount, as printed by `quote --json`. Amounts are in the minor unit of `currency`. */
export interface QuoteReport {
  program: string;
  currency: string;
  amountCents: number;
  state: string | null;
  language: Language;
  basis: QuoteBasis;
  asLowAs: AsLowAs;
  /** Sorted by monthly payment. */
  offers: QuotedOffer[];
  /** One plan in detail; null if no plan is offered. */
  plan: LoanDisclosure | null;
}

export interface QuotedOffer {
  offerId: string;
  tierId: string;
  termLength: number;
  monthlyCents: number;
  /** As a fraction: `0.0999`. */
  apr: number;
  financeChargeCents: number;
  totalOfPaymentsCents: number;
  dueTodayCents: number;
}

/** @throws Error - the program makes no loans in the state, or has no plan with the tier and term. */
function quoteReport(program: Program, { amountCents, date, state, texts, selection }: QuoteOptions): QuoteReport {
  if (state !== undefined && excludedStates(program).includes(state)) {
    throw new Error(`--state: "${program.id}" makes no loans to residents of ${state}`);
  }
  const sheet = rateSheet(program, state);
  const plans = plansFor(sheet, amountCents, date);
  const example = plans.find((plan) => isAdvertised(sheet, plan));
  const hasSelection = selection.tierId !== undefined || selection.termLength !== undefined;
  const plan = hasSelection ? selectPlan(plans, selection) : (example ?? plans[0]);

  return {
    program: program.id,
    currency: program.currency,
    amountCents,
    state: state ?? null,
    language: texts.language,
    basis: {
      programVersion: program.version,
      calculationVersion: CALCULATION_VERSION,
      disclosureVersion: texts.version,
      date,
    },
    asLowAs: asLowAs(sheet, amountCents, date, texts),
    offers: plans.map(quotedOffer),
    plan: plan ? discloseLoan(program, plan, { date, state }) : null,
  };
}

function selectPlan(plans: readonly Plan[], { tierId, termLength }: QuoteOptions['selection']): Plan {
  const found = plans.find(
    (plan) => (tierId === undefined || plan.tierId === tierId) && (termLength === undefined || plan.termLength === termLength),
  );
  if (found) return found;
  const available = plans.map((plan) => `${plan.tierId} over ${plan.termLength}`).join(', ');
  throw new Error(`--tier, --term: expected a plan for this amount; available: ${available || 'none'}`);
}

function quotedOffer({ offerId, tierId, termLength, aprBps, financeChargeCents, schedule, financing }: Plan): QuotedOffer {
  return {
    offerId,
    tierId,
    termLength,
    monthlyCents: schedule.levelPaymentCents,
    apr: aprFraction(aprBps),
    financeChargeCents,
    totalOfPaymentsCents: schedule.totalOfPaymentsCents,
    dueTodayCents: financing.dueTodayCents,
  };
}
