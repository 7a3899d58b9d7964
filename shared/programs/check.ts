import { validate } from 'superstruct';
import { trapIn } from '../wire/traps.ts';
import { proofProblems } from './proof.ts';
import type { Problem } from './coherence.ts';
import { Program } from './program.ts';
import { warningsAbout } from './warnings.ts';

/** What is wrong with a program or asks for a second look, and where: `offers.2.tierAprBps.B`. */
export interface Finding {
  path: string;
  /** What was expected and what came. */
  message: string;
}

/** A program as it may be used, or why it may not. */
export interface CheckedProgram {
  /** Completed by what was left out; undefined when anything is refused. */
  program: Program | undefined;
  refusals: Finding[];
  /** Worth a look, and no reason to refuse. */
  warnings: Finding[];
}

/**
 * Checks what claims to be a program: its fields; when each is as it should be, whether they go together; and then, by working out
 * every offer for every tier at both ends of its amounts, whether its loans add up, are lawful and are disclosed truly. Says all
 * that one of the three finds at once.
 *
 * @param value - Parsed JSON.
 */
export function checkProgram(value: unknown): CheckedProgram {
  const trap = trapIn(value);
  if (trap) return { program: undefined, refusals: [{ path: '', message: trap }], warnings: [] };
  const [error, program] = validate(value, Program, { coerce: true });
  if (error) {
    const refusals = error.failures().map(({ path, message }) => finding({ path, message: withoutPath(message) }));
    return { program: undefined, refusals, warnings: [] };
  }
  const refusals = proofProblems(program).map(finding);
  const warnings = warningsAbout(program).map(finding);
  return { program: refusals.length > 0 ? undefined : program, refusals, warnings };
}

function finding({ path, message }: Problem): Finding {
  return { path: path.join('.'), message };
}

/** superstruct begins some of its messages with the path, which a finding has apart, and calls what should not be there `never`. */
function withoutPath(message: string): string {
  return message
    .replace(/^At path: \S+ -- /, '')
    .replace(/^Expected a value of type `never`/, 'Expected no field of this name')
    .replace(/^Expected a integer/, 'Expected an integer');
}
