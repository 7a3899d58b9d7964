import { aprFraction, asLowAs } from '../../shared/as-low-as.ts';
import { CALCULATION_VERSION, type Plan, isAdvertised, plansFor } from '../../shared/plans.ts';
import type { CivilDate } from '../../shared/dates.ts';
import { boxOf } from '../../shared/disclosure/box.ts';
import type { DisclosureTexts } from '../../shared/disclosure/texts.ts';
import type { Language } from '../../shared/languages.ts';
import type { TilaBox } from '../../shared/disclosure/tila-box.ts';
import type { Program } from '../../shared/programs/program.ts';
import { rateSheet } from '../../shared/programs/rate-sheet.ts';
import type { AsLowAs, QuoteBasis } from '../../shared/wire/as-low-as.ts';

/** What is asked of a program. */
export interface QuoteQuestion {
  amountCents: number;
  date: CivilDate;
  /** The buyer's, when it is known. */
  state: string | undefined;
  texts: DisclosureTexts;
  /** The plan to show in full; as far as it says nothing, the one of the example, or the lowest monthly payment. */
  wanted: { tierId: string | undefined; termLength: number | undefined };
}

/** All offers of a program for an amount, as `quote --json` prints them. Amounts are in the minor unit of `currency`. */
export interface QuoteReport {
  program: string;
  currency: string;
  amountCents: number;
  state: string | null;
  language: Language;
  basis: QuoteBasis;
  asLowAs: AsLowAs;
  /** Every plan that is sold, the lowest monthly payment first. */
  offers: QuotedOffer[];
  /** One of the plans in full; null without a plan. */
  plan: TilaBox | null;
}

export interface QuotedOffer {
  offerId: string;
  tierId: string;
  termLength: number;
  monthlyCents: number;
  /** A fraction: `0.0999`. */
  apr: number;
  financeChargeCents: number;
  totalOfPaymentsCents: number;
  dueTodayCents: number;
}

/** @throws Error - the program makes no loans in the state, or sells no plan of the tier and the term that are wanted. */
export function quoteReport(program: Program, { amountCents, date, state, texts, wanted }: QuoteQuestion): QuoteReport {
  if (state !== undefined && program.states.excluded.includes(state)) {
    throw new Error(`--state: "${program.id}" makes no loans to residents of ${state}`);
  }
  const sheet = rateSheet(program, state);
  const plans = plansFor(sheet, amountCents, date);
  const example = plans.find((plan) => isAdvertised(sheet, plan));
  const isWanted = wanted.tierId !== undefined || wanted.termLength !== undefined;
  const plan = isWanted ? wantedPlan(plans, wanted) : (example ?? plans[0]);

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
    plan: plan ? boxOf(program, plan, { date, state }) : null,
  };
}

function wantedPlan(plans: readonly Plan[], { tierId, termLength }: QuoteQuestion['wanted']): Plan {
  const found = plans.find(
    (plan) => (tierId === undefined || plan.tierId === tierId) && (termLength === undefined || plan.termLength === termLength),
  );
  if (found) return found;
  const sold = plans.map((plan) => `${plan.tierId} over ${plan.termLength}`).join(', ');
  throw new Error(`--tier, --term: expected a plan that is sold for this amount; sold are: ${sold || 'none'}`);
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
