import type { Program } from '../../shared/programs/program.ts';
import { type RateSheet, rateSheet } from '../../shared/programs/rate-sheet.ts';

/** Enough for every program a process sells from. */
const MOST_KEPT = 100;

const programs = new Map<string, Program>();
const sheets = new WeakMap<Program, Map<string, RateSheet>>();

/**
 * A stored program. The same text gives the same object, which nobody may change.
 *
 * Kept by the text itself and not by an id, so that nothing kept can be out of date, whatever database it came from.
 */
export function parsedProgram(documentJson: string): Program {
  let program = programs.get(documentJson);
  if (!program) {
    if (programs.size >= MOST_KEPT) programs.clear();
    program = JSON.parse(documentJson) as Program;
    programs.set(documentJson, program);
  }
  return program;
}

const versions = new Map<string, Program>();

/** The program cached for a version. Nothing changes a stored version, so it is read once. */
export function cachedVersion(key: string): Program | undefined {
  return versions.get(key);
}

/** @param key - The id of the program, which is unique in every database, and the version. */
export function cacheVersion(key: string, program: Program): Program {
  if (versions.size >= MOST_KEPT) versions.clear();
  versions.set(key, program);
  return program;
}

/**
 * `rateSheet`, kept with the program: one with promotions takes up to two milliseconds, most of them for writing dates out.
 *
 * @param state - The buyer's, once it is known.
 */
export function sheetOf(program: Program, state?: string): RateSheet {
  const ofProgram = sheets.get(program) ?? new Map<string, RateSheet>();
  sheets.set(program, ofProgram);
  const key = state ?? '';
  let sheet = ofProgram.get(key);
  if (!sheet) ofProgram.set(key, (sheet = rateSheet(program, state)));
  return sheet;
}
