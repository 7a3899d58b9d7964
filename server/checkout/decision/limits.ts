import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { BuyerContact } from '../../applications/contact.ts';
import type { Database, Tx } from '../../db/database.ts';
import { ServiceError } from '../../errors.ts';
import type { Applicant } from '../../lenders/lender.ts';
import { DAY_MS, epochMs, type Instant, plusMs } from '../../time.ts';
import { lockAttempts, saveAttempts } from './store.ts';

/** What is limited: applications of a cart, requests about one person, or applications from one client address. */
export type ApplicationLimit = 'cart' | 'identity' | 'address';

/** Limit of the requests for decisions about one person, in all carts of all merchants. */
export interface IdentityLimit {
  /** Key of the identity hashes. */
  key: KeyObject;
  /** Requests in 24 hours; 0: no limit. */
  perDay: number;
}

/** Time for which a request counts. */
export const ATTEMPT_MS = DAY_MS;

/** Returns the error that `pageErrors` shows as a page. */
export function tooManyApplications(limit: ApplicationLimit, expected: string, retryAfterSeconds?: number): ServiceError {
  return new ServiceError('rate-limited', `Expected ${expected}, but received more.`, {
    details: { limit, ...(retryAfterSeconds !== undefined && { retryAfterSeconds: String(retryAfterSeconds) }) },
  });
}

/** Derives the key of identity hashes from the key of form tokens. RFC 5869. */
export function identityKeyOf(formKey: KeyObject): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', formKey, '', 'identity hashes', 32)));
}

/**
 * Returns a keyed hash of last name, date of birth and ZIP code, which a lender needs to find a person. The first name and the e-mail
 * address are not part of it, because they can be changed from request to request.
 *
 * @param dateOfBirth - `1990-12-10`
 */
export function identityHash(
  key: KeyObject,
  { lastName, zip }: Pick<BuyerContact, 'lastName' | 'zip'>,
  { dateOfBirth }: Pick<Applicant, 'dateOfBirth'>,
): string {
  // Only letters, without accents.
  const name = lastName.normalize('NFKD').toLowerCase().replace(/\P{L}/gu, '');
  return createHmac('sha256', key)
    .update([name, dateOfBirth, zip.slice(0, 5)].join('|'))
    .digest('hex');
}

/**
 * Counts a request about a person, in the database transaction that saves it, so that the limit is exact across processes.
 *
 * @throws ServiceError `rate-limited`
 */
export async function countAttempt(tx: Tx, hash: string, perDay: number, now: Instant): Promise<void> {
  const attempts = await lockAttempts(tx, hash, now);
  const recent = attempts.filter((at) => at > plusMs(now, -ATTEMPT_MS));
  const blocking = recent.at(-perDay);
  if (recent.length >= perDay && blocking !== undefined) {
    const waitMs = epochMs(blocking) + ATTEMPT_MS - epochMs(now);
    throw tooManyApplications('identity', `at most ${perDay} requests about one person in 24 hours`, Math.ceil(waitMs / 1_000));
  }
  await saveAttempts(tx, hash, [...recent, now]);
}

/** Removes a counted request that did not reach a lender. */
export async function uncountAttempt(database: Database, hash: string, at: Instant): Promise<void> {
  await database.write(async (tx) => {
    const attempts = await lockAttempts(tx, hash, at);
    await saveAttempts(tx, hash, attempts.toSpliced(attempts.lastIndexOf(at), attempts.includes(at) ? 1 : 0));
  });
}
