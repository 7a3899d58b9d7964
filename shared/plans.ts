import { monthlyApr } from './apr/monthly.ts';
import { isAccurate } from './apr/tolerance.ts';
import type { Program, ProgramOffer } from './programs.ts';
import { levelCents, type Schedule, scheduleOf } from './repayment.ts';

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
 * rate, then the shorter term, then the offer's and the tier's id. Not sold are plans whose whole-cent payments miss
 * the stated rate by more than the law allows, as happens now and then below $60 (server/decisions/0005).
 */
export function plansFor(program: Program, amountCents: number, tierId?: string): Plan[] {
  return termsFor(program, amountCents)
    .filter((term) => tierId === undefined || term.tierId === tierId)
    .map((term) => planOf(term, amountCents))
    .filter(isStatedAccurately)
    .sort(byCost);
}

/** Whether the exact APR of the very payments is within 1/8 of a point of the stated one. */
function isStatedAccurately({ amountCents, aprBps, schedule }: Plan): boolean {
  const payments = schedule.installments.map(({ paymentCents }) => paymentCents);
  return isAccurate(aprBps / 10_000, monthlyApr(amountCents, payments), { irregular: false });
}

/** The first of `plansFor` among those of the tiers that may be advertised. Works out no schedule that is not needed. */
export function lowestAdvertisedPlan(program: Program, amountCents: number): Plan | undefined {
  const advertised = new Set(program.tiers.filter(({ advertise }) => advertise).map(({ id }) => id));
  const terms = termsFor(program, amountCents)
    .filter(({ tierId }) => advertised.has(tierId))
    .map((term) => ({ term, monthlyCents: levelCents(amountCents, term.aprBps, term.months) }));
  const lowestCents = Math.min(...terms.map(({ monthlyCents }) => monthlyCents));
  const [lowest] = terms
    .filter(({ monthlyCents }) => monthlyCents === lowestCents)
    .map(({ term }) => planOf(term, amountCents))
    .sort(byCost);
  return lowest;
}

/** The terms that are sold at an amount: every pair of an offer and a tier that it is sold to. */
export function termsFor({ amount, offers }: Program, amountCents: number): Term[] {
  return offers.flatMap((offer) => {
    const { minCents, maxCents } = boundsOf(offer, amount);
    if (amountCents < minCents || amountCents > maxCents) return [];
    const { id, termLength, tierAprBps } = offer;
    return Object.entries(tierAprBps).map(([tierId, aprBps]) => ({ offerId: id, tierId, months: termLength, aprBps }));
  });
}

/** The least and the most that any offer of the program finances, in cents. */
export function financeableCents({ amount, offers }: Program): { minCents: number; maxCents: number } {
  const bounds = offers.map((offer) => boundsOf(offer, amount));
  return {
    minCents: Math.min(...bounds.map(({ minCents }) => minCents)),
    maxCents: Math.max(...bounds.map(({ maxCents }) => maxCents)),
  };
}

/** An offer's own bounds within the program's. */
function boundsOf({ minCents, maxCents }: ProgramOffer, amount: Program['amount']): Program['amount'] {
  return {
    minCents: Math.max(minCents ?? 0, amount.minCents),
    maxCents: Math.min(maxCents ?? Infinity, amount.maxCents),
  };
}

function planOf({ offerId, tierId, months, aprBps }: Term, amountCents: number): Plan {
  const schedule = scheduleOf(amountCents, aprBps, months);
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
