import type { Query, Tx } from '../db/database.ts';
import type { Instant } from '../time.ts';

/**
 * Returns when attempts of a subject were counted, the earliest first. Locks the row until the database transaction ends, and creates it
 * if it does not exist.
 */
export async function lockAttempts(tx: Tx, subjectHash: string, now: Instant): Promise<Instant[]> {
  const { attempts_json } = await tx
    .insertInto('limited_attempts')
    .values({ subject_hash: subjectHash, attempts_json: '[]', last_attempt_at: now })
    .onConflict((conflict) => conflict.column('subject_hash').doUpdateSet({ last_attempt_at: now }))
    .returning('attempts_json')
    .executeTakeFirstOrThrow();
  return JSON.parse(attempts_json) as Instant[];
}

export async function saveAttempts(tx: Tx, subjectHash: string, attempts: readonly Instant[]): Promise<void> {
  await tx
    .updateTable('limited_attempts')
    .set({ attempts_json: JSON.stringify(attempts) })
    .where('subject_hash', '=', subjectHash)
    .execute();
}

/** Returns the hashes of subjects without an attempt since `before`. */
export async function outdatedAttempts(query: Query, before: Instant, limit: number): Promise<string[]> {
  const rows = await query
    .selectFrom('limited_attempts')
    .select('subject_hash')
    .where('last_attempt_at', '<=', before)
    .orderBy('last_attempt_at')
    .limit(limit)
    .execute();
  return rows.map(({ subject_hash }) => subject_hash);
}

/** Deletes the attempts of these subjects, except of those with an attempt since `before`. */
export async function deleteAttempts(tx: Tx, hashes: readonly string[], before: Instant): Promise<void> {
  await tx.deleteFrom('limited_attempts').where('subject_hash', 'in', hashes).where('last_attempt_at', '<=', before).execute();
}
