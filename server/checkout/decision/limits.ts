import { createHmac, createSecretKey, hkdfSync, type KeyObject } from 'node:crypto';
import { withoutSuffixes } from '../../../shared/person-name.ts';
import type { BuyerContact } from '../../base/contact.ts';
import { addSubmissions, type Cart, lockCartById } from '../../purchases/carts/store.ts';
import type { Database, Tx } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { foldedWords } from '../../base/folded-words.ts';
import type { Applicant } from '../../lending/lenders/lender.ts';
import { ATTEMPT_MS, countAttempt, limitedNetworks, type LimitedSubject } from '../../http/attempts.ts';
import { countedRecipient } from '../../messages/store.ts';
import type { Instant } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';

/**
 * A limit: of applications of a cart, its requests to the lender, requests about one person, requests that are answered by e-mail to
 * one recipient, or applications from one client address.
 */
export const APPLICATION_LIMITS = ['cart', 'submissions', 'identity', 'recipient', 'address'] as const;
export type ApplicationLimit = (typeof APPLICATION_LIMITS)[number];

/** Maximum number of requests to the lender in all applications of a cart, about any person. */
const MAX_SUBMISSIONS = 5;

/**
 * Counts a request to the lender, in the database transaction that has locked the cart and saves the request.
 *
 * @throws ServiceError `rate-limited`
 */
export async function countSubmission(tx: Tx, { id, submissions }: Pick<Cart, 'id' | 'submissions'>): Promise<void> {
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
export function identityKeyOf(serviceKey: KeyObject): KeyObject {
  return createSecretKey(Buffer.from(hkdfSync('sha256', serviceKey, '', 'identity hashes', 32)));
}

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
  const name = foldedWords(withoutSuffixes(lastName)).join('');
  return createHmac('sha256', key)
    .update([name, dateOfBirth, zip.slice(0, 5)].join('|'))
    .digest('hex');
}

/**
 * Counts a request for a decision against the limits of the client, of the person and of the recipient of the decision, in the database
 * transaction that saves the request. Decisions themselves are always sent.
 *
 * @param networks - As `clientNetworks` returns them; empty if the client is unknown.
 * @returns What was counted, for `uncountAttempts`.
 * @throws ServiceError `rate-limited`
 */
export async function countApplication(
  tx: Tx,
  { attemptLimits, mail }: Pick<CheckoutDeps, 'attemptLimits' | 'mail'>,
  buyer: BuyerContact,
  applicant: Applicant,
  networks: readonly string[],
  now: Instant,
): Promise<string[]> {
  if (!attemptLimits) return [];
  const { identityKey, applicationsPerIdentity, applicationsPerRecipient, applicationsPerAddress } = attemptLimits;
  const { email } = buyer;
  const client = await limitedNetworks(tx, 'application-network', networks, applicationsPerAddress);
  const identity = identityHash(identityKey, buyer, applicant);
  // Without an e-mail address or a sender, the buyer is informed by the page only. A limit of 0 means no limit.
  const isSent = email !== '' && mail.handling !== 'unavailable';
  const recipient = await countedRecipient(tx, 'application-recipient', email);
  // Always in this order, so that concurrent writes cannot deadlock.
  const subjects: (LimitedSubject & { kind: ApplicationLimit })[] = [
    ...client.map((network) => ({ kind: 'address' as const, ...network })),
    { kind: 'identity', hash: identity, limit: applicationsPerIdentity, periodMs: ATTEMPT_MS },
    { kind: 'recipient', hash: recipient, limit: isSent ? applicationsPerRecipient : 0, periodMs: ATTEMPT_MS },
  ];
  const blocked = await countAttempt(tx, subjects, now);
  if (!blocked[0]) return subjects.flatMap(({ hash, limit }) => (limit > 0 ? [hash] : []));
  const { kind, limit } = blocked[0];
  const alike = blocked.filter((other) => other.kind === kind);
  throw tooManyApplications(
    kind,
    kind === 'address' ? 'fewer applications from one address' : `at most ${limit} applications of one ${kind} in 24 hours`,
    Math.max(...alike.map(({ waitSeconds }) => waitSeconds)),
  );
}

/**
 * Counts an e-mail with a link to continue, in the database transaction that enqueues it. One address receives as many as one-time codes.
 *
 * @returns False if the recipient has received too many in the last 24 hours.
 */
export async function countContinueLink(
  tx: Tx,
  attemptLimits: CheckoutDeps['attemptLimits'],
  email: string,
  now: Instant,
): Promise<boolean> {
  const hash = await countedRecipient(tx, 'link-recipient', email);
  const blocked = await countAttempt(tx, [{ hash, limit: attemptLimits?.codesPerRecipient ?? 0, periodMs: ATTEMPT_MS }], now);
  return blocked.length === 0;
}
