/**
 * Independent implementation of the annual percentage rate, to verify `monthlyApr`. It shares no code with `shared/` and measures time
 * between dates: it uses `Date` for calendar calculations, counts months by stepping back one at a time, computes present values as
 * integers in units of 2^-128, and finds the rate by the method of false position instead of Newton's method. The result is verified by
 * a change of sign within 2^-52.
 */

/** A loan that is repaid by payments a month apart. */
export interface DatedLoan {
  date: string;
  cents: number;
  payments: readonly { dueOn: string; paymentCents: number }[];
  /** Day of the month on which payments are due, and in shorter months on the last day. */
  dueDay: number;
}

interface Term {
  cents: bigint;
  months: number;
  /** Days before the months. */
  days: bigint;
}

const BITS = 128n;
const ONE = 1n << BITS;

/** Returns the annual percentage rate as a fraction. */
export function oracleApr({ date, cents, payments, dueDay }: DatedLoan): number {
  const paid = payments.map(({ dueOn, paymentCents }) => ({ ...stepsBack(date, dueOn, dueDay), cents: -BigInt(paymentCents) }));
  return 12 * findRoot([{ cents: BigInt(cents), months: 0, days: 0n }, ...paid]);
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
  let passed = 0;
  for (const { cents, months, days } of terms) {
    for (; passed < months; passed++) factor = (factor * discount) >> BITS;
    sum += cents * ((factor * 30n * ONE) / (30n * ONE + days * rate));
  }
  return sum;
}

const monthLengths = new Map<number, number>();

/** Returns the number of days in a month. Cached, because calling Date is the slowest part of stepping back. */
function daysInMonth(year: number, month: number): number {
  const key = 12 * year + month;
  let length = monthLengths.get(key);
  if (length === undefined) monthLengths.set(key, (length = new Date(Date.UTC(year, month, 0)).getUTCDate()));
  return length;
}

/** Steps back from `date` month by month until `start`, and counts the months and the days that are left. */
function stepsBack(start: string, date: string, dueDay: number): Omit<Term, 'cents'> {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number];
  const scheduled = day === daysInMonth(year, month) ? Math.max(day, dueDay) : day;
  /** Returns the days from the start to the date `steps` months back. Date accepts months below 1. */
  const daysTo = (steps: number) =>
    (Date.UTC(year, month - steps - 1, Math.min(scheduled, daysInMonth(year, month - steps))) - Date.parse(start)) / DAY_MS;
  let months = 0;
  while (daysTo(months + 1) >= 0) months++;
  return { months, days: BigInt(daysTo(months)) };
}

const DAY_MS = 86_400_000;
