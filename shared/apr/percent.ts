/**
 * A rate as it is stated: `statedPercent(0.09685708)` is `9.69`. For people to read and compare; never calculate with it.
 *
 * Rounded half-up once. Regulation Z asks for no number of decimals; two are well within its tolerance.
 *
 * @param rate   - A fraction: `0.0969` means 9.69 %. 0 or more.
 * @param digits - Decimals: 2 for an American annual percentage rate, 1 for a European one (Directive 2008/48/EC, Annex I).
 */
export function statedPercent(rate: number, digits = 2): string {
  return (rounded(rate * 100 * 10 ** digits) / 10 ** digits).toFixed(digits);
}

/** A rate as it is stated, in basis points: `statedBps(0.09685708)` is `969`. */
export function statedBps(rate: number): number {
  return rounded(rate * 10_000);
}

/** Half up, where 0.09995 times 10,000, which is 999.4999999999999 in doubles, counts as the 999.5 it is on paper. */
function rounded(scaled: number): number {
  return Math.round(scaled * (1 + 1e-12));
}
