/** A figure that a benchmark measured. It has at most one goal, in the unit of its value. */
export interface Figure {
  what: string;
  value: number;
  /** For example `ms`. */
  unit: string;
  atMost?: number;
  atLeast?: number;
  /** Printed after the figure, not part of the summary table. */
  details?: string;
}

/** Exit code of a benchmark that finished and missed a goal; an uncaught error ends it with 1. */
export const MISSED = 2;

/** Prints a figure with its goal and sends it to `run.ts`, if that started this process. A missed goal sets the exit code to `MISSED`. */
export function reportFigure(figure: Figure): void {
  const { what, details } = figure;
  const goal = goalOf(figure);
  const isMissed = !isMet(figure);
  const verdict = goal && `, goal ${goal}: ${isMissed ? 'missed' : 'met'}`;
  console.log(`${what}: ${valueOf(figure)}${verdict}${details ? ` (${details})` : ''}`);
  process.send?.(figure);
  if (isMissed) process.exitCode = MISSED;
}

export function isMet({ value, atMost = Infinity, atLeast = -Infinity }: Figure): boolean {
  return value <= atMost && value >= atLeast;
}

export function valueOf({ value, unit }: Figure): string {
  return `${Number(value.toPrecision(4))} ${unit}`;
}

export function goalOf({ atMost, atLeast }: Figure): string {
  if (atMost !== undefined) return `at most ${atMost}`;
  return atLeast === undefined ? '' : `at least ${atLeast}`;
}

/** Returns the median of at least one number. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Returns a quantile, such as the 99th percentile for a share of 0.99; 0 without numbers. */
export function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(share * numbers.length)] ?? 0;
}
