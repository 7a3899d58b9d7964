import type { FirstPeriod } from '../apr.ts';
import { type CivilDate, formatDate } from '../dates.ts';
import { disclosureTexts, inEachLanguage, type Language } from '../languages/index.ts';
import { counted, type DisclosureTexts, fill } from '../languages/texts.ts';
import { minorUnitDigits } from '../money.ts';
import { countedFirstPeriod } from './consistency.ts';
import { languagesOf } from './documents.ts';
import type { Fee, Program } from './program.ts';
import { excludedStates, maxAprBpsIn, noticesOf } from './states.ts';

/** A text in every supported language. */
export type Localized = Record<Language, string>;

/**
 * The terms that quotes are computed from: a program for the residents of one state, or, for public use, before the buyer's
 * state is known. Does not contain credit scores or the merchant discount. Amounts are in the minor unit of the currency.
 */
export interface RateSheet {
  id: string;
  version: number;
  /** Languages of the lender's agreement. Pages show the program in no other language. */
  languages: Language[];
  /** IANA time zone of the dates of promotions. */
  timeZone: string;
  currency: { code: string; digits: number };
  amount: { minCents: number; maxCents: number };
  downPayment: Program['downPayment'];
  /** Null if the program does not state them. */
  inquiry: NonNullable<Program['inquiry']> | null;
  paymentRounding: Program['rounding']['payment'];
  /** Sentence stating when the first payment is due. Empty if it is due a month after the loan. */
  firstDue: Localized;
  /** Interest-bearing time of the first period beyond one month, in months, as the fraction `above / below`. */
  oddMonths: { above: number; below: number };
  fees: Omit<Fee, 'id'>[];
  /** Ids of the tiers whose rates may be advertised. */
  advertisedTiers: string[];
  /** Names of these tiers by id. A tier without a name has its id. */
  tierLabels: Record<string, string>;
  /** Sorted by id, so that equal plans have a stable order. */
  offers: RateSheetOffer[];
  /**
   * `advertisedAprBps` limits the rates in advertised examples to those that are lawful in every state the reader may live in.
   */
  caps: { maxAprBps: number; advertisedAprBps: number; maprCapBps: number | null };
  /** The closing sentences of every disclosure: excluded states, lender, and advertised state notices. */
  closing: Localized;
}

/** A term and its note rate for each tier, in basis points. Null limits use those of the program. */
export interface RateSheetOffer {
  id: string;
  termLength: number;
  tierAprBps: Record<string, number>;
  minCents: number | null;
  maxCents: number | null;
  /** First period as counted in the APR. */
  firstPeriod: FirstPeriod;
  /** First and last day of a promotion, and the sentence that states them. */
  promo: { from: CivilDate; to: CivilDate; text: Localized } | null;
}

/** Everything a page needs to compute quotes locally: the merchant's programs, the default program and the disclosure texts. */
export interface ProgramDocument {
  defaultProgramId: string;
  programs: RateSheet[];
  texts: Record<Language, DisclosureTexts>;
}

/**
 * Returns the rate sheet of a program.
 *
 * @param state - The buyer's state, if known. If the program excludes it, the sheet has no offers.
 */
export function rateSheet(program: Program, state?: string): RateSheet {
  const { id, version, timeZone, currency, amount, downPayment, inquiry, rounding, schedule, fees, tiers, offers, caps } =
    program;
  const advertised = tiers.filter(({ advertise }) => advertise);
  const lawfulBps = maxAprBpsIn(program, state);
  return {
    id,
    version,
    languages: languagesOf(program.documents),
    timeZone,
    currency: { code: currency, digits: minorUnitDigits(currency) },
    amount: { minCents: amount.minCents, maxCents: amount.maxCents },
    downPayment,
    inquiry: inquiry ?? null,
    paymentRounding: rounding.payment,
    firstDue: localized((texts) => firstDue(texts, schedule.firstPaymentAfter)),
    oddMonths: oddMonthsOf(schedule),
    fees: fees.map(({ id: _id, ...fee }) => fee),
    advertisedTiers: advertised.map((tier) => tier.id),
    tierLabels: Object.fromEntries(advertised.map((tier) => [tier.id, tier.label ?? tier.id])),
    offers:
      state !== undefined && excludedStates(program).includes(state)
        ? []
        : offers.map((offer) => sheetOffer(offer, schedule)).sort((a, b) => (a.id < b.id ? -1 : 1)),
    // Before the state is known, a plan above the cap of one state can be sold in others, but must not be advertised.
    caps: {
      maxAprBps: state === undefined ? caps.maxAprBps : lawfulBps,
      advertisedAprBps: lawfulBps,
      maprCapBps: caps.maprCapBps,
    },
    closing: localized((texts) => closing(texts, program, state)),
  };
}

function sheetOffer(
  { promo, merchantDiscount: _merchantDiscount, ...terms }: Program['offers'][number],
  schedule: Program['schedule'],
): RateSheetOffer {
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
  // A day is 12 / `yearDays` of a month.
  return { above: (months - 1) * yearDays + 12 * days, below: yearDays };
}

/** Returns the sentence about the first payment. Readers need it to verify the APR of the example. */
function firstDue(texts: DisclosureTexts, { months, days }: FirstPeriod): string {
  if (months === 1 && days === 0) return '';
  const after = counted(texts.months, months) + (days > 0 ? texts.and + counted(texts.days, days) : '');
  return fill(texts.firstDue, { after });
}

function closing({ locale, language, ...texts }: DisclosureTexts, program: Program, state: string | undefined): string {
  const excluded = excludedStates(program);
  const noticeStates = state === undefined ? Object.keys(program.states.notices) : [state];
  const stateList = new Intl.ListFormat(locale, { type: 'conjunction' }).format(excluded);
  return [
    ...(excluded.length > 0 ? [fill(texts.states, { states: stateList })] : []),
    fill(texts.lender, { lender: program.lender.name }),
    ...noticeStates.flatMap((noticeState) =>
      noticesOf(program, noticeState, 'advertisement', language).map((notice) =>
        // In one line. The lookbehind keeps the search linear for long runs of spaces.
        fill(texts.notice, { state: noticeState, notice: notice.replace(/(?<!\s)\s*\n\s*/g, ' ') }),
      ),
    ),
  ].join(' ');
}

function localized(render: (texts: DisclosureTexts) => string): Localized {
  return inEachLanguage((language) => render(disclosureTexts[language]));
}
