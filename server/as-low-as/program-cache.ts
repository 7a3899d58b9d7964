import type { Program } from '../../shared/programs/program.ts';
import { type RateSheet, rateSheet } from '../../shared/programs/rate-sheet.ts';

const MAX_CACHED_VERSIONS = 100;

const versions = new Map<string, Program>();
const sheets = new WeakMap<Program, Map<string, RateSheet>>();

/**
 * Returns the cached version of a program, or loads it. A stored version never changes, and neither must the returned object.
 *
 * @param key - The id of the program, which is unique in every database, and the version.
 */
export async function cachedVersion(key: string, load: () => Promise<Program>): Promise<Program> {
  const cached = versions.get(key);
  if (cached) return cached;
  const program = await load();
  if (versions.size >= MAX_CACHED_VERSIONS) versions.clear();
  versions.set(key, program);
  return program;
}

/**
 * Returns the rate sheet of a program. Cached with the program: one with promotions takes up to two milliseconds.
 *
 * @param state - The state of the buyer, once it is known.
 */
export function sheetOf(program: Program, state?: string): RateSheet {
  const cached = sheets.get(program) ?? new Map<string, RateSheet>();
  sheets.set(program, cached);
  const key = state ?? '';
  let sheet = cached.get(key);
  if (!sheet) cached.set(key, (sheet = rateSheet(program, state)));
  return sheet;
}
