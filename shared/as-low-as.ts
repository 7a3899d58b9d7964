import { asLowAsText, outOfRangeText } from './disclosure.ts';
import { formatMoney } from './money.ts';
import { financeableCents, lowestAdvertisedPlan, termsFor } from './plans.ts';
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
  const sold = best ? termsFor(program, amountCents).map(({ aprBps }) => aprBps) : allRates(program);
  const range = { minApr: aprFraction(Math.min(...sold)), maxApr: aprFraction(Math.max(...sold)) };
  const monthly = best?.schedule.levelPaymentCents ?? 0;

  return {
    monthly,
    amount: best ? formatMoney(monthly) : '',
    termLength: best?.termLength ?? 0,
    termInterval: 'Month',
    apr: best ? aprFraction(best.aprBps) : range.maxApr,
    ...range,
    asLowAsText: best ? asLowAsText({ ...offering, ...range }, best) : outOfRangeText(offering),
  };
}

function allRates({ offers }: Program): number[] {
  return offers.flatMap(({ tierAprBps }) => Object.values(tierAprBps));
}

/** Basis points as the fraction that stands on the wire: 999 is `0.0999`, with no binary noise behind it. */
export function aprFraction(aprBps: number): number {
  return Number((aprBps / 10_000).toFixed(4));
}
