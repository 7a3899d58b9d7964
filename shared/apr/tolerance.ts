import { periodsBetween, type Period } from './common-period.ts';
import { checkLoan, requireCents, type Loan } from './loan.ts';

/** Tolerance for a stated annual percentage rate: 1/8 of a percentage point, as a fraction. */
export const REGULAR_TOLERANCE = 0.00125;

/** Tolerance for an irregular transaction: 1/4 of a percentage point. */
const IRREGULAR_TOLERANCE = 0.0025;

/** Allowance for floating-point errors, far below the precision of any rate. */
const ROUNDING = 1e-12;

/**
 * Returns true if a stated annual percentage rate is within the legal tolerance.
 *
 * @param stated - Rate shown to the buyer, as a fraction: `0.0969`.
 * @param exact - Result of `actuarialApr`.
 * @param irregular - Result of `isIrregular`.
 * @see Regulation Z, 12 CFR 1026.22(a)(2) and (3).
 */
export function isAccurate(stated: number, exact: number, { irregular }: { irregular: boolean }): boolean {
  const tolerance = irregular ? IRREGULAR_TOLERANCE : REGULAR_TOLERANCE;
  return Math.abs(stated - exact) <= tolerance + ROUNDING;
}

/**
 * Returns true if a loan is an irregular transaction: it has several advances, irregular payment periods or irregular payment
 * amounts.
 *
 * An irregular first period, first payment or last payment does not make a transaction irregular; an irregular last period
 * does.
 *
 * @throws RangeError if the loan is invalid, see `actuarialApr`.
 * @see Regulation Z, 12 CFR 1026.22(a)(3).
 */
export function isIrregular(loan: Loan): boolean {
  const { flows } = checkLoan(loan);
  const payments = flows.filter(({ cents }) => cents < 0);
  if (flows.length - payments.length > 1) return true;

  const between = payments.slice(1, -1);
  return between.some(({ cents }) => cents !== between[0]!.cents) || !areEqual(periodsBetween(payments));
}

/**
 * Returns true if all periods are equal in days, in months or in half months. A period of 28 days equals one of 31 days if each
 * is a month.
 */
function areEqual(periods: readonly Period[]): boolean {
  return (
    periods.every(({ days }) => days === periods[0]!.days) ||
    periods.every(({ months }) => months > 0 && months === periods[0]!.months) ||
    periods.every(({ semimonthly }) => semimonthly)
  );
}

/**
 * Returns true if a stated finance charge is within the legal tolerance: $5 up to an amount financed of $1,000, and $10 above.
 * Not applicable to loans secured by a dwelling. The annual percentage rate has its own tolerance.
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
 * Returns true if the finance charge is so small that the annual percentage rate may be omitted: up to $5 for an amount
 * financed of $75 or less, and up to $7.50 above.
 *
 * @see Regulation Z, 12 CFR 1026.18(e).
 */
export function mayOmitApr(financeChargeCents: number, amountFinancedCents: number): boolean {
  requireCents('financeChargeCents', financeChargeCents, 0);
  requireCents('amountFinancedCents', amountFinancedCents, 1);
  return financeChargeCents <= (amountFinancedCents <= 7_500 ? 500 : 750);
}
