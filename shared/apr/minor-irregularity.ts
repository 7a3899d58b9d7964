import type { FirstPeriod } from './monthly.ts';

/**
 * Whether a first period is so little longer than a month that it may be taken for one: by 13 days when the term is below a year, by
 * 21 below ten years, by 32 from there on. A month counts as 30 days.
 *
 * @param termLength - Number of monthly payments.
 * @see Regulation Z, 12 CFR 1026.17(c)(4).
 */
export function isMinorIrregularity({ months, days }: FirstPeriod, termLength: number): boolean {
  const mostDays = termLength < 12 ? 13 : termLength < 120 ? 21 : 32;
  return 30 * (months - 1) + days <= mostDays;
}
