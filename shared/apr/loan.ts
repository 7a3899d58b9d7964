import type { CivilDate } from '../dates.ts';
import { calendarDay, isLastOfMonth, type CalendarDay } from './calendar.ts';
import { requireUnitPeriod, type UnitPeriod } from './unit-periods.ts';

/** Money that changes hands on a day, in cents. Whose it is, its list says. */
export interface Flow {
  date: CivilDate;
  /** A safe integer, 1 or more. */
  cents: number;
}

/**
 * A loan as its yearly rate sees it: what the buyer is given and what the buyer pays, each in any order.
 *
 * The term begins on the earliest date. Where the finance charge is earned from a later day than that of the advance,
 * the advance is dated that day: so does Appendix J, (b)(2).
 */
export interface Loan {
  /** What the buyer has the use of: the amount financed, charges that are part of the finance charge taken off. */
  advances: readonly Flow[];
  /** On the dates they are scheduled for, not on the business day that one of them is moved to. */
  payments: readonly Flow[];
  /** Left out, Appendix J's own choice is made from the dates. */
  unitPeriod?: UnitPeriod;
  /**
   * Day of the month, 1 to 31, that payments are due on where a short month brings them forward. Left out, it is read off their
   * dates, which is right for every series that shows its day in a longer month.
   */
  dueDay?: number;
}

interface Dated {
  on: CalendarDay;
}

interface DatedCents extends Dated {
  /** Given less paid: above 0 for an advance, below 0 for a payment. */
  cents: number;
}

/** What is given and paid on one day, together; never 0. */
export interface DayFlow extends DatedCents {
  /** Day of the month that `on` is meant to fall on; above `on.day` at the end of a short month. */
  scheduledDay: number;
}

/** A loan whose every argument is what it should be. */
export interface CheckedLoan {
  /** In order, one a day, two or more unless `financeChargeCents` is 0. Days on which as much is paid as is given have none. */
  flows: DayFlow[];
  /** All payments less all advances, in cents. */
  financeChargeCents: number;
}

/**
 * Checks a loan and nets what changes hands on the same day.
 *
 * @throws RangeError - an amount, a date or a list is not what it should be, or less is paid than is given.
 */
export function checkLoan({ advances, payments, unitPeriod, dueDay }: Loan): CheckedLoan {
  if (unitPeriod) requireUnitPeriod(unitPeriod);
  if (dueDay !== undefined && !(Number.isInteger(dueDay) && dueDay >= 1 && dueDay <= 31)) {
    throw new RangeError(`dueDay: expected a day of the month from 1 to 31, but received ${dueDay}`);
  }
  const days = new Map<number, DatedCents>();
  const givenCents = gather('advances', advances, 1, days);
  const paidCents = gather('payments', payments, -1, days);
  if (paidCents < givenCents) {
    throw new RangeError(`payments: expected at least the ${givenCents} cents that were advanced, but received ${paidCents}`);
  }

  const ordered = [...days.values()].filter(({ cents }) => cents !== 0).sort((a, b) => a.on.number - b.on.number);
  if (paidCents > givenCents && ordered.length < 2) {
    throw new RangeError(`payments: expected some after the advance, but received all of them on ${payments[0]!.date}`);
  }
  const latest = latestDay(ordered);
  const ofAdvances = scheduledDays(
    ordered.filter(({ cents }) => cents > 0),
    latest,
  );
  const ofPayments = scheduledDays(
    ordered.filter(({ cents }) => cents < 0),
    latest,
    dueDay,
  );
  const flows = ordered.map((flow) => ({ ...flow, scheduledDay: (flow.cents > 0 ? ofAdvances : ofPayments)(flow.on) }));
  return { flows, financeChargeCents: paidCents - givenCents };
}

/** Adds a list to what is already known of each day, `sign` times. Returns its sum in cents. */
function gather(name: string, list: readonly Flow[], sign: 1 | -1, days: Map<number, DatedCents>): number {
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
 * How to tell the day of the month that a date of a series was scheduled for.
 *
 * Only the last day of a month can stand for a later one. It does unless some date of the series falls on the same day of a
 * longer month: the 28th of February stands for the 31st beside a 31st of March, and for itself beside a 28th of March. A series
 * that shows neither is scheduled like the rest of the loan: made on the 31st, it is due again on the 31st.
 *
 * @param latest - The latest day of the month on which anything of the loan falls.
 * @param stated - That day, where it is known.
 */
function scheduledDays(series: readonly Dated[], latest: number, stated?: number): (on: CalendarDay) => number {
  const shown = new Set(series.filter(({ on }) => on.day >= 28 && !isLastOfMonth(on)).map(({ on }) => on.day));
  const scheduled = stated ?? (shown.size > 0 ? latestDay(series) : latest);
  return (on) => {
    if (!isLastOfMonth(on) || (stated === undefined && shown.has(on.day))) return on.day;
    return Math.max(scheduled, on.day);
  };
}

function latestDay(series: readonly Dated[]): number {
  return series.reduce((latest, { on }) => Math.max(latest, on.day), 0);
}

/** @throws RangeError - not a whole number of cents, or outside what can be counted exactly. */
export function requireCents(name: string, cents: number, least: 0 | 1): void {
  if (!Number.isSafeInteger(cents) || cents < least) {
    throw new RangeError(`${name}: expected whole cents, ${least} or more, but received ${cents}`);
  }
}
