import { asLowAsText, outOfRangeText } from './disclosure.ts';
import { formatMoney } from './money.ts';
import { plansFor } from './plans.ts';
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
  const plans = plansFor(program, amountCents);
  const advertised = new Set(program.tiers.filter((tier) => tier.advertise).map((tier) => tier.id));
  const best = plans.find((plan) => advertised.has(plan.tierId));

  if (!best) {
    const range = aprRange(program.offers.flatMap((offer) => Object.values(offer.tierAprBps)));
    return {
      monthly: 0,
      amount: '',
      termLength: 0,
      termInterval: 'Month',
      apr: range.maxApr,
      ...range,
      asLowAsText: outOfRangeText(program),
    };
  }

  const range = aprRange(plans.map((plan) => plan.aprBps));
  return {
    monthly: best.schedule.levelPaymentCents,
    amount: formatMoney(best.schedule.levelPaymentCents),
    termLength: best.termLength,
    termInterval: 'Month',
    apr: aprFraction(best.aprBps),
    ...range,
    asLowAsText: asLowAsText(program, best, range),
  };
}

/** Basis points as the fraction that stands on the wire: 999 is `0.0999`, with no binary noise behind it. */
export function aprFraction(aprBps: number): number {
  return Number((aprBps / 10_000).toFixed(4));
}

function aprRange(aprBps: readonly number[]): { minApr: number; maxApr: number } {
  return { minApr: aprFraction(Math.min(...aprBps)), maxApr: aprFraction(Math.max(...aprBps)) };
}
