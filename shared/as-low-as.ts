import { asLowAsText, outOfRangeText } from './disclosure.ts';
import { formatMoney } from './money.ts';
import { lowestAdvertisedPlan, termsFor } from './plans.ts';
import type { Program } from './programs.ts';
import type { AsLowAs } from './wire/as-low-as.ts';

/**
 * The "as low as" example for an amount: the lowest monthly payment that is really sold, with its disclosure.
 *
 * Only tiers that may be advertised give the example; `minApr` and `maxApr` span every plan sold at this amount.
 * Outside every offer's range there is no example: `monthly` and `termLength` are 0, `amount` is empty, `apr` is the
 * program's highest rate, and the text says for which amounts financing is offered.
 *
 * @param amountCents - Price in cents, a positive safe integer.
 * @see Interface, "asLowAs object". The stated APR is the contract rate: without fees, the exact APR of the cents paid
 *   is within 1/8 of a point of it (server/decisions/0005, 0007).
 */
export function asLowAs(program: Program, amountCents: number): AsLowAs {
  const offering = { lenderName: program.lender.name, ...financeableCents(program) };
  const best = lowestAdvertisedPlan(program, amountCents);

  if (!best) {
    const range = aprRange(program.offers.flatMap((offer) => Object.values(offer.tierAprBps)));
    return {
      monthly: 0,
      amount: '',
      termLength: 0,
      termInterval: 'Month',
      apr: range.maxApr,
      ...range,
      asLowAsText: outOfRangeText(offering),
    };
  }

  const range = aprRange(termsFor(program, amountCents).map((term) => term.aprBps));
  return {
    monthly: best.schedule.levelPaymentCents,
    amount: formatMoney(best.schedule.levelPaymentCents),
    termLength: best.termLength,
    termInterval: 'Month',
    apr: aprFraction(best.aprBps),
    ...range,
    asLowAsText: asLowAsText({ ...offering, ...range }, best),
  };
}

/** Basis points as the fraction that stands on the wire: 999 is `0.0999`, with no binary noise behind it. */
export function aprFraction(aprBps: number): number {
  return Number((aprBps / 10_000).toFixed(4));
}

/** The least and the most that any offer of the program finances. */
export function financeableCents({ amount, offers }: Program): { minCents: number; maxCents: number } {
  return {
    minCents: Math.max(amount.minCents, Math.min(...offers.map(({ minCents }) => minCents ?? 0))),
    maxCents: Math.min(amount.maxCents, Math.max(...offers.map(({ maxCents }) => maxCents ?? amount.maxCents))),
  };
}

function aprRange(aprBps: readonly number[]): { minApr: number; maxApr: number } {
  return { minApr: aprFraction(Math.min(...aprBps)), maxApr: aprFraction(Math.max(...aprBps)) };
}
