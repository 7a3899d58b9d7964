import { dayMonthsBack, monthsBack, type CalendarDay } from './calendar.ts';

/**
 * The period in which a rate is compounded: a standard interval of time.
 *
 * A day, a semimonth, 1 to 52 weeks, or 1 to 12 months; 12 months are a year.
 *
 * @see Regulation Z, 12 CFR 1026, Appendix J, (b)(3)(iii).
 */
export interface UnitPeriod {
  unit: 'day' | 'week' | 'semimonth' | 'month';
  /** How many of them make one unit-period: always 1 for days and semimonths. */
  count: number;
}

export const YEAR: UnitPeriod = { unit: 'month', count: 12 };

/** A number that stays exact: `numerator / denominator`, both safe integers, the denominator above 0. */
export interface Ratio {
  numerator: number;
  denominator: number;
}

/** How many of each unit one unit-period may have. */
const MOST: Record<UnitPeriod['unit'], number> = { day: 1, week: 52, semimonth: 1, month: 12 };

/** How many of each unit Appendix J counts in a year, leap years included. */
const PER_YEAR: Record<UnitPeriod['unit'], number> = { day: 365, week: 52, semimonth: 24, month: 12 };

/**
 * Unit-periods in a year: 12 for a month, 26 for two weeks, 365 for a day.
 *
 * @see Regulation Z, Appendix J, (b)(5)(ii) to (v).
 */
export function perYear({ unit, count }: UnitPeriod): Ratio {
  return { numerator: PER_YEAR[unit], denominator: count };
}

/** @throws RangeError - `unitPeriod` is no standard interval of time. */
export function requireUnitPeriod({ unit, count }: UnitPeriod): void {
  const most = Object.hasOwn(MOST, unit) ? MOST[unit] : undefined;
  if (most === undefined) {
    throw new RangeError(`unitPeriod.unit: expected ${Object.keys(MOST).join(', ')}, but received ${unit}`);
  }
  if (!Number.isInteger(count) || count < 1 || count > most) {
    throw new RangeError(`unitPeriod.count: expected 1 to ${most} of a ${unit}, but received ${count}`);
  }
}

/**
 * Unit-periods from `earlier` to `later`: `whole` of them, which compound, and a fraction `odd / divisor` at the front, which
 * does not.
 */
export interface Interval {
  whole: number;
  odd: number;
  divisor: number;
}

/**
 * Measures the time from `earlier` to `later`, full unit-periods back from `later` and odd days forward from `earlier`.
 *
 * All months are equal: where days and months mix, a full month is 30 days. Only the days at the front are counted as they are.
 *
 * @param scheduledDay - Day of the month `later` is scheduled for, see `monthsBack`.
 * @see Regulation Z, Appendix J, (b)(5).
 *
 * @example
 * // The 10th of January to the 1st of March: back to the 1st of February, and 22 days.
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
    return divided(later.number - earlier.number, unit === 'day' ? count : 7 * count);
  }
  const { months, days } = monthsBack(earlier, later, scheduledDay);
  if (unit === 'semimonth') return divided(30 * months + days, 15);
  // Not `divided`: a front of thirty days, as from the 2nd of July to the 1st of August, is no full month.
  if (count === 1) return { whole: months, odd: days, divisor: 30 };
  if (count < 12) return divided(30 * months + days, 30 * count);

  const whole = Math.floor(months / 12);
  if (days === 0) return { whole, odd: months % 12, divisor: 12 };
  // Months that are left make no fraction of their own beside days: all of it is counted in days, as they are.
  return { whole, odd: dayMonthsBack(later, 12 * whole, scheduledDay) - earlier.number, divisor: 365 };
}

function divided(days: number, divisor: number): Interval {
  return { whole: Math.floor(days / divisor), odd: days % divisor, divisor };
}
