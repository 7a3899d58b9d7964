import type { FirstPeriod } from '../apr/monthly.ts';
import { formatDate } from '../dates.ts';
import { languages } from '../disclosure/languages.ts';
import { counted, type DisclosureTexts, fill } from '../disclosure/texts.ts';
import { inEachLanguage, type Language } from '../languages.ts';
import { minorUnitDigits } from '../money.ts';
import { countedFirstPeriod } from './first-period.ts';
import type { Fee, Program } from './program.ts';

/** The same in every language. */
export type Localized = Record<Language, string>;

/**
 * What a quote is worked out from: a program as it is for the residents of one state, or, for all to read, while the state of
 * the buyer is not known. It says nothing of credit scores, nor of what the merchant pays the lender. Amounts are in the minor
 * unit of the currency.
 */
export interface RateSheet {
  id: string;
  version: number;
  currency: { code: string; digits: number };
  amount: { minCents: number; maxCents: number };
  downPayment: Program['downPayment'];
  paymentRounding: Program['rounding']['payment'];
  /** The sentence that says when the first payment is due; empty when that is a month after the loan. */
  firstDue: Localized;
  /** The time beyond a month that the first period bears interest for, in months, as a fraction. */
  oddMonths: { above: number; below: number };
  fees: Omit<Fee, 'id'>[];
  /** Ids of the tiers whose rates may stand in an example. */
  advertisedTiers: string[];
  /** In the order of their ids, which decides between equals. */
  offers: RateSheetOffer[];
  /** `advertisedAprBps` bounds what may stand in an example: what is lawful wherever its reader may live. */
  caps: { maxAprBps: number; advertisedAprBps: number; maprCapBps: number | null };
  /** The last sentences of every disclosure: where there are no loans, who makes them, and what a state wants said. */
  closing: Localized;
}

/** What a term costs each tier, in basis points of the note. Null bounds are those of the program. */
export interface RateSheetOffer {
  id: string;
  termLength: number;
  tierAprBps: Record<string, number>;
  minCents: number | null;
  maxCents: number | null;
  /** The first period as the annual percentage rate counts it. */
  firstPeriod: FirstPeriod;
  /** The days of a promotion, and the sentence that names them. */
  promo: { from: string; to: string; text: Localized } | null;
}

/** What a page needs to quote on its own: every program of one merchant, which of them is the default, and what to say. */
export interface ProgramDocument {
  defaultProgramId: string;
  programs: RateSheet[];
  texts: Record<Language, DisclosureTexts>;
}

/** @param state - The buyer's, once it is known. Where the program makes no loans, the sheet has no offers. */
export function rateSheet(program: Program, state?: string): RateSheet {
  const { id, version, currency, amount, downPayment, rounding, schedule, fees, tiers, offers, caps, states } = program;
  const { maxAprBps, maprCapBps, stateAprCapBps } = caps;
  const lawfulBps = Math.min(
    maxAprBps,
    ...Object.entries(stateAprCapBps).flatMap(([of, capBps]) =>
      of === state || (state === undefined && !states.excluded.includes(of)) ? [capBps] : [],
    ),
  );
  return {
    id,
    version,
    currency: { code: currency, digits: minorUnitDigits(currency) },
    amount: { minCents: amount.minCents, maxCents: amount.maxCents },
    downPayment,
    paymentRounding: rounding.payment,
    firstDue: localized((texts) => firstDue(texts, schedule.firstPaymentAfter)),
    oddMonths: oddMonthsOf(schedule),
    fees: fees.map(({ id: _id, ...fee }) => fee),
    advertisedTiers: tiers.filter(({ advertise }) => advertise).map((tier) => tier.id),
    offers:
      state !== undefined && states.excluded.includes(state)
        ? []
        : offers.map((offer) => sheetOffer(offer, schedule)).sort((a, b) => (a.id < b.id ? -1 : 1)),
    caps: { maxAprBps: state === undefined ? maxAprBps : lawfulBps, advertisedAprBps: lawfulBps, maprCapBps },
    closing: localized((texts) => closing(texts, program, state)),
  };
}

function sheetOffer({ promo, ...terms }: Program['offers'][number], schedule: Program['schedule']): RateSheetOffer {
  const tierAprBps = Object.fromEntries(Object.entries(terms.tierAprBps).sort(([a], [b]) => (a < b ? -1 : 1)));
  const offer = { ...terms, tierAprBps, firstPeriod: countedFirstPeriod(schedule, terms.termLength) };
  if (!promo) return { ...offer, promo };
  const { from, to } = promo;
  const text = localized(({ promotion, locale }) =>
    fill(promotion, { from: formatDate(from, locale), to: formatDate(to, locale) }),
  );
  return { ...offer, promo: { from, to, text } };
}

function oddMonthsOf({ firstPaymentAfter, oddDaysInterest }: Program['schedule']): RateSheet['oddMonths'] {
  if (oddDaysInterest === 'none') return { above: 0, below: 1 };
  const { months, days } = firstPaymentAfter;
  const yearDays = Number(oddDaysInterest);
  return { above: (months - 1) * yearDays + 12 * days, below: yearDays };
}

/** Without it, nobody could work the rate of an example out again. */
function firstDue(texts: DisclosureTexts, { months, days }: FirstPeriod): string {
  if (months === 1 && days === 0) return '';
  const after = counted(texts.months, months) + (days > 0 ? texts.and + counted(texts.days, days) : '');
  return fill(texts.firstDue, { after });
}

function closing(
  { locale, language, ...texts }: DisclosureTexts,
  { lender, states }: Program,
  state: string | undefined,
): string {
  const { excluded, notices } = states;
  const stateList = new Intl.ListFormat(locale, { type: 'conjunction' }).format(excluded);
  return [
    ...(excluded.length > 0 ? [fill(texts.states, { states: stateList })] : []),
    fill(texts.lender, { lender: lender.name }),
    ...Object.entries(notices)
      .filter(([of]) => state === undefined || of === state)
      .map(([of, notice]) => fill(texts.notice, { state: of, notice: notice[language] ?? notice.en })),
  ].join(' ');
}

function localized(say: (texts: DisclosureTexts) => string): Localized {
  return inEachLanguage((language) => say(languages[language]));
}
