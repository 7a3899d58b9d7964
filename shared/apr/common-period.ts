import { monthsBack } from './calendar.ts';
import type { DayFlow } from './loan.ts';
import { YEAR, type UnitPeriod } from './unit-periods.ts';

/** The time between two dates of a loan, in each standard interval that divides it exactly. */
interface Period {
  days: number;
  /** Number of full months, or 0 if it is not a whole number of months. */
  months: number;
  /** Half a month, in a schedule with two dates in every month. */
  semimonthly: boolean;
}

/**
 * Returns the unit-period that Appendix J prescribes for a loan with more than one advance or payment.
 *
 * This is the standard interval that occurs most often, or the smaller one in a tie. If no interval occurs twice, it is the
 * standard interval nearest to the average of all periods. A unit-period is never longer than a year.
 *
 * Only standard intervals are counted, because only they can be unit-periods. Payments every ten days therefore use the nearest
 * one, the week.
 *
 * @see Regulation Z, Appendix J, (b)(4)(i).
 */
export function commonPeriod(flows: readonly DayFlow[]): UnitPeriod {
  const [start] = flows;
  const periods = [flows.filter(({ cents }) => cents > 0), flows.filter(({ cents }) => cents < 0)].flatMap((series) =>
    periodsBetween(series[0] === start ? series : [start!, ...series]),
  );

  let best: { unitPeriod: UnitPeriod; times: number } | undefined;
  for (const [unitPeriod, times] of occurrences(periods)) {
    if (times < 2) continue;
    const advantage = best === undefined ? 1 : times - best.times || averageHours(best.unitPeriod) - averageHours(unitPeriod);
    if (advantage > 0) best = { unitPeriod, times };
  }
  return best ? withinYear(best.unitPeriod) : nearestStandard(periods);
}

/** Returns the periods between consecutive dates of a series. */
function periodsBetween(series: readonly DayFlow[]): Period[] {
  const periods = series.slice(1).map((later, index) => {
    const { months, days } = monthsBack(series[index]!.on, later.on, later.scheduledDay);
    return { days: later.on.number - series[index]!.on.number, months: days === 0 ? months : 0, semimonthly: false };
  });
  for (let index = 2; index < series.length; index++) {
    const first = periods[index - 2]!;
    const second = periods[index - 1]!;
    const both = monthsBack(series[index - 2]!.on, series[index]!.on, series[index]!.scheduledDay);
    if (both.months === 1 && both.days === 0 && isHalf(first) && isHalf(second)) first.semimonthly = second.semimonthly = true;
  }
  return periods;
}

/** Two dates that halve a month, such as the 1st and the 15th or the 15th and the last day, are 12 to 18 days apart. */
function isHalf({ days }: Period): boolean {
  return days >= 12 && days <= 18;
}

function occurrences(periods: readonly Period[]): [UnitPeriod, number][] {
  const found = new Map<string, [UnitPeriod, number]>();
  const count = (unitPeriod: UnitPeriod): void => {
    const key = `${unitPeriod.count} ${unitPeriod.unit}`;
    const entry = found.get(key);
    if (entry) entry[1]++;
    else found.set(key, [unitPeriod, 1]);
  };
  for (const { days, months, semimonthly } of periods) {
    if (days === 1) count({ unit: 'day', count: 1 });
    if (days % 7 === 0) count({ unit: 'week', count: days / 7 });
    if (semimonthly) count({ unit: 'semimonth', count: 1 });
    if (months > 0) count({ unit: 'month', count: months });
  }
  return [...found.values()];
}

function withinYear(unitPeriod: UnitPeriod): UnitPeriod {
  return averageHours(unitPeriod) > averageHours(YEAR) ? YEAR : unitPeriod;
}

function nearestStandard(periods: readonly Period[]): UnitPeriod {
  const hours = 24 * periods.reduce((sum, { days }) => sum + days, 0);
  const standards: UnitPeriod[] = [
    { unit: 'day', count: 1 },
    { unit: 'semimonth', count: 1 },
    ...Array.from({ length: 52 }, (_, index): UnitPeriod => ({ unit: 'week', count: index + 1 })),
    ...Array.from({ length: 12 }, (_, index): UnitPeriod => ({ unit: 'month', count: index + 1 })),
  ];
  // Multiplied by the number of periods, so that the comparison uses integers and ties are exact.
  const distance = (unitPeriod: UnitPeriod) => Math.abs(averageHours(unitPeriod) * periods.length - hours);
  // Sorted ascending, and only a strictly nearer interval replaces the current one. Ties therefore select the shorter interval.
  standards.sort((a, b) => averageHours(a) - averageHours(b));
  return standards.reduce((nearest, standard) => (distance(standard) < distance(nearest) ? standard : nearest));
}

/**
 * Average hours per interval, to compare months with weeks: a month is longer than four weeks, and six months are longer than
 * 26 weeks.
 */
function averageHours({ unit, count }: UnitPeriod): number {
  const hours = { day: 24, week: 7 * 24, semimonth: 365, month: 2 * 365 };
  return hours[unit] * count;
}
