import { dayMonthsBack, monthsBack, type CalendarDay } from './calendar.ts';

/**
 * The compounding period of a rate: a standard interval of time.
 *
 * A day, a semimonth, 1 to 52 weeks, or 1 to 12 months. 12 months are a year.
 *
 * @see Regulation Z, 12 CFR 1026, Appendix J, (b)(3)(iii).
 */
export interface UnitPeriod {
  unit: 'day' | 'week' | 'semimonth' | 'month';
  /** Number of units in one unit-period. Always 1 for days and semimonths. */
  count: number;
}

export const YEAR: UnitPeriod = { unit: 'month', count: 12 };

/** An exact fraction, `numerator / denominator`. Both are safe integers; the denominator is positive. */
export interface Ratio {
  numerator: number;
  denominator: number;
}

/** Maximum count of each unit. */
const MAX_COUNT: Record<UnitPeriod['unit'], number> = { day: 1, week: 52, semimonth: 1, month: 12 };

/** Units per year as Appendix J counts them, including in leap years. */
const PER_YEAR: Record<UnitPeriod['unit'], number> = { day: 365, week: 52, semimonth: 24, month: 12 };

/**
 * Returns the number of unit-periods in a year: 12 for a month, 26 for two weeks, 365 for a day.
 *
 * @see Regulation Z, Appendix J, (b)(5)(ii) to (v).
 */
export function perYear({ unit, count }: UnitPeriod): Ratio {
  return { numerator: PER_YEAR[unit], denominator: count };
}

/** @throws RangeError if `unitPeriod` is not a standard interval. */
export function requireUnitPeriod({ unit, count }: UnitPeriod): void {
  const maxCount = Object.hasOwn(MAX_COUNT, unit) ? MAX_COUNT[unit] : undefined;
  if (maxCount === undefined) {
    throw new RangeError(`unitPeriod.unit: expected ${Object.keys(MAX_COUNT).join(', ')}, but received ${unit}`);
  }
  if (!Number.isInteger(count) || count < 1 || count > maxCount) {
    throw new RangeError(`unitPeriod.count: expected 1 to ${maxCount} of a ${unit}, but received ${count}`);
  }
}

/**
 * Unit-periods between two dates: `whole` unit-periods, which compound, and a fraction `odd / divisor` at the beginning, which
 * does not.
 */
export interface Interval {
  whole: number;
  odd: number;
  divisor: number;
}

/**
 * Measures the time from `earlier` to `later`: full unit-periods counted back from `later`, and odd days counted forward from
 * `earlier`.
 *
 * All months are equal: where days and months are combined, a full month has 30 days. Only the days at the beginning are actual
 * days.
 *
 * @param scheduledDay - Day of the month `later` is scheduled for, see `monthsBack`.
 * @see Regulation Z, Appendix J, (b)(5).
 *
 * @example
 * // January 10 to March 1: one month back to February 1, and 22 days.
 * unitPeriodsBetween({ unit: 'month', count: 1 }, january10, march1, 1) // { whole: 1, odd: 22, divisor: 30 }
 * unitPeriodsBetween({ unit: 'month', count: 2 }, january10, march1, 1) // { whole: 0, odd: 52, divisor: 60 }
 */
export function unitPeriodsBetween(
  { unit, count }: UnitPeriod,
  earlier: CalendarDay,
  later: CalendarDay,
  scheduledDay: number,
): Interval {
  if (unit === 'day' || unit === 'week') {
    return divide(later.number - earlier.number, unit === 'day' ? count : 7 * count);
  }
  const { months, days } = monthsBack(earlier, later, scheduledDay);
  if (unit === 'semimonth') return divide(30 * months + days, 15);
  // `divide` would turn 30 odd days, as from July 2 to August 1, into a full month.
  if (count === 1) return { whole: months, odd: days, divisor: 30 };
  if (count < 12) return divide(30 * months + days, 30 * count);

  const whole = Math.floor(months / 12);
  if (days === 0) return { whole, odd: months % 12, divisor: 12 };
  // If any odd days remain, the whole fraction is counted in actual days, not in months.
  return { whole, odd: dayMonthsBack(later, 12 * whole, scheduledDay) - earlier.number, divisor: 365 };
}

function divide(days: number, divisor: number): Interval {
  return { whole: Math.floor(days / divisor), odd: days % divisor, divisor };
}
