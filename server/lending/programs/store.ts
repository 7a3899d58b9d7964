import { fromJson, toJson } from '../../db/json.ts';
import { hash } from 'node:crypto';
import type { Insertable, Selectable } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { Program } from '../../../shared/programs/program.ts';
import { pagesOf, type Query, type Tx } from '../../db/database.ts';
import { prepared } from '../../db/prepared.ts';
import type { MerchantTable, ProgramTable, ProgramVersionTable } from '../../db/schema.ts';
import type { Instant } from '../../base/time.ts';

export type MerchantProgram = Selectable<ProgramTable>;

/** A version of a program without its document. */
export type ProgramVersion = Omit<Selectable<ProgramVersionTable>, 'documentJson'>;

export type ProgramOwner = Pick<Selectable<MerchantTable>, 'id' | 'defaultProgramId'> & {
  /** The latest version of the default program, if it was read with the merchant. */
  latestVersion?: number;
};

/** Returns the owner of programs and locks its row, as every change of a merchant does. */
export async function lockOwner(tx: Tx, merchantId: string): Promise<ProgramOwner | undefined> {
  return tx
    .selectFrom('merchants')
    .select(['id', 'defaultProgramId'])
    .where('id', '=', merchantId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Sets the program that is used if a request names none. */
export async function setDefaultProgram(tx: Tx, merchantId: string, programId: string): Promise<void> {
  await tx.updateTable('merchants').set({ defaultProgramId: programId }).where('id', '=', merchantId).execute();
}

export async function addProgram(tx: Tx, program: Insertable<ProgramTable>): Promise<void> {
  await tx.insertInto('programs').values(program).execute();
}

/** Adds a version, which never changes afterwards. */
export async function addVersion(tx: Tx, programId: string, program: Program, now: Instant): Promise<void> {
  const { version, status, effective } = program;
  await tx
    .insertInto('program_versions')
    .values({
      programId,
      version,
      status,
      effectiveFrom: effective.from,
      effectiveTo: effective.to,
      documentJson: toJson(program),
      createdAt: now,
    })
    .execute();
}

/** Returns the merchant's programs, sorted by code. */
export async function programsOf(query: Query, merchantId: string): Promise<MerchantProgram[]> {
  return query.selectFrom('programs').selectAll().where('merchantId', '=', merchantId).orderBy('code').execute();
}

/** Number of programs that are read at once. */
const PAGE_SIZE = 500;

/** Yields the programs of all merchants. */
export async function* allPrograms(query: Query): AsyncGenerator<MerchantProgram> {
  const sorted = query.selectFrom('programs').selectAll().orderBy('id').limit(PAGE_SIZE);
  const pages = pagesOf<MerchantProgram>(PAGE_SIZE, (after) => sorted.where('id', '>', after?.id ?? '').execute());
  for await (const page of pages) yield* page;
}

/** Returns the merchant's program with that code. */
export async function findProgram(query: Query, merchantId: string, code: string): Promise<MerchantProgram | undefined> {
  const [row] = await programByCode(query, merchantId, code);
  return row;
}

/** Returns the program with that id, of any merchant. */
export async function findProgramById(query: Query, id: string): Promise<MerchantProgram | undefined> {
  return query.selectFrom('programs').selectAll().where('id', '=', id).executeTakeFirst();
}

const programByCode = prepared((query, merchantId: string, code: string) =>
  query.selectFrom('programs').selectAll().where('merchantId', '=', merchantId).where('code', '=', code),
);

/** All versions of each program, by the id of the program and its latest version. */
const versionLists = new LRUCache<string, readonly ProgramVersion[]>({ max: 10_000 });

/**
 * Returns all versions of a program without their documents, which can be large.
 *
 * @param latest - The latest version. If it is known, all versions may be cached, because only higher ones are added.
 */
export async function versionsOf(query: Query, programId: string, latest?: number): Promise<readonly ProgramVersion[]> {
  if (latest === undefined) return storedVersions(query, programId);
  const key = `${programId} ${latest}`;
  const versions = versionLists.get(key) ?? (await storedVersions(query, programId));
  versionLists.set(key, versions);
  return versions;
}

const storedVersions = prepared((query, programId: string) =>
  query
    .selectFrom('program_versions')
    .select(['programId', 'version', 'status', 'effectiveFrom', 'effectiveTo', 'createdAt'])
    .where('programId', '=', programId),
);

/** Hashes of the documents of versions, and their programs: merchants with the same program share one. */
const documentHashes = new LRUCache<string, string>({ max: 10_000 });
const programs = new LRUCache<string, Program>({ max: 1_000 });

/**
 * Returns a version of a program. Versions never change, so they are cached (decisions/0035); callers must not modify the object.
 *
 * @throws Error - the version does not exist, which is a bug in the caller.
 */
export async function getVersion(query: Query, programId: string, version: number): Promise<Program> {
  const key = `${programId} ${version}`;
  const cached = programs.get(documentHashes.get(key) ?? '');
  if (cached) return cached;
  const [row] = await documentOf(query, programId, version);
  if (!row) throw new Error(`There is no version ${version} of the program ${programId}`);
  const documentHash = hash('sha256', row.documentJson, 'base64');
  const program = programs.get(documentHash) ?? fromJson(row.documentJson);
  documentHashes.set(key, documentHash);
  programs.set(documentHash, program);
  return program;
}

const documentOf = prepared((query, programId: string, version: number) =>
  query.selectFrom('program_versions').select('documentJson').where('programId', '=', programId).where('version', '=', version),
);
