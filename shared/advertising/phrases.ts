import { english } from './english-phrases.ts';
import { spanish } from './spanish-phrases.ts';

/**
 * What a phrase makes of its figures.
 *
 * `loan` is what is lent, fees that are lent included; `amountFinanced` is the regulation's term. `sum` is how much is paid in
 * all, and `price` that with what is paid on the first day. `bound` and `contingent` are figures of no example: between which
 * amounts there are loans, and what is charged when a payment is late. `deferral` is how
 * long nothing is paid.
 */
export type Role =
  | 'firstPeriod'
  | 'deferral'
  | 'contingent'
  | 'bound'
  | 'fee'
  | 'downPayment'
  | 'financeCharge'
  | 'interest'
  | 'sum'
  | 'price'
  | 'first'
  | 'last'
  | 'payment'
  | 'purchase'
  | 'amountFinanced'
  | 'loan'
  | 'term'
  | 'count';

/**
 * A role and the ways to say it, as patterns of masked text with places for figures.
 *
 * `{money}` is an amount, `{amount}` one that may lack its currency, `{part}` an amount or a percentage; `{count}`, `{months}`,
 * `{years}` and `{days}` are bare numbers. Every repetition in a pattern is bounded, so that no text takes long.
 */
export type Phrases = readonly [role: Role, ...says: string[]][];

export interface Phrase {
  role: Role;
  pattern: RegExp;
}

const PLACES: Record<string, string> = { money: 'M', amount: '[MN]', part: '[MP]' };

/** The phrases of both languages, for an advertisement may mix them. What comes first has the first choice of the figures. */
export const phrases: readonly Phrase[] = inOrder(english, spanish);

function inOrder(...lists: Phrases[]): Phrase[] {
  const all = lists.flat();
  const roles = [...new Set(all.map(([role]) => role))];
  return roles.flatMap((role) =>
    all
      .filter(([of]) => of === role)
      .flatMap(([, ...says]) => says.map((said) => ({ role, pattern: new RegExp(filled(said), 'g') }))),
  );
}

function filled(said: string): string {
  return said.replace(/\{(\w+)\}/g, (_, place: string) => `(?<${place}>${PLACES[place] ?? 'N'}\\d+)`);
}
