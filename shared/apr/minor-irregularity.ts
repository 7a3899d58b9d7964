import type { FirstPeriod } from './monthly.ts';

/**
 * Returns true if a first period may be disregarded as a minor irregularity and counted as one month: it may exceed a month by
 * 13 days if the term is less than a year, by 21 days below ten years, and by 32 days from ten years. A month counts as 30
 * days.
 *
 * @param termLength - Number of monthly payments.
 * @see Regulation Z, 12 CFR 1026.17(c)(4).
 */
export function isMinorIrregularity({ months, days }: FirstPeriod, termLength: number): boolean {
  const mostDays = termLength < 12 ? 13 : termLength < 120 ? 21 : 32;
  return 30 * (months - 1) + days <= mostDays;
}
