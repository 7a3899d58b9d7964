import type { CivilDate } from '../dates.ts';
import { calendarDay, isLastOfMonth, type CalendarDay } from './calendar.ts';
import { requireUnitPeriod, type UnitPeriod } from './unit-periods.ts';

/** An amount advanced or paid on a date. */
export interface Flow {
  date: CivilDate;
  /** Safe integer, 1 or more. */
  cents: number;
}

/**
 * The advances and payments of a loan, as needed for its APR. Each list may be in any order.
 *
 * The term begins on the earliest date. If the finance charge accrues from a date after the advance, date the advance on that
 * day: Appendix J, (b)(2).
 */
export interface Loan {
  /** The amount financed, which excludes charges that are part of the finance charge. */
  advances: readonly Flow[];
  /** On their scheduled dates, even if a payment is moved to a business day. */
  payments: readonly Flow[];
  /** Default: the unit-period that Appendix J prescribes for the dates. */
  unitPeriod?: UnitPeriod;
  /**
   * Day of the month, 1 to 31, on which payments are due if a shorter month moves them forward. Default: derived from the
   * dates, which is correct if any payment falls on the due day in a longer month.
   */
  dueDay?: number;
}

interface Dated {
  on: CalendarDay;
}

interface DatedCents extends Dated {
  /** Positive for an advance, negative for a payment. */
  cents: number;
}

/** The net amount advanced or paid on one day. Never 0. */
export interface DayFlow extends DatedCents {
  /** Day of the month that `on` is scheduled for. Greater than `on.day` at the end of a shorter month. */
  scheduledDay: number;
}

/** A loan with validated arguments. */
export interface CheckedLoan {
  /**
   * Sorted by date, one per day. Days on which payments equal advances are omitted. At least two, unless `financeChargeCents`
   * is 0.
   */
  flows: DayFlow[];
  /** Sum of all payments minus sum of all advances, in cents. */
  financeChargeCents: number;
}

/**
 * Validates a loan and nets the advances and payments of each day.
 *
 * @throws RangeError if an amount, a date or a list is invalid, or the payments are less than the advances.
 */
export function checkLoan({ advances, payments, unitPeriod, dueDay }: Loan): CheckedLoan {
  if (unitPeriod) requireUnitPeriod(unitPeriod);
  if (dueDay !== undefined && !(Number.isInteger(dueDay) && dueDay >= 1 && dueDay <= 31)) {
    throw new RangeError(`dueDay: expected a day of the month from 1 to 31, but received ${dueDay}`);
  }
  const days = new Map<number, DatedCents>();
  const advancedCents = addToDays('advances', advances, 1, days);
  const paidCents = addToDays('payments', payments, -1, days);
  if (paidCents < advancedCents) {
    throw new RangeError(`payments: expected at least the ${advancedCents} cents that were advanced, but received ${paidCents}`);
  }

  const ordered = [...days.values()].filter(({ cents }) => cents !== 0).sort((a, b) => a.on.number - b.on.number);
  if (paidCents > advancedCents && ordered.length < 2) {
    throw new RangeError(`payments: expected some after the advance, but received all of them on ${payments[0]!.date}`);
  }
  const latest = latestDay(ordered);
  const scheduledDayOfAdvance = scheduledDays(
    ordered.filter(({ cents }) => cents > 0),
    latest,
  );
  const scheduledDayOfPayment = scheduledDays(
    ordered.filter(({ cents }) => cents < 0),
    latest,
    dueDay,
  );
  const flows = ordered.map((flow) => ({
    ...flow,
    scheduledDay: flow.cents > 0 ? scheduledDayOfAdvance(flow.on) : scheduledDayOfPayment(flow.on),
  }));
  return { flows, financeChargeCents: paidCents - advancedCents };
}

/** Adds the amounts of a list, times `sign`, to the net amount of each day. Returns the sum of the list in cents. */
function addToDays(name: string, list: readonly Flow[], sign: 1 | -1, days: Map<number, DatedCents>): number {
  if (list.length === 0) throw new RangeError(`${name}: expected at least one, but received none`);
  let sum = 0;
  for (const [index, { date, cents }] of list.entries()) {
    requireCents(`${name}[${index}].cents`, cents, 1);
    const on = calendarDay(`${name}[${index}].date`, date);
    const day = days.get(on.number);
    if (day) day.cents += sign * cents;
    else days.set(on.number, { on, cents: sign * cents });
    sum += cents;
  }
  if (!Number.isSafeInteger(sum)) throw new RangeError(`${name}: expected a sum within 2^53 cents, but received ${sum}`);
  return sum;
}

/**
 * Returns a function that maps a date of a series to the day of the month it was scheduled for.
 *
 * Only the last day of a month can be scheduled for a later day. It is, unless another date of the series is the same day of a
 * longer month: February 28 is scheduled for the 31st if the series contains March 31, but for the 28th if it contains March 28.
 * If the series contains neither, the other dates of the loan decide: a loan made on the 31st is due on the 31st.
 *
 * @param latest - Latest day of the month among all dates of the loan.
 * @param stated - The due day, if it is specified.
 */
function scheduledDays(series: readonly Dated[], latest: number, stated?: number): (on: CalendarDay) => number {
  const knownDays = new Set(series.filter(({ on }) => on.day >= 28 && !isLastOfMonth(on)).map(({ on }) => on.day));
  const scheduled = stated ?? (knownDays.size > 0 ? latestDay(series) : latest);
  return (on) => {
    if (!isLastOfMonth(on) || (stated === undefined && knownDays.has(on.day))) return on.day;
    return Math.max(scheduled, on.day);
  };
}

function latestDay(series: readonly Dated[]): number {
  return series.reduce((latest, { on }) => Math.max(latest, on.day), 0);
}

/** @throws RangeError if `cents` is not a safe integer of at least `min`. */
export function requireCents(name: string, cents: number, min: 0 | 1): void {
  if (!Number.isSafeInteger(cents) || cents < min) {
    throw new RangeError(`${name}: expected whole cents, ${min} or more, but received ${cents}`);
  }
}
