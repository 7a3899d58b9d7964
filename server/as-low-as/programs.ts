import type { Program, ProgramDocument } from '../../shared/programs.ts';
import type { Query, Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { ServiceError } from '../errors.ts';
import type { Instant } from '../time.ts';

/** Whose programs they are: a merchant, as far as programs need to know one. */
export interface ProgramOwner {
  id: string;
  default_program_id: string;
}

export async function addProgram(tx: Tx, merchantId: string, program: Program, now: Instant): Promise<void> {
  await tx
    .insertInto('programs')
    .values({
      id: program.id,
      merchant_id: merchantId,
      version: program.version,
      document_json: JSON.stringify(program),
      created_at: now,
    })
    .execute();
}

/** The merchant's program of that id, if there is one. Another merchant's is not. */
export async function findProgram(query: Query, merchantId: string, programId: string): Promise<Program | undefined> {
  const [row] = await programById(query, merchantId, programId);
  return row && (JSON.parse(row.document_json) as Program);
}

const programById = prepared((query, merchantId: string, programId: string) =>
  query.selectFrom('programs').select('document_json').where('id', '=', programId).where('merchant_id', '=', merchantId),
);

/**
 * The merchant's program of that id, or its default program when `programId` is left out, null or empty.
 *
 * @throws ServiceError `program-not-found`
 */
export async function getProgram(query: Query, merchant: ProgramOwner, programId?: string | null): Promise<Program> {
  const program = await findProgram(query, merchant.id, programId || merchant.default_program_id);
  if (!program) {
    throw new ServiceError(
      'program-not-found',
      `At path: financingProgramId -- Expected the id of one of your financing programs, or nothing for the default one, but received ${JSON.stringify(programId)}`,
    );
  }
  return program;
}

/** Everything a page needs to quote for this merchant on its own. */
export async function programDocument(query: Query, merchant: ProgramOwner): Promise<ProgramDocument> {
  const rows = await query
    .selectFrom('programs')
    .select('document_json')
    .where('merchant_id', '=', merchant.id)
    .orderBy('id')
    .execute();
  return {
    defaultProgramId: merchant.default_program_id,
    programs: rows.map(({ document_json }) => JSON.parse(document_json) as Program),
  };
}
