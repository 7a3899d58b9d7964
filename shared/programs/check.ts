import { validate } from 'superstruct';
import { findUnsafeJson } from '../wire/unsafe-json.ts';
import { findLoanProblems } from './loan-checks.ts';
import type { Problem } from './consistency.ts';
import { Program } from './program.ts';
import { findWarnings } from './warnings.ts';

/** A problem of a program and its path: `offers.2.tierAprBps.B`. */
export interface Finding {
  path: string;
  /** What was expected and what was received. */
  message: string;
}

/** Result of checking a program. */
export interface CheckedProgram {
  /** The program with its defaults filled in. Undefined if there are refusals. */
  program: Program | undefined;
  refusals: Finding[];
  /** Warnings do not prevent the program from being used. */
  warnings: Finding[];
}

/**
 * Validates a financing program in three stages: its fields, their consistency, and its loans. The last stage computes every
 * offer for every tier at both ends of its amount range and verifies that the schedules add up, comply with the caps and are
 * disclosed accurately.
 *
 * Reports all problems of the first stage that fails.
 *
 * @param value - Parsed JSON.
 */
export function checkProgram(value: unknown): CheckedProgram {
  const problem = findUnsafeJson(value);
  if (problem) return { program: undefined, refusals: [{ path: '', message: problem }], warnings: [] };
  const [error, program] = validate(value, Program, { coerce: true });
  if (error) {
    const refusals = error.failures().map(({ path, message }) => finding({ path, message: withoutPath(message) }));
    return { program: undefined, refusals, warnings: [] };
  }
  const refusals = findLoanProblems(program).map(finding);
  const warnings = findWarnings(program).map(finding);
  return { program: refusals.length > 0 ? undefined : program, refusals, warnings };
}

function finding({ path, message }: Problem): Finding {
  return { path: path.join('.'), message };
}

/**
 * Removes the path that superstruct puts in front of some messages, because a finding has its own path, and rewords the type
 * `never`.
 */
function withoutPath(message: string): string {
  return message
    .replace(/^At path: \S+ -- /, '')
    .replace(/^Expected a value of type `never`/, 'Expected no field of this name')
    .replace(/^Expected a integer/, 'Expected an integer');
}
