import type { Database, Query, Tx } from '../../db/database.ts';
import { lookupHash } from '../../db/sealed.ts';
import { hashOfCode, isSessionToken, newId, newToken } from '../../base/ids.ts';
import { countClientFirst, limitedNetworks, WIDER_ALLOWANCE } from '../../http/attempts.ts';
import { addSecurityEvents, newSecurityEvent, type SecurityEvent } from '../../merchants/security-events.ts';
import { HOUR_MS, type Instant, plusMs } from '../../base/time.ts';
import { enqueueLink, merchantOfScope } from './link-email.ts';
import type { MailOptions } from '../../messages/buyer-email.ts';
import { beginSession, eventFieldsOf, type SessionLimits } from './sessions.ts';
import {
  addLink,
  deleteLink,
  deleteSession,
  findLink,
  findUser,
  lockUser,
  type User,
  type UserLink,
  usersOfEmail,
} from './store.ts';
import { pathOfLink } from './users.ts';

/** Minutes in which a link to sign in can be used. */
const SIGN_IN_MINUTES = 15;

/** Requests for links per hour; 0: no limit. */
export interface SignInLimits {
  signInsPerEmail: number;
  signInsPerAddress: number;
}

/** A request for a link. */
export interface SignInAttempt {
  email: string;
  /** The networks of the client, the narrowest first. */
  networks: readonly string[];
  /** The token of a browser whose user proves again who they are. */
  session: string | undefined;
  /** The id of a browser with which the person has signed in before. */
  device?: string | undefined;
}

/**
 * Counts a request for a link. A session is counted alone: strangers cannot use up its requests, and each sign-in begins another one. So is
 * a browser with which the person has signed in before, so that strangers cannot lock the person out. Other requests are counted by client
 * first, so that a limited client does not use up those of the person, and then by e-mail address and widest network,
 * with a larger limit for all clients together. Addresses without a user are counted like others.
 *
 * @returns 0, or the seconds until another attempt is possible.
 */
export function countSignIn(
  database: Database,
  { email, networks, session, device }: SignInAttempt,
  { signInsPerEmail, signInsPerAddress }: SignInLimits,
  now: Instant,
): Promise<number> {
  return database.write(async (tx) => {
    const subject = async (value: readonly string[], limit: number) => {
      const hash = await lookupHash(tx, 'sign-in-address', JSON.stringify(value));
      return { hash, limit, periodMs: HOUR_MS };
    };
    const forAll = signInsPerEmail * WIDER_ALLOWANCE;
    const address = email.trim().toLowerCase();
    const isOfStranger = session === undefined && device === undefined;
    const client = isOfStranger ? await limitedNetworks(tx, 'sign-in-network', networks, signInsPerAddress) : [];
    const person =
      session !== undefined
        ? [await subject(['session', hashOfCode(session)], forAll)]
        : device !== undefined
          ? [await subject(['device', device], signInsPerEmail)]
          : [await subject([address, networks.at(-1)!], signInsPerEmail), await subject([address], forAll)];
    return countClientFirst(tx, client, person, now);
  });
}

/**
 * E-mails a link to each user with an address. Call it after the response, which must not depend on whether there are any.
 *
 * @param browserToken - The links work only in the browser with this token.
 * @param query - The query of the link: where the user continues.
 */
export async function sendSignInLinks(
  database: Database,
  { email, browserToken, query }: { email: string; browserToken: string; query: string },
  mail: MailOptions,
  now: Instant,
): Promise<void> {
  for (const user of await usersOfEmail(database.query, email)) {
    const token = newToken(32);
    const id = newId();
    const link = { tokenHash: hashOfCode(token), userId: user.id, purpose: 'sign-in' as const };
    const expiresAt = plusMs(now, SIGN_IN_MINUTES * 60_000);
    await database.write(async (tx) => {
      const merchant = await merchantOfScope(tx, user);
      await addLink(tx, { ...link, browserHash: hashOfCode(browserToken), expiresAt }, now);
      await enqueueLink(tx, { id, user, merchant, purpose: 'sign-in', path: pathOfLink(token) + query, now }, mail);
    });
  }
}

/** The state of a link: usable, expired or used already, or requested by another browser. */
export type LinkState = { status: 'usable'; link: UserLink; user: User } | { status: 'expired' } | { status: 'other-browser' };

/** Returns the state of a link, without using it: programs that check e-mails open links. */
export async function readLink(query: Query, token: string, browserToken: string | undefined, now: Instant): Promise<LinkState> {
  const link = isSessionToken(token) ? await findLink(query, hashOfCode(token), now) : undefined;
  const user = link && (await findUser(query, link.userId));
  if (!link || !user || user.removedAt !== null) return { status: 'expired' };
  const isOwn = link.browserHash === '' || (browserToken !== undefined && link.browserHash === hashOfCode(browserToken));
  return isOwn ? { status: 'usable', link, user } : { status: 'other-browser' };
}

/** The token of a browser before and after it signs in. */
export interface BrowserTokens {
  before: string | undefined;
  /** A new one, because others may know the one before. */
  after: string;
}

/** Signs in with a link, which is used up. Returns its state before. */
export async function signInWithLink(
  database: Database,
  token: string,
  browser: BrowserTokens,
  limits: SessionLimits,
  now: Instant,
): Promise<LinkState> {
  const event = signInEvent(now);
  return database.write(async (tx) => {
    const state = await readLink(tx, token, browser.before, now);
    if (state.status !== 'usable') return state;
    // A user is locked before links and sessions, as in `changeRole` and `removeUser`.
    const user = await lockUser(tx, state.user.id);
    if (!user || !(await deleteLink(tx, state.link.tokenHash))) return { status: 'expired' };
    await completeSignIn(tx, user, state.link.purpose, browser, limits, event, now);
    return { ...state, user };
  });
}

/** Returns the event of a sign-in, for `completeSignIn`. */
export function signInEvent(now: Instant): SecurityEvent {
  return newSecurityEvent({ kind: 'user-signed-in', actor: 'system', details: {} }, now);
}

/** Replaces the session of a browser by one of a user whose row is locked. */
export async function completeSignIn(
  tx: Tx,
  user: User,
  method: 'invitation' | 'sign-in' | 'passkey',
  { before, after }: BrowserTokens,
  limits: SessionLimits,
  event: SecurityEvent,
  now: Instant,
): Promise<void> {
  if (before !== undefined) await deleteSession(tx, hashOfCode(before));
  await beginSession(tx, user.id, after, limits, now);
  const { details, ...fields } = eventFieldsOf(user, user.id);
  await addSecurityEvents(tx, { ...event, ...fields, details: { ...details, method } });
}
