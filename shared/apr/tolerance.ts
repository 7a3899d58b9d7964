import { periodsBetween, type Period } from './common-period.ts';
import { checkLoan, requireCents, type Loan } from './loan.ts';

/** How far a stated annual percentage rate may be from the exact one: 1/8 of a percentage point, as a fraction. */
export const REGULAR_TOLERANCE = 0.00125;

/** The same for an irregular loan: 1/4 of a percentage point. */
const IRREGULAR_TOLERANCE = 0.0025;

/** What subtracting two doubles may add: far below what a rate is known to, and nobody's mistake. */
const ROUNDING = 1e-12;

/**
 * Whether a stated annual percentage rate counts as accurate.
 *
 * @param stated    - What the buyer is shown, a fraction: `0.0969`.
 * @param exact     - What `actuarialApr` says.
 * @param irregular - What `isIrregular` says.
 * @see Regulation Z, 12 CFR 1026.22(a)(2) and (3).
 */
export function isAccurate(stated: number, exact: number, { irregular }: { irregular: boolean }): boolean {
  const tolerance = irregular ? IRREGULAR_TOLERANCE : REGULAR_TOLERANCE;
  return Math.abs(stated - exact) <= tolerance + ROUNDING;
}

/**
 * Whether a loan has several advances, irregular payment periods or irregular payment amounts.
 *
 * The regulation's irregular transaction. The first period, the first payment and the last payment may differ from the others
 * without making it one; the last period may not.
 *
 * @throws RangeError - the loan is not what it should be, see `actuarialApr`.
 * @see Regulation Z, 12 CFR 1026.22(a)(3).
 */
export function isIrregular(loan: Loan): boolean {
  const { flows } = checkLoan(loan);
  const payments = flows.filter(({ cents }) => cents < 0);
  if (flows.length - payments.length > 1) return true;

  const between = payments.slice(1, -1);
  return between.some(({ cents }) => cents !== between[0]!.cents) || !areEqual(periodsBetween(payments));
}

/** Equally long as months, as half months or as days are counted: 28 days and 31 are when each is a month. */
function areEqual(periods: readonly Period[]): boolean {
  return (
    periods.every(({ days }) => days === periods[0]!.days) ||
    periods.every(({ months }) => months > 0 && months === periods[0]!.months) ||
    periods.every(({ semimonthly }) => semimonthly)
  );
}

/**
 * Whether a stated finance charge counts as accurate: within $5 of the exact one up to an amount financed of $1,000, within $10
 * above. Not for loans secured by a dwelling. Says nothing of the annual percentage rate, which has its own tolerance.
 *
 * @see Regulation Z, 12 CFR 1026.18(d)(2).
 */
export function isFinanceChargeAccurate(statedCents: number, exactCents: number, amountFinancedCents: number): boolean {
  requireCents('statedCents', statedCents, 0);
  requireCents('exactCents', exactCents, 0);
  requireCents('amountFinancedCents', amountFinancedCents, 1);
  return Math.abs(statedCents - exactCents) <= (amountFinancedCents <= 100_000 ? 500 : 1_000);
}

/**
 * Whether a finance charge is so small that the annual percentage rate need not be stated: $5 up to an amount financed of $75,
 * $7.50 above.
 *
 * @see Regulation Z, 12 CFR 1026.18(e).
 */
export function mayOmitApr(financeChargeCents: number, amountFinancedCents: number): boolean {
  requireCents('financeChargeCents', financeChargeCents, 0);
  requireCents('amountFinancedCents', amountFinancedCents, 1);
  return financeChargeCents <= (amountFinancedCents <= 7_500 ? 500 : 750);
}
