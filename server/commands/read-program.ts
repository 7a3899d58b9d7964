import { checkProgram, type CheckedProgram, type Finding } from '../../shared/programs/check.ts';
import type { Surroundings } from './command.ts';
import { readJson } from './json-file.ts';

/**
 * Reads a program from a file, `-` for what is piped in, checks it, and remarks on everything there is to say about it.
 *
 * @throws Error - the file cannot be read, or is no JSON.
 */
export async function readProgram(file: string, { input, remark }: Surroundings): Promise<CheckedProgram> {
  const checked = checkProgram(await readJson(file, input));
  for (const finding of checked.refusals) remark(`refused: ${worded(finding)}`);
  for (const finding of checked.warnings) remark(`warning: ${worded(finding)}`);
  return checked;
}

function worded({ path, message }: Finding): string {
  return path ? `${path}: ${message}` : message;
}
