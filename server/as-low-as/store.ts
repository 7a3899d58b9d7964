import type { Insertable, Selectable } from 'kysely';
import type { Program } from '../../shared/programs/program.ts';
import type { Query, Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import type { ProgramTable, ProgramVersionTable } from '../db/schema.ts';
import type { Instant } from '../time.ts';
import { cachedVersion } from './program-cache.ts';

export type ProgramRow = Selectable<ProgramTable>;

/** A version of a program, its document aside. */
export type VersionRow = Omit<Selectable<ProgramVersionTable>, 'document_json'>;

export async function addProgram(tx: Tx, program: Insertable<ProgramTable>): Promise<void> {
  await tx.insertInto('programs').values(program).execute();
}

/** Adds a version, which nothing ever changes afterwards. */
export async function addVersion(tx: Tx, programId: string, program: Program, now: Instant): Promise<void> {
  const { version, status, effective } = program;
  await tx
    .insertInto('program_versions')
    .values({
      program_id: programId,
      version,
      status,
      effective_from: effective.from,
      effective_to: effective.to,
      document_json: JSON.stringify(program),
      created_at: now,
    })
    .execute();
}

/** The merchant's programs by their codes. */
export async function programsOf(query: Query, merchantId: string): Promise<ProgramRow[]> {
  return query.selectFrom('programs').selectAll().where('merchant_id', '=', merchantId).orderBy('code').execute();
}

/** The merchant's program of that code, if there is one. Another merchant's is not. */
export async function findProgram(query: Query, merchantId: string, code: string): Promise<ProgramRow | undefined> {
  const [row] = await programByCode(query, merchantId, code);
  return row;
}

/** A program by its id, whosever it is. */
export async function findProgramById(query: Query, id: string): Promise<ProgramRow | undefined> {
  return query.selectFrom('programs').selectAll().where('id', '=', id).executeTakeFirst();
}

const programByCode = prepared((query, merchantId: string, code: string) =>
  query.selectFrom('programs').selectAll().where('merchant_id', '=', merchantId).where('code', '=', code),
);

/** Every version of a program, without the documents: there may be many, and only one of them is wanted. */
export const versionsOf = prepared((query, programId: string) =>
  query
    .selectFrom('program_versions')
    .select(['program_id', 'version', 'status', 'effective_from', 'effective_to', 'created_at'])
    .where('program_id', '=', programId),
);

/**
 * One version of a program, which never changes and is therefore cached.
 *
 * @throws Error - the version does not exist, which is a bug in the caller.
 */
export function getVersion(query: Query, programId: string, version: number): Promise<Program> {
  return cachedVersion(`${programId} ${version}`, async () => {
    const [row] = await documentOf(query, programId, version);
    if (!row) throw new Error(`There is no version ${version} of the program ${programId}`);
    return JSON.parse(row.document_json) as Program;
  });
}

const documentOf = prepared((query, programId: string, version: number) =>
  query.selectFrom('program_versions').select('document_json').where('program_id', '=', programId).where('version', '=', version),
);
