import { fromJson, toJson } from '../db/json.ts';
import type { Query, Tx } from '../db/database.ts';
import type { Instant } from '../base/time.ts';

/**
 * Returns when attempts of subjects were counted, the earliest first. Locks their rows in this order until the database transaction ends,
 * and creates those that do not exist.
 */
export async function lockAttempts(tx: Tx, hashes: readonly string[], now: Instant): Promise<Map<string, Instant[]>> {
  if (hashes.length === 0) return new Map();
  const rows = await tx
    .insertInto('limited_attempts')
    .values(hashes.map((subjectHash) => ({ subjectHash, attemptsJson: toJson([]), lastAttemptAt: now })))
    .onConflict((conflict) => conflict.column('subjectHash').doUpdateSet({ lastAttemptAt: now }))
    .returning(['subjectHash', 'attemptsJson'])
    .execute();
  return new Map(rows.map(({ subjectHash, attemptsJson }) => [subjectHash, fromJson(attemptsJson)]));
}

/** Saves the attempts of subjects whose rows are locked. */
export async function saveAttempts(tx: Tx, attempts: ReadonlyMap<string, readonly Instant[]>, now: Instant): Promise<void> {
  if (attempts.size === 0) return;
  await tx
    .insertInto('limited_attempts')
    .values(
      Array.from(attempts, ([subjectHash, each]) => ({
        subjectHash,
        attemptsJson: toJson([...each]),
        lastAttemptAt: now,
      })),
    )
    .onConflict((conflict) =>
      conflict.column('subjectHash').doUpdateSet(({ ref }) => ({ attemptsJson: ref('excluded.attemptsJson') })),
    )
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
