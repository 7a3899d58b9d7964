import { createReadStream } from 'node:fs';
import { checkProgram, type CheckedProgram, type Finding } from '../../shared/programs/check.ts';
import { findLiveProblems } from '../programs/live.ts';
import type { CommandConfig } from '../config/config.ts';
import type { CommandContext } from './command.ts';

const MAX_BYTES = 1_000_000;

/**
 * Reads a program from a file, or from standard input if the file is `-`. Validates it, and prints all errors and warnings.
 *
 * @param live - The configuration of a live service, whose requirements the program must also meet.
 * @throws Error - the file cannot be read, is larger than 1 MB, or is not JSON in UTF-8.
 */
export async function readProgram(
  file: string,
  { stdin, log }: CommandContext,
  live?: Pick<CommandConfig, 'cardStripeKey'>,
): Promise<CheckedProgram> {
  const [name, source] = file === '-' ? ['standard input', stdin()] : [file, createReadStream(file)];
  const { program, errors: invalid, warnings } = checkProgram(parseJson(name, await readBytes(name, source)));
  const errors = [
    ...invalid,
    ...(live && program ? findLiveProblems(program, { hasCards: live.cardStripeKey !== undefined }) : []),
  ];
  for (const finding of errors) log(`error: ${describe(finding)}`);
  for (const finding of warnings) log(`warning: ${describe(finding)}`);
  return { program: errors.length > 0 ? undefined : program, errors, warnings };
}

async function readBytes(name: string, source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > MAX_BYTES) break;
      chunks.push(chunk);
    }
  } catch (thrown) {
    throw new Error(`${name}: expected a file that can be read, but ${(thrown as Error).message}`, { cause: thrown });
  }
  if (bytes > MAX_BYTES) throw new Error(`${name}: expected at most 1 MB, but it is larger`);
  return Buffer.concat(chunks);
}

function parseJson(name: string, bytes: Buffer): unknown {
  let text: string;
  try {
    // The decoder removes a byte order mark.
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (thrown) {
    throw new Error(`${name}: expected text in UTF-8, but received other bytes`, { cause: thrown });
  }
  try {
    return JSON.parse(text) as unknown;
  } catch (thrown) {
    throw new Error(`${name}: expected JSON, but received a syntax error: ${(thrown as Error).message}`, { cause: thrown });
  }
}

function describe({ path, message }: Finding): string {
  return path ? `${path}: ${message}` : message;
}
