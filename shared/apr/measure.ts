import { monthsBack } from './calendar.ts';
import { commonPeriod } from './common-period.ts';
import type { DayFlow } from './loan.ts';
import { perYear, unitPeriodsBetween, YEAR, type Interval, type Ratio, type UnitPeriod } from './unit-periods.ts';

/** An amount in cents and its time. Positive for an advance, negative for a payment. */
export interface MeasuredFlow extends Interval {
  cents: number;
}

/** The flows of a loan, timed in unit-periods from the beginning of the term. */
export interface MeasuredLoan {
  /** Sorted by date. */
  flows: MeasuredFlow[];
  unitPeriodsPerYear: Ratio;
}

/**
 * Measures the times of a loan in unit-periods: the stated unit-period, or the one prescribed for its dates.
 *
 * @param flows - At least two, sorted by date.
 * @see Regulation Z, Appendix J, (b)(4) and (b)(5).
 */
export function measure(flows: readonly DayFlow[], stated?: UnitPeriod): MeasuredLoan {
  const start = flows[0]!;
  const end = flows.at(-1)!;
  const isSinglePayment = flows.length === 2;

  const termsPerYear = !stated && isSinglePayment ? termsPerYearBetween(start, end) : undefined;
  if (termsPerYear) {
    const after = (terms: 0 | 1, cents: number): MeasuredFlow => ({ whole: terms, odd: 0, divisor: 1, cents });
    return { flows: [after(0, start.cents), after(1, end.cents)], unitPeriodsPerYear: termsPerYear };
  }

  const unitPeriod = stated ?? (isSinglePayment ? YEAR : commonPeriod(flows));
  return {
    flows: flows.map(({ on, scheduledDay, cents }) => ({ ...unitPeriodsBetween(unitPeriod, start.on, on, scheduledDay), cents })),
    unitPeriodsPerYear: perYear(unitPeriod),
  };
}

/**
 * Returns the number of terms per year of a single-payment loan, whose term is its unit-period. Returns undefined for terms of
 * a year or more, for which the unit-period is a year.
 *
 * @see Regulation Z, Appendix J, (b)(4)(ii), (b)(5)(vi) and (vii).
 */
function termsPerYearBetween(start: DayFlow, end: DayFlow): Ratio | undefined {
  const { months, days } = monthsBack(start.on, end.on, end.scheduledDay);
  if (months >= 12) return undefined;
  return days === 0 ? { numerator: 12, denominator: months } : { numerator: 365, denominator: end.on.number - start.on.number };
}
