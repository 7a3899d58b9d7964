import { dayMonthsBack, monthsBack } from './calendar.ts';
import { smallestRate, type PresentValue } from './solve.ts';
import { checkLoan, type DayFlow, type Loan } from './loan.ts';

/** A loan for the European rate. It has no unit-period because time is measured in years. */
export type EuropeanLoan = Omit<Loan, 'unitPeriod'>;

/** An amount in cents, 1 or more, and its time in years from the first drawdown. */
interface YearFlow {
  cents: number;
  years: number;
}

/**
 * Returns the European annual percentage rate of charge (APRC): an effective annual rate, unrounded. It is not comparable with
 * `actuarialApr`, which is nominal and lower: 1 % a month is 12 % there and 12.68 % here.
 *
 * Solves `sum of C / (1 + X)^t = sum of D / (1 + X)^s` for `X`, with t and s in years from the first drawdown C. Charges that
 * belong to the total cost of the credit must be included in the payments D. If several rates solve the equation, returns the
 * smallest.
 *
 * The powers have fractional exponents, so the last of the 16 digits can differ between JavaScript engines.
 *
 * @returns A fraction: `0.1268` is 12.68 %. Exactly 0 if the credit costs nothing. Use `statedPercent(rate, 1)` to format it.
 * @throws RangeError under the same conditions as `actuarialApr`.
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

  return smallestRate(inYears(flows), presentValue);
}

/**
 * Returns each flow with its time in years from the first flow.
 *
 * If all flows are whole weeks apart and not whole months, time is counted in weeks, 52 to a year. Otherwise it is counted in
 * equal months, 12 to a year, back from the flow. Days remaining at the beginning are fractions of the year that ends with
 * them, which has 365 or 366 days.
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

function presentValue(flows: readonly YearFlow[], rate: number): PresentValue {
  let value = 0;
  let fall = 0;
  for (const { cents, years } of flows) {
    const discounted = cents * (1 + rate) ** -years;
    value += discounted;
    fall += (years * discounted) / (1 + rate);
  }
  return { value, fall };
}
