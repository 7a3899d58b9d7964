import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import type { BuyerContact } from '../../applications/contact.ts';
import { addSubmissions, type CartRow, lockCartById } from '../../carts/store.ts';
import type { Database, Tx } from '../../db/database.ts';
import { ServiceError } from '../../errors.ts';
import type { Applicant } from '../../lenders/lender.ts';
import { countedRecipient } from '../../notifications/store.ts';
import { DAY_MS, epochMs, type Instant, plusMs } from '../../time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { lockAttempts, saveAttempts } from './store.ts';

/**
 * A limit: of applications of a cart, its requests to the lender, requests about one person, requests that are answered by e-mail to
 * one recipient, or applications from one client address.
 */
export type ApplicationLimit = 'cart' | 'submissions' | 'identity' | 'recipient' | 'address';

/** Time for which an attempt counts. */
export const ATTEMPT_MS = DAY_MS;

/** Maximum number of requests to the lender in all applications of a cart, about any person. */
const MAX_SUBMISSIONS = 5;

/**
 * Counts a request to the lender, in the database transaction that has locked the cart and saves the request.
 *
 * @throws ServiceError `rate-limited`
 */
export async function countSubmission(tx: Tx, { id, submissions }: Pick<CartRow, 'id' | 'submissions'>): Promise<void> {
  if (submissions >= MAX_SUBMISSIONS) {
    throw tooManyApplications('submissions', `at most ${MAX_SUBMISSIONS} requests for a decision in one cart`);
  }
  await addSubmissions(tx, id, 1);
}

/** Removes a counted request that did not reach a lender. */
export async function uncountSubmission(database: Database, cartId: string): Promise<void> {
  await database.write(async (tx) => {
    await lockCartById(tx, cartId);
    await addSubmissions(tx, cartId, -1);
  });
}

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

/** Generations at the end of a last name. A lender finds a person without them. */
const SUFFIXES = /(?:[\s,.]+(?:jr|sr|junior|senior|ii|iii|iv|v))+\W*$/;

/**
 * Returns a keyed hash of last name, date of birth and ZIP code, which a lender needs to find a person. The first name, a suffix such as
 * `Jr.` and the e-mail address are not part of it, because they can be changed from request to request.
 *
 * @param dateOfBirth - `1990-12-10`
 */
export function identityHash(
  key: KeyObject,
  { lastName, zip }: Pick<BuyerContact, 'lastName' | 'zip'>,
  { dateOfBirth }: Pick<Applicant, 'dateOfBirth'>,
): string {
  // Only letters, without accents.
  const name = lastName.normalize('NFKD').toLowerCase().replace(SUFFIXES, '').replace(/\P{L}/gu, '');
  return createHmac('sha256', key)
    .update([name, dateOfBirth, zip.slice(0, 5)].join('|'))
    .digest('hex');
}

/**
 * Counts a request for a decision against the limits of the person and of the recipient of the decision, in the database transaction
 * that saves the request. Decisions themselves are always sent.
 *
 * @returns What was counted, for `uncountAttempts`.
 * @throws ServiceError `rate-limited`
 */
export async function countApplication(
  tx: Tx,
  { attemptLimits, mail }: Pick<CheckoutDeps, 'attemptLimits' | 'mail'>,
  buyer: BuyerContact,
  applicant: Applicant,
  now: Instant,
): Promise<string[]> {
  if (!attemptLimits) return [];
  const { identityKey, applicationsPerIdentity, applicationsPerRecipient } = attemptLimits;
  const { email } = buyer;
  /** Returns the hash if it was counted. */
  const count = async (limit: ApplicationLimit, hash: string, perDay: number): Promise<string[]> => {
    const waitSeconds = await countAttempt(tx, hash, perDay, now);
    if (waitSeconds > 0)
      throw tooManyApplications(limit, `at most ${perDay} applications of one ${limit} in 24 hours`, waitSeconds);
    return perDay === 0 ? [] : [hash];
  };
  // Always in this order, so that concurrent writes cannot deadlock.
  const identity = await count('identity', identityHash(identityKey, buyer, applicant), applicationsPerIdentity);
  // Without an e-mail address or a sender, the buyer is informed by the page only.
  if (email === '' || mail.handling === 'rejected') return identity;
  const recipient = await countedRecipient(tx, 'application-recipient', email);
  return [...identity, ...(await count('recipient', recipient, applicationsPerRecipient))];
}

/**
 * Counts an attempt in the database transaction of its effect, so that the limit is exact across processes.
 *
 * @param perDay - Attempts in 24 hours; 0: not counted.
 * @returns 0, or the seconds until another attempt is possible. Then this one was not counted.
 */
export async function countAttempt(tx: Tx, hash: string, perDay: number, now: Instant): Promise<number> {
  if (perDay === 0) return 0;
  const attempts = await lockAttempts(tx, hash, now);
  const recent = attempts.filter((at) => at > plusMs(now, -ATTEMPT_MS));
  const blocking = recent.at(-perDay);
  if (recent.length >= perDay && blocking !== undefined) {
    return Math.ceil((epochMs(blocking) + ATTEMPT_MS - epochMs(now)) / 1_000);
  }
  await saveAttempts(tx, hash, [...recent, now]);
  return 0;
}

/** Removes a request that did not reach a lender from what `countApplication` counted. */
export async function uncountAttempts(database: Database, hashes: readonly string[], at: Instant): Promise<void> {
  if (hashes.length === 0) return;
  await database.write(async (tx) => {
    for (const hash of hashes) {
      const attempts = await lockAttempts(tx, hash, at);
      await saveAttempts(tx, hash, attempts.toSpliced(attempts.lastIndexOf(at), attempts.includes(at) ? 1 : 0));
    }
  });
}
