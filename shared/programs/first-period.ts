import { isMinorIrregularity } from '../apr/minor-irregularity.ts';
import { type FirstPeriod, REGULAR } from '../apr/monthly.ts';
import type { ProgramFields } from './program.ts';

/** The first period as the annual percentage rate counts it: a month where it is little longer and the program disregards that. */
export function countedFirstPeriod(
  { firstPaymentAfter, firstPeriodPolicy }: ProgramFields['schedule'],
  termLength: number,
): FirstPeriod {
  const isDisregarded = firstPeriodPolicy === 'minorIrregularity' && isMinorIrregularity(firstPaymentAfter, termLength);
  return isDisregarded ? REGULAR : firstPaymentAfter;
}
