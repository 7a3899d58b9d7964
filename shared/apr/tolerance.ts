/** Tolerance for a stated annual percentage rate: 1/8 of a percentage point, as a fraction. */
export const REGULAR_TOLERANCE = 0.00125;

/** Allowance for floating-point errors, far below the precision of any rate. */
const ROUNDING = 1e-12;

/**
 * Returns true if a stated annual percentage rate is within the legal tolerance of a regular transaction. Monthly payments are
 * regular for every length of the first period.
 *
 * @param stated - Rate shown to the buyer, as a fraction: `0.0969`.
 * @param exact - Result of `monthlyApr`.
 * @see Regulation Z, 12 CFR 1026.22(a)(2) and (3).
 */
export function isAccurate(stated: number, exact: number): boolean {
  return Math.abs(stated - exact) <= REGULAR_TOLERANCE + ROUNDING;
}

/**
 * Formats a rate as a percentage for disclosure: `statedPercent(0.09685708)` returns `9.69`. Do not calculate with the result.
 *
 * Rounds half up, once. Regulation Z does not prescribe a number of decimals; two are well within its tolerance.
 *
 * @param rate - A fraction, 0 or more: `0.0969` is 9.69 %.
 */
export function statedPercent(rate: number): string {
  return (statedBps(rate) / 100).toFixed(2);
}

/** Rounds a rate to basis points: `statedBps(0.09685708)` returns `969`. */
export function statedBps(rate: number): number {
  // Corrects floating-point noise: 0.09995 times 10,000 is 999.4999999999999 and must count as 999.5.
  return Math.round(rate * 10_000 * (1 + ROUNDING));
}
