/**
 * Formats a rate as a percentage for disclosure: `statedPercent(0.09685708)` returns `9.69`. Do not calculate with the result.
 *
 * Rounds half up, once. Regulation Z does not prescribe a number of decimals; two are well within its tolerance.
 *
 * @param rate - A fraction, 0 or more: `0.0969` is 9.69 %.
 * @param digits - Decimals: 2 for a US annual percentage rate, 1 for a European one (Directive 2008/48/EC, Annex I).
 */
export function statedPercent(rate: number, digits = 2): string {
  return (rounded(rate * 100 * 10 ** digits) / 10 ** digits).toFixed(digits);
}

/** Rounds a rate to basis points: `statedBps(0.09685708)` returns `969`. */
export function statedBps(rate: number): number {
  return rounded(rate * 10_000);
}

/** Rounds half up and corrects floating-point noise: 0.09995 times 10,000 is 999.4999999999999 and must count as 999.5. */
function rounded(scaled: number): number {
  return Math.round(scaled * (1 + 1e-12));
}
