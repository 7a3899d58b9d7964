import { monthsBack } from './calendar.ts';
import { commonPeriod } from './common-period.ts';
import type { DayFlow } from './loan.ts';
import { perYear, unitPeriodsBetween, YEAR, type Interval, type Ratio, type UnitPeriod } from './unit-periods.ts';

/** An amount and when it comes, in cents: above 0 for an advance, below 0 for a payment. */
export interface MeasuredFlow extends Interval {
  cents: number;
}

/** A loan in unit-periods from the beginning of its term, as the general equation has it. */
export interface MeasuredLoan {
  /** In order of their dates. */
  flows: MeasuredFlow[];
  unitPeriodsPerYear: Ratio;
}

/**
 * Measures a loan in a unit-period: in the one that is stated, or else in the one prescribed for its dates.
 *
 * @param flows - In order, two or more.
 * @see Regulation Z, Appendix J, (b)(4) and (b)(5).
 */
export function measure(flows: readonly DayFlow[], stated?: UnitPeriod): MeasuredLoan {
  const [start, end] = [flows[0]!, flows.at(-1)!];
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
 * How many terms of a single payment go into a year: such a term is its own unit-period. `undefined` from a year up, where the
 * year is.
 *
 * @see Regulation Z, Appendix J, (b)(4)(ii), (b)(5)(vi) and (vii).
 */
function termsPerYearBetween(start: DayFlow, end: DayFlow): Ratio | undefined {
  const { months, days } = monthsBack(start.on, end.on, end.scheduledDay);
  if (months >= 12) return undefined;
  return days === 0 ? { numerator: 12, denominator: months } : { numerator: 365, denominator: end.on.number - start.on.number };
}
