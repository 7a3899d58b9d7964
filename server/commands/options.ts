import type { CivilDate } from '../../shared/dates.ts';
import { UsState } from '../../shared/wire/contact-fields.ts';
import { CalendarDate } from '../../shared/wire/fields.ts';

/** @throws Error - it is given and no date. */
export function dateOption(option: string, value: string | undefined): CivilDate | undefined {
  const [error] = CalendarDate.validate(value ?? '2000-01-01');
  if (error) throw new Error(`${option}: expected a date such as 2026-11-21, but received "${value}"`);
  return value;
}

/** Parses a two-letter state code. @throws Error - the code is not a state. */
export function stateOption(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const [error, state] = UsState.validate(value, { coerce: true });
  if (error) throw new Error(`${option}: expected a US state or DC as 2 letters, but received "${value}"`);
  return state;
}

/** @throws Error - it is given and none of `choices`. */
export function choiceOption<Choice extends string>(
  option: string,
  value: string | undefined,
  choices: readonly Choice[],
): Choice | undefined {
  if (value === undefined) return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen === undefined) throw new Error(`${option}: expected ${choices.join(' or ')}, but received "${value}"`);
  return chosen;
}

/** @throws Error - it is given and no whole number, or one beyond the bounds. */
export function wholeOption(
  option: string,
  value: string | undefined,
  { least, most }: { least: number; most: number },
): number | undefined {
  if (value === undefined) return undefined;
  const number = Number(value);
  if (/^\d+$/.test(value) && number >= least && number <= most) return number;
  throw new Error(`${option}: expected a whole number from ${least} to ${most}, but received "${value}"`);
}
