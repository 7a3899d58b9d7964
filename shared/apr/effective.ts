import { dayMonthsBack, monthsBack } from './calendar.ts';
import { smallestRate, type Worth } from './solve.ts';
import { checkLoan, type DayFlow, type Loan } from './loan.ts';

/** A loan as the European rate sees it: no unit-period, since time is counted in years. */
export type EuropeanLoan = Omit<Loan, 'unitPeriod'>;

/** An amount in cents, 1 or more, and when it comes. */
interface YearFlow {
  cents: number;
  years: number;
}

/**
 * The European annual percentage rate of charge: an effective yearly rate, unrounded. Not comparable with `actuarialApr`, which
 * is nominal and lower: 1 % a month is 12 % there and 12.68 % here.
 *
 * Solves `sum of C / (1 + X)^t = sum of D / (1 + X)^s` for `X`, with t and s in years from the first drawdown C. The charges that
 * belong to the total cost of the credit are among the payments D. Where several rates solve it, the smallest counts.
 *
 * Years have fractional powers, which engines may round differently: the last of its sixteen digits is not everywhere the same.
 *
 * @returns A fraction: `0.1268` means 12.68 %; `statedPercent(rate, 1)` words it. Exactly 0 when the credit costs nothing.
 * @throws RangeError - as `actuarialApr` does.
 * @see Directive 2008/48/EC, Annex I, part I, and Directive (EU) 2023/2225, Annex III, part I.
 *
 * @example
 * // 1,000 repaid by 1,200 after a year and a half: 12.9 %
 * effectiveAnnualRate({
 *   advances: [{ date: '2026-01-01', cents: 100_000 }],
 *   payments: [{ date: '2027-07-01', cents: 120_000 }],
 * })
 */
export function effectiveAnnualRate(loan: EuropeanLoan): number {
  const { flows, financeChargeCents } = checkLoan(loan);
  if (financeChargeCents === 0) return 0;

  return smallestRate(inYears(flows), worth);
}

/**
 * When each flow comes, in years from the first.
 *
 * In weeks, 52 to a year, when all are whole weeks apart and not whole months. Otherwise in equal months, 12 to a year, counted
 * back from the flow; days left at the front are parts of the year that ends with them, of 365 or 366 days.
 */
function inYears(flows: readonly DayFlow[]): YearFlow[] {
  const start = flows[0]!.on;
  const times = flows.map(({ on, scheduledDay, cents }) => {
    const { months, days } = monthsBack(start, on, scheduledDay);
    const yearDays = dayMonthsBack(on, months, scheduledDay) - dayMonthsBack(on, months + 12, scheduledDay);
    return { cents, elapsed: on.number - start.number, days, years: months / 12 + days / yearDays };
  });
  const areWeeks = times.every(({ elapsed }) => elapsed % 7 === 0) && times.some(({ days }) => days > 0);
  return times.map(({ cents, elapsed, years }) => ({ cents, years: areWeeks ? elapsed / 7 / 52 : years }));
}

function worth(flows: readonly YearFlow[], rate: number): Worth {
  let value = 0;
  let fall = 0;
  for (const { cents, years } of flows) {
    const discounted = cents * (1 + rate) ** -years;
    value += discounted;
    fall += (years * discounted) / (1 + rate);
  }
  return { value, fall };
}
