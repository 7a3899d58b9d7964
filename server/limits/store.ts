import type { Query, Tx } from '../db/database.ts';
import type { Instant } from '../time.ts';

/**
 * Returns when attempts of a subject were counted, the earliest first. Locks the row until the database transaction ends, and creates it
 * if it does not exist.
 */
export async function lockAttempts(tx: Tx, subjectHash: string, now: Instant): Promise<Instant[]> {
  const { attemptsJson } = await tx
    .insertInto('limited_attempts')
    .values({ subjectHash, attemptsJson: '[]', lastAttemptAt: now })
    .onConflict((conflict) => conflict.column('subjectHash').doUpdateSet({ lastAttemptAt: now }))
    .returning('attemptsJson')
    .executeTakeFirstOrThrow();
  return JSON.parse(attemptsJson) as Instant[];
}

export async function saveAttempts(tx: Tx, subjectHash: string, attempts: readonly Instant[]): Promise<void> {
  await tx
    .updateTable('limited_attempts')
    .set({ attemptsJson: JSON.stringify(attempts) })
    .where('subjectHash', '=', subjectHash)
    .execute();
}

/** Returns the hashes of subjects without an attempt since `before`. */
export async function outdatedAttempts(query: Query, before: Instant, limit: number): Promise<string[]> {
  const rows = await query
    .selectFrom('limited_attempts')
    .select('subjectHash')
    .where('lastAttemptAt', '<=', before)
    .orderBy('lastAttemptAt')
    .limit(limit)
    .execute();
  return rows.map(({ subjectHash }) => subjectHash);
}

/** Deletes the attempts of these subjects, except of those with an attempt since `before`. */
export async function deleteAttempts(tx: Tx, hashes: readonly string[], before: Instant): Promise<void> {
  await tx.deleteFrom('limited_attempts').where('subjectHash', 'in', hashes).where('lastAttemptAt', '<=', before).execute();
}
