import { isDeepStrictEqual } from 'node:util';
import { create } from 'superstruct';
import { Program } from '../../shared/programs/program.ts';
import { addProgram, addVersion, findProgram, getVersion, type VersionRow, versionsOf } from '../as-low-as/store.ts';
import { latestOf, versionOn } from '../as-low-as/versions.ts';
import type { Database, Tx } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { dateOf, type Instant } from '../time.ts';
import { lockMerchant, type MerchantRow, setDefaultProgram } from './store.ts';

/** What came of an import for one merchant. */
export interface ImportedProgram {
  merchantId: string;
  programId: string;
  /** `already-there`: the very same version was, and nothing has changed. */
  outcome: 'added' | 'already-there';
  isDefault: boolean;
  /** Whether any of its versions is sold on the day of the import. */
  isSold: boolean;
}

/**
 * Gives merchants a version of a program, and the program itself where they have none of that code. All of them get it, or
 * none. Importing the same version again changes nothing.
 *
 * @param asDefault - Make it the program for amounts that name none; it must be sold today.
 * @throws ServiceError `invalid-request` - a merchant is unknown; the version is there with other content; it is not above the
 *   latest.
 */
export function importProgram(
  database: Database,
  program: Program,
  merchantIds: readonly string[],
  { asDefault }: { asDefault: boolean },
  now: Instant,
): Promise<ImportedProgram[]> {
  // In one order, so that two imports never wait for each other's merchants.
  const wanted = [...new Set(merchantIds)].toSorted().map((merchantId) => ({ merchantId, newProgramId: newId() }));
  return database.write(async (tx) => {
    const imported: ImportedProgram[] = [];
    for (const { merchantId, newProgramId } of wanted) {
      const merchant = await lockMerchant(tx, merchantId);
      imported.push(await importFor(tx, merchant, newProgramId, program, asDefault, now));
    }
    return imported;
  });
}

async function importFor(
  tx: Tx,
  merchant: MerchantRow,
  newProgramId: string,
  program: Program,
  asDefault: boolean,
  now: Instant,
): Promise<ImportedProgram> {
  const known = await findProgram(tx, merchant.id, program.id);
  const programId = known?.id ?? newProgramId;
  if (!known) await addProgram(tx, { id: programId, merchant_id: merchant.id, code: program.id, created_at: now });

  const isThere = await isStored(tx, programId, await versionsOf(tx, programId), program);
  if (!isThere) await addVersion(tx, programId, program, now);

  const isSold = versionOn(await versionsOf(tx, programId), dateOf(now)) !== undefined;
  if (asDefault) {
    if (!isSold) {
      throw new ServiceError(
        'invalid-request',
        `default: expected a program that is sold today, but "${program.id}" has no version in effect on ${dateOf(now)}`,
      );
    }
    await setDefaultProgram(tx, merchant.id, programId);
  }
  const isDefault = asDefault || merchant.default_program_id === programId;
  return { merchantId: merchant.id, programId, outcome: isThere ? 'already-there' : 'added', isDefault, isSold };
}

/** Returns true if the version is stored with the same content. @throws ServiceError `invalid-request` - it cannot be added. */
async function isStored(tx: Tx, programId: string, versions: readonly VersionRow[], program: Program): Promise<boolean> {
  const { id, version } = program;
  if (versions.some((stored) => stored.version === version)) {
    // Applies the defaults of newer fields to the stored program, so that only real differences count. Ignores the order of fields.
    const stored = create(await getVersion(tx, programId, version), Program);
    if (isDeepStrictEqual(stored, program)) return true;
    throw new ServiceError(
      'invalid-request',
      `version: "${id}" has a version ${version} with other content; a version is never changed, so raise it`,
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
