import { amortize, type Schedule } from './amortization.ts';
import type { Program } from './programs.ts';

/** A term that a program sells to one tier, worked out for one amount. */
export interface Plan {
  offerId: string;
  tierId: string;
  termLength: number;
  aprBps: number;
  amountCents: number;
  schedule: Schedule;
}

/**
 * Every plan that `program` sells for `amountCents`, whoever the buyer is; only those of `tierId` when it is given.
 *
 * Sorted from the lowest monthly payment; at the same monthly payment the lower total comes first, then the lower
 * rate, then the shorter term, then the offer's id.
 */
export function plansFor(program: Program, amountCents: number, tierId?: string): Plan[] {
  const plans: Plan[] = [];
  for (const offer of program.offers) {
    const least = offer.minCents ?? program.amount.minCents;
    const most = offer.maxCents ?? program.amount.maxCents;
    if (amountCents < Math.max(least, program.amount.minCents) || amountCents > Math.min(most, program.amount.maxCents)) continue;
    for (const [tier, aprBps] of Object.entries(offer.tierAprBps)) {
      if (tierId !== undefined && tier !== tierId) continue;
      const schedule = amortize(amountCents, aprBps, offer.termLength);
      plans.push({ offerId: offer.id, tierId: tier, termLength: schedule.installments.length, aprBps, amountCents, schedule });
    }
  }
  return plans.sort(byCost);
}

function byCost(a: Plan, b: Plan): number {
  return (
    a.schedule.levelPaymentCents - b.schedule.levelPaymentCents ||
    a.schedule.totalOfPaymentsCents - b.schedule.totalOfPaymentsCents ||
    a.aprBps - b.aprBps ||
    a.termLength - b.termLength ||
    (a.offerId < b.offerId ? -1 : 1)
  );
}
