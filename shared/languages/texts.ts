import type { Language } from './index.ts';
import { numberFormat } from '../money.ts';

/** Singular and plural form. `{n}` is replaced by the number. */
export type Counted = [one: string, several: string];

/**
 * The texts of a disclosure in one language, with placeholders named after the values they show.
 *
 * Pages receive them with the merchant's programs, so that every page uses the same text.
 */
export interface DisclosureTexts {
  language: Language;
  /** BCP 47 tag for formatting amounts, rates and dates. */
  locale: string;
  /** Raise with every change of the text. */
  version: number;
  months: Counted;
  days: Counted;
  example: string;
  /** Inserted into `example` if there is a down payment. */
  down: string;
  /** Parts of `{payments}` in `example`, as far as the payments differ. */
  firstPayment: string;
  levelPayments: Counted;
  lastPayment: string;
  /** Joins the last two payments of a list. */
  and: string;
  /** Included if the first payment is not due one month after the loan. */
  firstDue: string;
  /** A fee, in one sentence of two parts. Every fee is financed, and part of the finance charge (decisions/0040). */
  feeLent: string;
  inFinanceCharge: string;
  feeKinds: Record<'origination' | 'application' | 'participation' | 'service', string>;
  noFinanceCharge: string;
  /** The range of rates of all plans for the amount. */
  rates: string;
  /** The range of amounts. */
  limits: string;
  /** The days of a promotion. */
  promotion: string;
  /** The states whose residents are not offered loans. */
  states: string;
  lender: string;
  /** A notice that a state requires in advertisements. */
  notice: string;
  /** Replaces all other texts if there is no example. */
  outOfRange: string;
  /**
   * Used instead of `outOfRange` if no amount can be financed in this state or on this date, or if the amount is in a gap
   * between two offers.
   */
  notOffered: string;
}

/** Replaces the placeholders of a text with values. */
export function fill(text: string, figures: Record<string, string | number>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => `${figures[name]}`);
}

/** Selects the singular or plural form: `counted(months, 24)` returns `24 months`. */
export function counted([one, several]: Counted, count: number): string {
  return (count === 1 ? one : several).replace('{n}', `${count}`);
}

/** Formats an APR: `formatApr(0.0999)` returns `9.99%`. A rate of zero is `0%`. */
export function formatApr(apr: number, locale = 'en-US'): string {
  return numberFormat(locale, { style: 'percent' }, apr === 0 ? 0 : 2).format(apr);
}
