import type { Query, Tx } from '../../db/database.ts';
import type { Instant } from '../../time.ts';

/**
 * Returns when decisions about a person were requested, the earliest first. Locks the row until the database transaction ends, and
 * creates it if it does not exist.
 */
export async function lockAttempts(tx: Tx, identityHash: string, now: Instant): Promise<Instant[]> {
  const { attempts_json } = await tx
    .insertInto('application_attempts')
    .values({ identity_hash: identityHash, attempts_json: '[]', last_attempt_at: now })
    .onConflict((conflict) => conflict.column('identity_hash').doUpdateSet({ last_attempt_at: now }))
    .returning('attempts_json')
    .executeTakeFirstOrThrow();
  return JSON.parse(attempts_json) as Instant[];
}

export async function saveAttempts(tx: Tx, identityHash: string, attempts: readonly Instant[]): Promise<void> {
  await tx
    .updateTable('application_attempts')
    .set({ attempts_json: JSON.stringify(attempts) })
    .where('identity_hash', '=', identityHash)
    .execute();
}

/** Returns the hashes of persons about whom nothing was requested since `before`. */
export async function outdatedAttempts(query: Query, before: Instant, limit: number): Promise<string[]> {
  const rows = await query
    .selectFrom('application_attempts')
    .select('identity_hash')
    .where('last_attempt_at', '<=', before)
    .orderBy('last_attempt_at')
    .limit(limit)
    .execute();
  return rows.map(({ identity_hash }) => identity_hash);
}

/** Deletes the attempts of these persons, unless something was requested about one since `before`. */
export async function deleteAttempts(tx: Tx, hashes: readonly string[], before: Instant): Promise<void> {
  await tx
    .deleteFrom('application_attempts')
    .where('identity_hash', 'in', hashes)
    .where('last_attempt_at', '<=', before)
    .execute();
}
