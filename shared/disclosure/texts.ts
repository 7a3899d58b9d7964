import type { Language } from '../languages.ts';

/** One and several of something; `{n}` is their number. */
export type Counted = [one: string, several: string];

/**
 * What a disclosure says in one language: sentences with places for figures, each named after the field it shows.
 *
 * Pages get them with the merchant's programs, so that a sentence is changed in one place and every page says the same.
 */
export interface DisclosureTexts {
  language: Language;
  /** BCP 47 tag by which amounts, rates and dates are written. */
  locale: string;
  /** Raised with every change of the wording. */
  version: number;
  months: Counted;
  days: Counted;
  example: string;
  /** Stands in `example` when there is a down payment. */
  down: string;
  /** What `payments` in `example` lists, as far as they differ. */
  firstPayment: string;
  levelPayments: Counted;
  lastPayment: string;
  /** Before the last of several payments. */
  and: string;
  /** Said when the first payment is not due a month after the loan. */
  firstDue: string;
  /** A fee, by whether it is lent; then whether it is part of the finance charge. */
  feeLent: string;
  feeToday: string;
  inFinanceCharge: string;
  notInFinanceCharge: string;
  feeKinds: Record<'origination' | 'application' | 'participation' | 'service', string>;
  noFinanceCharge: string;
  rates: string;
  limits: string;
  promotion: string;
  states: string;
  lender: string;
  notice: string;
  /** Said instead of all others where there is no example. */
  outOfRange: string;
  /** The same where no other amount would help: to residents of this state, on this day, or between two offers. */
  notOffered: string;
}

/** Puts figures in their places. */
export function fill(text: string, figures: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => `${figures[name]}`);
}

/** `counted(months, 24)` is `24 months`. */
export function counted([one, several]: Counted, count: number): string {
  return (count === 1 ? one : several).replace('{n}', `${count}`);
}
