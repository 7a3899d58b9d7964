import type { CivilDate } from '../../shared/dates.ts';
import { languages } from '../../shared/disclosure/languages.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { ProgramDocument } from '../../shared/programs/rate-sheet.ts';
import type { Query } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { sheetOf } from './program-cache.ts';
import { findProgram, getVersion, programsOf, versionsOf } from './store.ts';
import { latestOf, versionOn } from './versions.ts';

/** Whose programs they are: a merchant, as far as programs need to know one. */
export interface ProgramOwner {
  id: string;
  default_program_id: string;
}

/** A merchant's program as it is sold on some day. */
export interface SoldProgram {
  /** The platform API's `programID`; what the merchant calls it is `program.id`. */
  programId: string;
  program: Program;
}

/** The version of a program that new loans are made under on a day; none when the program is not sold then. */
export async function findProgramOn(query: Query, programId: string, on: CivilDate): Promise<Program | undefined> {
  const current = versionOn(await versionsOf(query, programId), on);
  return current && getVersion(query, programId, current.version);
}

/** The merchant's program of that code, if it has one that is sold on a day. */
export async function findSoldProgram(
  query: Query,
  merchantId: string,
  code: string,
  on: CivilDate,
): Promise<SoldProgram | undefined> {
  const row = await findProgram(query, merchantId, code);
  const program = row && (await findProgramOn(query, row.id, on));
  return program && { programId: row.id, program };
}

/**
 * Returns the merchant's program with that code in the version sold on a day, or the default program if `code` is missing, null or empty.
 *
 * @throws ServiceError `program-not-found` - the program does not exist, or is not sold on that day.
 */
export async function getSoldProgram(
  query: Query,
  merchant: ProgramOwner,
  code: string | null | undefined,
  on: CivilDate,
): Promise<SoldProgram> {
  const programId = code ? (await findProgram(query, merchant.id, code))?.id : merchant.default_program_id;
  if (programId === undefined) {
    throw new ServiceError(
      'program-not-found',
      `At path: financingProgramId -- Expected the id of one of your financing programs, or nothing for the default one, but received ${JSON.stringify(code)}`,
    );
  }
  const program = await findProgramOn(query, programId, on);
  if (!program) {
    throw new ServiceError(
      'program-not-found',
      `At path: financingProgramId -- Expected a program that is sold on ${on}, but ${code ? `"${code}"` : 'the default program'} has no version in effect then`,
    );
  }
  return { programId, program };
}

/** A program's highest version, whether or not it is sold. */
export async function latestVersion(query: Query, programId: string): Promise<Program> {
  return getVersion(query, programId, latestOf(await versionsOf(query, programId))!.version);
}

/** Everything a page needs to quote for this merchant on its own, on a day: the programs that are sold then. */
export async function programDocument(query: Query, merchant: ProgramOwner, on: CivilDate): Promise<ProgramDocument> {
  const rows = await programsOf(query, merchant.id);
  const sold = await Promise.all(rows.map(({ id }) => findProgramOn(query, id, on)));
  return {
    defaultProgramId: rows.find(({ id }) => id === merchant.default_program_id)?.code ?? '',
    programs: sold.flatMap((program) => (program ? [sheetOf(program)] : [])),
    texts: languages,
  };
}
