import { type FirstPeriod, REGULAR } from '../apr/monthly.ts';
import type { ProgramFields } from './program.ts';

/**
 * The first period as the annual percentage rate counts it, where the program disregards a small irregularity.
 *
 * @see 12 CFR 1026.17(c)(4): 13 days for a term below a year, 21 below ten years, 32 from there on may be
 *   disregarded.
 */
export function countedFirstPeriod(
  { firstPaymentAfter, firstPeriodPolicy }: ProgramFields['schedule'],
  termLength: number,
): FirstPeriod {
  const { months, days } = firstPaymentAfter;
  const minorDays = termLength < 12 ? 13 : termLength < 120 ? 21 : 32;
  const isMinor = 30 * (months - 1) + days <= minorDays;
  return firstPeriodPolicy === 'minorIrregularity' && isMinor ? REGULAR : firstPaymentAfter;
}
