import type { Selectable } from 'kysely';
import type { Query, Tx } from '../../db/database.ts';
import type { LenderCallTable } from '../../db/schema.ts';
import { newId } from '../../base/ids.ts';
import type { Instant } from '../../base/time.ts';
import type { Attempt } from './signed-client.ts';

export type LenderCall = Selectable<LenderCallTable>;

/** Returns the row of a call to or from the lender. */
export function newCall(direction: LenderCall['direction'], { id: subjectId, ...attempt }: Attempt): LenderCall {
  return { id: newId(), direction, subjectId, ...attempt };
}

export async function addCalls(tx: Tx, calls: readonly LenderCall[]): Promise<void> {
  await tx
    .insertInto('lender_calls')
    .values([...calls])
    .execute();
}

export interface CallFilter {
  /** The request, agreement or event that the calls are about. */
  subjectId?: string | undefined;
  onlyFailed?: boolean;
  /** The earliest instant of their start. */
  since?: Instant | undefined;
  limit: number;
}

/** Returns calls, the newest first. */
export function listCalls(query: Query, { subjectId, onlyFailed = false, since, limit }: CallFilter): Promise<LenderCall[]> {
  let calls = query.selectFrom('lender_calls').selectAll();
  if (subjectId !== undefined) calls = calls.where('subjectId', '=', subjectId).orderBy('id', 'desc');
  else calls = calls.orderBy('startedAt', 'desc').orderBy('id', 'desc');
  if (onlyFailed) calls = calls.where('failure', '<>', '');
  if (since !== undefined) calls = calls.where('startedAt', '>=', since);
  return calls.limit(limit).execute();
}

export function findCall(query: Query, id: string): Promise<LenderCall | undefined> {
  return query.selectFrom('lender_calls').selectAll().where('id', '=', id).executeTakeFirst();
}
