import { isDeepStrictEqual } from 'node:util';
import { create } from 'superstruct';
import { Program } from '../../../shared/programs/program.ts';
import { findProgramOn, latestOf } from './programs.ts';
import {
  addProgram,
  addVersion,
  findProgram,
  getVersion,
  lockOwner,
  type ProgramOwner,
  setDefaultProgram,
  type ProgramVersion,
  versionsOf,
} from './store.ts';
import type { Database, Tx } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { Counter } from '../../base/progress.js';
import { type Instant, dateIn } from '../../base/time.ts';

/** Result of an import for one merchant. */
export interface ImportedProgram {
  merchantId: string;
  programId: string;
  /** `already-there` if the same version was imported before. */
  outcome: 'added' | 'already-there';
  isDefault: boolean;
  /** True if a version is sold on the day of the import. */
  isSold: boolean;
}

/**
 * Adds a version of a program to merchants, and the program itself if they do not have it: to all of them, or to none. Importing the
 * same version again changes nothing.
 *
 * @param asDefault - Makes it the merchants' default program. It must be sold today.
 * @param progress - Counts the merchants.
 * @throws ServiceError `invalid-request` - a merchant is unknown, the version is stored with other content, or it is not above the
 *   latest version.
 */
export function importProgram(
  database: Database,
  program: Program,
  merchantIds: readonly string[],
  { asDefault }: { asDefault: boolean },
  now: Instant,
  progress?: Counter,
): Promise<ImportedProgram[]> {
  // Merchants are locked in the same order by all imports, which prevents deadlocks.
  const wanted = [...new Set(merchantIds)].toSorted().map((merchantId) => ({ merchantId, newProgramId: newId() }));
  return database.write(async (tx) => {
    const imported: ImportedProgram[] = [];
    for (const { merchantId, newProgramId } of wanted) {
      const merchant = await lockOwner(tx, merchantId);
      if (!merchant) {
        throw new ServiceError('invalid-request', `merchant: expected the id of a merchant, but received "${merchantId}"`);
      }
      imported.push(await importFor(tx, merchant, newProgramId, program, asDefault, now));
      progress?.count(imported.length, wanted.length);
    }
    return imported;
  });
}

async function importFor(
  tx: Tx,
  merchant: ProgramOwner,
  newProgramId: string,
  program: Program,
  asDefault: boolean,
  now: Instant,
): Promise<ImportedProgram> {
  const known = await findProgram(tx, merchant.id, program.id);
  const programId = known?.id ?? newProgramId;
  if (!known) await addProgram(tx, { id: programId, merchantId: merchant.id, code: program.id, createdAt: now });

  const isImported = await isStored(tx, programId, await versionsOf(tx, programId), program);
  if (!isImported) await addVersion(tx, programId, program, now);

  const isSold = (await findProgramOn(tx, programId, now)) !== undefined;
  if (asDefault) {
    if (!isSold) {
      throw new ServiceError(
        'invalid-request',
        `default: expected a program that is sold today, but "${program.id}" has no version in effect on ${dateIn(now, program.timeZone)}`,
      );
    }
    await setDefaultProgram(tx, merchant.id, programId);
  }
  const isDefault = asDefault || merchant.defaultProgramId === programId;
  return { merchantId: merchant.id, programId, outcome: isImported ? 'already-there' : 'added', isDefault, isSold };
}

/** Returns true if the version is stored with the same content. @throws ServiceError `invalid-request` - it cannot be added. */
async function isStored(tx: Tx, programId: string, versions: readonly ProgramVersion[], program: Program): Promise<boolean> {
  const { id, version } = program;
  if (versions.some((stored) => stored.version === version)) {
    // Applies the defaults of newer fields to the stored program, so that only real differences count. Ignores the order of fields.
    const stored = create(await getVersion(tx, programId, version), Program);
    if (isDeepStrictEqual(stored, program)) return true;
    throw new ServiceError(
      'invalid-request',
      `version: "${id}" has a version ${version} with other content; versions never change; use a higher number`,
    );
  }
  const latest = latestOf(versions);
  if (latest && version < latest.version) {
    throw new ServiceError(
      'invalid-request',
      `version: expected one above ${latest.version}, the latest of "${id}", but received ${version}`,
    );
  }
  return false;
}
