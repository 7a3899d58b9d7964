import type { Database, Tx } from '../db/database.ts';
import { type LookupPurpose, lookupHash } from '../db/sealed.ts';
import { DAY_MS, epochMs, HOUR_MS, type Instant, plusMs } from '../time.ts';
import { lockAttempts, saveAttempts } from './store.ts';

/** The longest time for which an attempt counts. */
export const ATTEMPT_MS = DAY_MS;

/** A wider network has this many times the allowance of the next narrower one. */
export const WIDER_ALLOWANCE = 4;

/** A person, recipient, network or document, and the number of attempts that it has in a period; 0: no limit. */
export interface LimitedSubject {
  /** A keyed hash. */
  hash: string;
  limit: number;
}

/**
 * Counts an attempt of each subject, or of none if one of them has reached its limit. In the database transaction of its effect, so that
 * limits are exact across processes.
 *
 * @param subjects - In the same order in all calls, so that concurrent writes cannot deadlock.
 * @returns 0, or the seconds until another attempt is possible. Then this one was not counted.
 */
export async function countAttempt(
  tx: Tx,
  subjects: readonly LimitedSubject[],
  now: Instant,
  periodMs = ATTEMPT_MS,
): Promise<number> {
  const counted: { hash: string; attempts: Instant[] }[] = [];
  let waitMs = 0;
  for (const { hash, limit } of subjects) {
    if (limit === 0) continue;
    const stored = await lockAttempts(tx, hash, now);
    const attempts = stored.filter((at) => at > plusMs(now, -periodMs));
    const blocking = attempts.at(-limit);
    if (blocking !== undefined) waitMs = Math.max(waitMs, epochMs(blocking) + periodMs - epochMs(now));
    counted.push({ hash, attempts });
  }
  if (waitMs > 0) return Math.ceil(waitMs / 1_000);
  for (const { hash, attempts } of counted) await saveAttempts(tx, hash, [...attempts, now]);
  return 0;
}

/** Returns the networks of a client as subjects, the narrowest first. */
export async function limitedNetworks(
  tx: Tx,
  purpose: LookupPurpose,
  networks: readonly string[],
  limit: number,
): Promise<LimitedSubject[]> {
  const hashes = await Promise.all(networks.map((network) => lookupHash(tx, purpose, network)));
  return hashes.map((hash, level) => ({ hash, limit: limit * WIDER_ALLOWANCE ** level }));
}

/**
 * Counts an attempt to open an old link to a document within an hour: of the client first, so that a limited client does not use up the
 * attempts of the buyer.
 *
 * @returns As `countAttempt`.
 */
export function countDocumentProof(
  database: Database,
  networks: readonly string[],
  documentId: string,
  perHour: number,
  now: Instant,
): Promise<number> {
  return database.write(async (tx) => {
    const client = await limitedNetworks(tx, 'proof-network', networks, perHour);
    const document = { hash: await lookupHash(tx, 'proof-document', documentId), limit: perHour };
    return (await countAttempt(tx, client, now, HOUR_MS)) || countAttempt(tx, [document], now, HOUR_MS);
  });
}

/** Removes an attempt that had no effect from what was counted. */
export async function uncountAttempts(database: Database, hashes: readonly string[], at: Instant): Promise<void> {
  if (hashes.length === 0) return;
  await database.write(async (tx) => {
    for (const hash of hashes) {
      const attempts = await lockAttempts(tx, hash, at);
      await saveAttempts(tx, hash, attempts.toSpliced(attempts.lastIndexOf(at), attempts.includes(at) ? 1 : 0));
    }
  });
}
