import { isMinorIrregularity } from '../apr/minor-irregularity.ts';
import { type FirstPeriod, REGULAR } from '../apr/monthly.ts';
import type { ProgramFields } from './program.ts';

/**
 * Returns the first period as counted in the APR: one month if it is a minor irregularity that the program disregards, and its
 * actual length otherwise.
 */
export function countedFirstPeriod(
  { firstPaymentAfter, firstPeriodPolicy }: ProgramFields['schedule'],
  termLength: number,
): FirstPeriod {
  const isDisregarded = firstPeriodPolicy === 'minorIrregularity' && isMinorIrregularity(firstPaymentAfter, termLength);
  return isDisregarded ? REGULAR : firstPaymentAfter;
}
