import type { Database, Query, Tx } from '../../db/database.ts';
import { ignoreUnavailable, ServiceError } from '../../base/errors.ts';
import { hashOfCode, isSessionToken, newToken } from '../../base/ids.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import { epochMs, HOUR_MS, type Instant, plusMs } from '../../base/time.ts';
import { addSession, deleteSession, findSessionRow, findUser, saveLastSeen, type User } from './store.ts';

/** Limits of sessions, which variables set. */
export interface SessionLimits {
  /** Minutes without a request after which a session ends. */
  idleMinutes: number;
  /** Hours after which a session ends. */
  sessionHours: number;
}

export interface SignedIn {
  user: User;
  /** Time at which the user last proved who they are. */
  authenticatedAt: Instant;
}

/** Time for which a proof of identity is recent enough for changes of money and keys. */
const RECENT_MS = 600_000;

/**
 * A use of a session is saved at most once in this part of the idle time, and in a minute, so that reading pages does not write each time. A
 * session may end earlier by as much.
 */
const SEEN_PRECISION = 1 / 60;
const MAX_SEEN_PRECISION_MS = 60_000;

/** Returns a new token of a browser, for its cookie. */
export function newBrowserToken(): string {
  return newToken(32);
}

/**
 * Begins a session, in the database transaction that verified the user.
 *
 * @param token - A new token of the browser. The earlier one may be known to others, and must not be used again.
 */
export async function beginSession(tx: Tx, userId: string, token: string, limits: SessionLimits, now: Instant): Promise<void> {
  const endsAt = plusMs(now, limits.sessionHours * HOUR_MS);
  await addSession(tx, { tokenHash: hashOfCode(token), userId, lastSeenAt: now, authenticatedAt: now, endsAt }, now);
}

/** Returns the user of a browser's token; undefined if it has no session, or the session has ended. */
export async function findSignedIn(
  database: Database,
  token: string | undefined,
  { idleMinutes }: SessionLimits,
  now: Instant,
): Promise<SignedIn | undefined> {
  if (!isSessionToken(token)) return undefined;
  const tokenHash = hashOfCode(token);
  const session = await findSessionRow(database.query, tokenHash, now);
  if (!session) return undefined;
  const idleMs = epochMs(now) - epochMs(session.lastSeenAt);
  const maxIdleMs = idleMinutes * 60_000;
  if (idleMs >= maxIdleMs) return undefined;
  const user = await findUser(database.query, session.userId);
  if (!user || user.removedAt !== null) return undefined;
  if (idleMs >= Math.min(maxIdleMs * SEEN_PRECISION, MAX_SEEN_PRECISION_MS))
    await database.write((tx) => saveLastSeen(tx, tokenHash, now)).catch(ignoreUnavailable);
  return { user, authenticatedAt: session.authenticatedAt };
}

/** Returns the id of the user of a browser's token, also if the session has ended because there was no request. */
export async function findLastUser(query: Query, token: string | undefined, now: Instant): Promise<string | undefined> {
  return isSessionToken(token) ? (await findSessionRow(query, hashOfCode(token), now))?.userId : undefined;
}

/**
 * Verifies, in a database transaction, that a session has not ended since its request began: it does if the user is removed or gets
 * another role.
 *
 * @throws ServiceError `unauthenticated`
 */
export async function requireSignedIn(tx: Tx, token: string, now: Instant): Promise<void> {
  if (await findSessionRow(tx, hashOfCode(token), now)) return;
  throw new ServiceError('unauthenticated', 'Expected a session that has not ended.');
}

/** Returns true if the user proved who they are in the last 10 minutes. */
export function isRecent({ authenticatedAt }: SignedIn, now: Instant): boolean {
  return epochMs(now) - epochMs(authenticatedAt) < RECENT_MS;
}

/** Ends the session of a browser. */
export async function signOut(database: Database, { user }: SignedIn, token: string, now: Instant): Promise<void> {
  const event = newSecurityEvent({ kind: 'user-signed-out', ...eventFieldsOf(user, user.id) }, now);
  await database.write(async (tx) => {
    if (await deleteSession(tx, hashOfCode(token))) await addSecurityEvents(tx, event);
  });
}

/** Returns the fields of a security event about a user. @param by - Id of the user who caused it; undefined for an operator. */
export function eventFieldsOf({ id, tenantId, merchantId }: User, by: string | undefined) {
  return {
    actor: by === undefined ? ('console' as const) : (`user:${by}` as const),
    tenantId,
    ...(merchantId !== null && { merchantId }),
    details: { userId: id },
  };
}
