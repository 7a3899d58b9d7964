/**
 * A rate as it is stated: `statedPercent(0.09685708)` is `9.69`. For people to read and compare; never calculate with it.
 *
 * Rounded half-up once. Regulation Z asks for no number of decimals; two are well within its tolerance.
 *
 * @param rate   - A fraction: `0.0969` means 9.69 %. 0 or more.
 * @param digits - Decimals: 2 for an American annual percentage rate, 1 for a European one (Directive 2008/48/EC, Annex I).
 */
export function statedPercent(rate: number, digits = 2): string {
  // 0.09995 times 10,000 is 999.4999999999999 in doubles and 999.5 on paper: round what is on paper.
  const onPaper = Number((rate * 100 * 10 ** digits).toPrecision(12));
  return (Math.round(onPaper) / 10 ** digits).toFixed(digits);
}
