/**
 * Independent implementation of the annual percentage rate, to verify `actuarialApr`. It shares no code with `shared/`: it uses
 * `Date` for calendar calculations, counts periods by stepping back one at a time, computes present values as integers in units
 * of 2^-128, and finds the rate by the method of false position instead of Newton's method. The result is verified by a change
 * of sign within 2^-52.
 */
import type { Loan } from '../../../shared/apr/loan.ts';
import type { UnitPeriod } from '../../../shared/apr/unit-periods.ts';

interface Term {
  cents: bigint;
  whole: number;
  odd: bigint;
  divisor: bigint;
}

const BITS = 128n;
const ONE = 1n << BITS;

/**
 * Returns the annual percentage rate as a fraction.
 *
 * @param unitPeriod - The unit-period to use, or `term` for a single payment within a year.
 * @param scheduledDay - Scheduled day of the month for payments at the end of a shorter month.
 */
export function oracleApr(loan: Loan, unitPeriod: UnitPeriod | 'term', scheduledDay: number): number {
  const flows = [
    ...loan.advances.map(({ date, cents }) => ({ date, cents })),
    ...loan.payments.map(({ date, cents }) => ({ date, cents: -cents })),
  ].sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  const start = flows[0]!.date;

  if (unitPeriod === 'term') {
    const { months, days } = stepsBack(start, flows[1]!.date, scheduledDay);
    const rate = findRoot(flows.map(({ cents }, whole) => ({ cents: BigInt(cents), whole, odd: 0n, divisor: 1n })));
    return days === 0 ? (rate * 12) / months : (rate * 365) / daysBetween(start, flows[1]!.date);
  }
  const terms = flows.map(({ date, cents }) => ({
    ...interval(start, date, unitPeriod, cents < 0 ? scheduledDay : 1),
    cents: BigInt(cents),
  }));
  const perYear = { day: 365, week: 52, semimonth: 24, month: 12 }[unitPeriod.unit] / unitPeriod.count;
  return findRoot(terms) * perYear;
}

/** Returns the rate per period at which the present value of the terms is 0. */
function findRoot(terms: Term[]): number {
  let [low, atLow] = [0n, presentValue(terms, 0n)];
  let [high, atHigh] = [ONE / 128n, 0n];
  while ((atHigh = presentValue(terms, high)) < 0n) {
    [low, atLow] = [high, atHigh];
    high *= 2n;
  }
  // Illinois variant: if the same end is retained twice in a row, its value is halved.
  let retained: 'low' | 'high' | undefined;
  let last = low;
  for (let step = 0; step < 200; step++) {
    const middle = low + ((high - low) * -atLow) / (atHigh - atLow);
    const moved = middle > last ? middle - last : last - middle;
    if (moved <= (ONE + middle) >> 44n && changesSignAround(terms, middle)) return Number(middle) / 2 ** Number(BITS);
    last = middle;
    const value = presentValue(terms, middle);
    if (value < 0n) {
      [low, atLow] = [middle, value];
      if (retained === 'high') atHigh /= 2n;
      retained = 'high';
    } else {
      [high, atHigh] = [middle, value];
      if (retained === 'low') atLow /= 2n;
      retained = 'low';
    }
  }
  throw new Error('The oracle did not converge');
}

function changesSignAround(terms: Term[], rate: bigint): boolean {
  const near = (ONE + rate) >> 52n;
  return presentValue(terms, rate > near ? rate - near : 0n) <= 0n && presentValue(terms, rate + near) >= 0n;
}

/** Returns the present value of the terms, sorted by time. The value is in 2^-128 cents, the rate in 2^-128. */
function presentValue(terms: Term[], rate: bigint): bigint {
  const discount = (ONE * ONE) / (ONE + rate);
  let sum = 0n;
  let factor = ONE;
  let periods = 0;
  let [odd, divisor, oddFactor] = [0n, 1n, ONE];
  for (const term of terms) {
    for (; periods < term.whole; periods++) factor = (factor * discount) >> BITS;
    if (term.odd !== odd || term.divisor !== divisor) {
      ({ odd, divisor } = term);
      oddFactor = (divisor * ONE * ONE) / (divisor * ONE + odd * rate);
    }
    sum += term.cents * (odd === 0n ? factor : (factor * oddFactor) >> BITS);
  }
  return sum;
}

function interval(start: string, date: string, { unit, count }: UnitPeriod, scheduledDay: number): Omit<Term, 'cents'> {
  const term = (days: number, divisor: number) => {
    let whole = 0;
    for (; days >= divisor; days -= divisor) whole++;
    return { whole, odd: BigInt(days), divisor: BigInt(divisor) };
  };
  if (unit === 'day') return term(daysBetween(start, date), 1);
  if (unit === 'week') return term(daysBetween(start, date), 7 * count);
  const { months, days, daysTo } = stepsBack(start, date, scheduledDay);
  if (unit === 'semimonth') return term(30 * months + days, 15);
  if (count === 1) return { whole: months, odd: BigInt(days), divisor: 30n };
  if (count < 12) return term(30 * months + days, 30 * count);
  const years = Math.trunc(months / 12);
  if (days === 0) return { whole: years, odd: BigInt(months - 12 * years), divisor: 12n };
  return { whole: years, odd: BigInt(daysTo(12 * years)), divisor: 365n };
}

const monthLengths = new Map<number, number>();

/** Returns the number of days in a month. Cached, because calling Date is the slowest part of stepping back. */
function daysInMonth(year: number, month: number): number {
  const key = 12 * year + month;
  let length = monthLengths.get(key);
  if (length === undefined) monthLengths.set(key, (length = new Date(Date.UTC(year, month, 0)).getUTCDate()));
  return length;
}

/** Steps back from `date` month by month until `start`. */
function stepsBack(start: string, date: string, scheduledDay: number) {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const scheduled = day === daysInMonth(year, month) ? Math.max(day, scheduledDay) : day;
  const startMs = Date.parse(start);
  /** Returns the days from the start to the date `steps` months back. Date accepts months below 1. */
  const daysTo = (steps: number) =>
    (Date.UTC(year, month - steps - 1, Math.min(scheduled, daysInMonth(year, month - steps))) - startMs) / DAY_MS;
  let months = 0;
  while (daysTo(months + 1) >= 0) months++;
  return { months, days: daysTo(months), daysTo };
}

function daysBetween(earlier: string, later: string): number {
  return (Date.parse(later) - Date.parse(earlier)) / DAY_MS;
}

const DAY_MS = 86_400_000;
