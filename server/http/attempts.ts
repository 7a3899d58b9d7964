import { fromJson, toJson } from '../db/json.ts';
import type { Database, Tx, Query } from '../db/database.ts';
import { type LookupPurpose, lookupHash } from '../db/sealed.ts';
import { DAY_MS, epochMs, HOUR_MS, type Instant, plusMs } from '../base/time.ts';

/** The longest time for which an attempt counts. */
export const ATTEMPT_MS = DAY_MS;

/** A wider network has this many times the allowance of the next narrower one. */
export const WIDER_ALLOWANCE = 4;

/** A person, recipient, network or document, and the number of attempts that it has in a period; 0: no limit. */
export interface LimitedSubject {
  /** A keyed hash. */
  hash: string;
  limit: number;
  periodMs: number;
}

/**
 * Counts an attempt of each subject, or of none if one of them has reached its limit. In the database transaction of its effect, so that
 * limits are exact across processes.
 *
 * @param subjects - In the same order in all calls, so that concurrent writes cannot deadlock.
 * @returns The subjects that have reached their limit, with the seconds until they may try again. Then this attempt was not counted.
 */
export async function countAttempt<Subject extends LimitedSubject>(
  tx: Tx,
  subjects: readonly Subject[],
  now: Instant,
): Promise<(Subject & { waitSeconds: number })[]> {
  const limited = subjects.filter(({ limit }) => limit > 0);
  const stored = await lockAttempts(
    tx,
    limited.map(({ hash }) => hash),
    now,
  );
  const blocked: (Subject & { waitSeconds: number })[] = [];
  for (const subject of limited) {
    const { hash, limit, periodMs } = subject;
    const attempts = stored.get(hash)!.filter((at) => at > plusMs(now, -periodMs));
    // The attempt whose period must end before another one is possible.
    const blocking = attempts.at(-limit);
    stored.set(hash, [...attempts, now]);
    if (blocking === undefined) continue;
    blocked.push({ ...subject, waitSeconds: Math.ceil((epochMs(blocking) + periodMs - epochMs(now)) / 1_000) });
  }
  if (blocked.length === 0) await saveAttempts(tx, stored, now);
  return blocked;
}

/** Returns the networks of a client as subjects, the narrowest first, which have attempts in an hour. */
export async function limitedNetworks(
  tx: Tx,
  purpose: LookupPurpose,
  networks: readonly string[],
  limit: number,
): Promise<LimitedSubject[]> {
  const hashes = await Promise.all(networks.map((network) => lookupHash(tx, purpose, network)));
  return hashes.map((hash, level) => ({ hash, limit: limit * WIDER_ALLOWANCE ** level, periodMs: HOUR_MS }));
}

/**
 * Counts an attempt of a client, and then of the subjects that several clients have in common, so that a limited client does not use up
 * their attempts.
 *
 * @returns 0, or the seconds until another attempt is possible.
 */
export async function countClientFirst(
  tx: Tx,
  client: readonly LimitedSubject[],
  common: readonly LimitedSubject[],
  now: Instant,
): Promise<number> {
  const limited = await countAttempt(tx, client, now);
  const blocked = limited.length > 0 ? limited : await countAttempt(tx, common, now);
  return Math.max(0, ...blocked.map(({ waitSeconds }) => waitSeconds));
}

/** Counts an attempt to open an old link to a document within an hour. @returns 0, or the seconds until another attempt is possible. */
export function countDocumentProof(
  database: Database,
  networks: readonly string[],
  documentId: string,
  perHour: number,
  now: Instant,
): Promise<number> {
  return database.write(async (tx) => {
    const client = await limitedNetworks(tx, 'proof-network', networks, perHour);
    const document = { hash: await lookupHash(tx, 'proof-document', documentId), limit: perHour, periodMs: HOUR_MS };
    return countClientFirst(tx, client, [document], now);
  });
}

/** Removes an attempt that had no effect from what was counted. */
export async function uncountAttempts(database: Database, hashes: readonly string[], at: Instant): Promise<void> {
  if (hashes.length === 0) return;
  await database.write(async (tx) => {
    const stored = await lockAttempts(tx, hashes, at);
    for (const [hash, attempts] of stored) {
      stored.set(hash, attempts.toSpliced(attempts.lastIndexOf(at), attempts.includes(at) ? 1 : 0));
    }
    await saveAttempts(tx, stored, at);
  });
}

/**
 * Returns when attempts of subjects were counted, the earliest first. Locks their rows in this order until the database transaction ends,
 * and creates those that do not exist.
 */
async function lockAttempts(tx: Tx, hashes: readonly string[], now: Instant): Promise<Map<string, Instant[]>> {
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
async function saveAttempts(tx: Tx, attempts: ReadonlyMap<string, readonly Instant[]>, now: Instant): Promise<void> {
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
