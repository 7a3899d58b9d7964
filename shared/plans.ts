import { amortize, levelPaymentCents, type Schedule } from './amortization.ts';
import type { Program } from './programs.ts';

/** A term that a program sells to one tier, worked out for one amount. */
export interface Plan {
  offerId: string;
  tierId: string;
  /** Number of payments. */
  termLength: number;
  aprBps: number;
  amountCents: number;
  schedule: Schedule;
}

/** A plan before its schedule is worked out, which is most of the work. */
interface Term {
  offerId: string;
  tierId: string;
  months: number;
  aprBps: number;
}

/**
 * Every plan that `program` sells for `amountCents`, whoever the buyer is; only those of `tierId` when it is given.
 *
 * Sorted from the lowest monthly payment; at the same monthly payment the lower total comes first, then the lower
 * rate, then the shorter term, then the offer's and the tier's id.
 */
export function plansFor(program: Program, amountCents: number, tierId?: string): Plan[] {
  return termsFor(program, amountCents)
    .filter((term) => tierId === undefined || term.tierId === tierId)
    .map((term) => planOf(term, amountCents))
    .sort(byCost);
}

/** The first of `plansFor` among those of the tiers that may be advertised. Works out no schedule that is not needed. */
export function lowestAdvertisedPlan(program: Program, amountCents: number): Plan | undefined {
  const advertised = new Set(program.tiers.filter(({ advertise }) => advertise).map(({ id }) => id));
  const terms = termsFor(program, amountCents)
    .filter(({ tierId }) => advertised.has(tierId))
    .map((term) => ({ term, levelCents: levelPaymentCents(amountCents, term.aprBps, term.months) }));
  const lowestCents = Math.min(...terms.map(({ levelCents }) => levelCents));
  const [lowest] = terms
    .filter(({ levelCents }) => levelCents === lowestCents)
    .map(({ term }) => planOf(term, amountCents))
    .sort(byCost);
  return lowest;
}

/** The terms that are sold at an amount: every pair of an offer and a tier that it is sold to. */
export function termsFor({ amount, offers }: Program, amountCents: number): Term[] {
  return offers.flatMap(({ id, termLength, tierAprBps, minCents, maxCents }) => {
    const least = Math.max(minCents ?? 0, amount.minCents);
    const most = Math.min(maxCents ?? amount.maxCents, amount.maxCents);
    if (amountCents < least || amountCents > most) return [];
    return Object.entries(tierAprBps).map(([tierId, aprBps]) => ({ offerId: id, tierId, months: termLength, aprBps }));
  });
}

function planOf({ offerId, tierId, months, aprBps }: Term, amountCents: number): Plan {
  const schedule = amortize(amountCents, aprBps, months);
  return { offerId, tierId, termLength: schedule.installments.length, aprBps, amountCents, schedule };
}

function byCost(a: Plan, b: Plan): number {
  return (
    a.schedule.levelPaymentCents - b.schedule.levelPaymentCents ||
    a.schedule.totalOfPaymentsCents - b.schedule.totalOfPaymentsCents ||
    a.aprBps - b.aprBps ||
    a.termLength - b.termLength ||
    compare(a.offerId, b.offerId) ||
    compare(a.tierId, b.tierId)
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
