/**
 * How benchmarks report what they measured.
 *
 * @typedef {object} Figure
 * @property {string} what what was measured
 * @property {number} value
 * @property {string} unit for example `ms`
 * @property {number} [atMost] the goal, in the unit of the value; a figure has at most one goal
 * @property {number} [atLeast]
 * @property {string} [details] printed after the figure, not part of the summary table
 */

/** Exit code of a benchmark that finished and missed a goal; an uncaught error ends it with 1. */
export const MISSED = 2;

/**
 * Prints a figure with its goal and sends it to `run.mjs`, if that started this process. A missed goal sets the exit code to `MISSED`.
 *
 * @param {Figure} figure
 */
export function reportFigure(figure) {
  const { what, details } = figure;
  const goal = goalOf(figure);
  const isMissed = !isMet(figure);
  const verdict = goal && `, goal ${goal}: ${isMissed ? 'missed' : 'met'}`;
  console.log(`${what}: ${valueOf(figure)}${verdict}${details ? ` (${details})` : ''}`);
  process.send?.(figure);
  if (isMissed) process.exitCode = MISSED;
}

/** @param {Figure} figure */
export function isMet({ value, atMost = Infinity, atLeast = -Infinity }) {
  return value <= atMost && value >= atLeast;
}

/** @param {Figure} figure */
export function valueOf({ value, unit }) {
  return `${Number(value.toPrecision(4))} ${unit}`;
}

/** @param {Figure} figure */
export function goalOf({ atMost, atLeast }) {
  if (atMost !== undefined) return `at most ${atMost}`;
  return atLeast === undefined ? '' : `at least ${atLeast}`;
}
