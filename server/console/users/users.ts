import { Email } from '../../../shared/wire/contact-fields.ts';
import { isPersonName } from '../../../shared/person-name.ts';
import type { Database, Tx } from '../../db/database.ts';
import { emailHash } from '../../db/sealed.ts';
import { invalidRequest, ServiceError } from '../../base/errors.ts';
import { hashOfCode, newId, newToken } from '../../base/ids.ts';
import { recipientKey } from '../../messages/addresses.ts';
import { requireWithinDay } from '../../messages/limits.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import { type Instant, plusDays } from '../../base/time.ts';
import { enqueueLink, merchantOfScope } from './link-email.ts';
import type { MailOptions } from '../../messages/buyer-email.ts';
import { DEFAULT_REFUND_LIMIT_CENTS, isPermitted, type Role } from './roles.ts';
import { eventFieldsOf } from './sessions.ts';
import {
  addLink,
  addUser,
  deleteAccess,
  deletePasskeys,
  findIdOfEmail,
  NO_EMAIL,
  lockUser,
  saveUser,
  type User,
  type UserScope,
} from './store.ts';

/** Days in which an invitation can be accepted. */
const INVITATION_DAYS = 7;

/** Invitations a day that administrators can send to one recipient, at all merchants together, and for one merchant. */
const INVITATION_LIMITS = { perRecipient: 5, perMerchant: 50 };

/** A person to invite. */
export interface NewUser extends UserScope {
  email: string;
  /** Empty if it is unknown. */
  name: string;
  role: Role;
  /** The largest refund of the role `support`; by default the one that the user has, or else that of new users. */
  refundLimitCents?: number | undefined;
}

/** The user who changes another one; undefined for an operator with a command. */
type By = User | undefined;

/**
 * Invites a person by e-mail. Inviting a user again changes the role, and sends another link.
 *
 * @returns The user, and the path of the link, which nothing else contains but the e-mail. `isNew` is false if the person was a user
 *   before, to whom alone the link belongs, or if an interrupted attempt has added them, whose link is another one.
 * @throws ServiceError `invalid-request`; `rate-limited` - the recipient or the merchant has had too many invitations today.
 */
export async function inviteUser(
  database: Database,
  invited: NewUser,
  by: By,
  mail: MailOptions,
  now: Instant,
): Promise<{ user: User; path: string; isNew: boolean }> {
  const { tenantId, merchantId, role, name } = invited;
  const email = invited.email.trim();
  if (!Email.is(email)) throw invalidRequest('email', 'an e-mail address', 'another text');
  if (name !== '' && !isPersonName(name)) throw invalidRequest('name', 'the name of a person', 'another text');
  const token = newToken(32);
  const id = newId();
  const deliveryId = newId();
  const hash = await emailHash(database.query, email);
  const added: User = {
    id,
    tenantId,
    merchantId,
    role,
    refundLimitCents: limitOf(invited),
    emailHash: hash,
    name,
    email,
    createdAt: now,
    removedAt: null,
  };
  const user = await database.write(async (tx) => {
    const merchant = await merchantOfScope(tx, invited);
    const { user: existing, administrator } = await lockUsers(tx, await findIdOfEmail(tx, invited, hash), by);
    requireAdministrator(administrator, invited);
    requireOther(by, { id, email });
    const saved = existing ? { ...existing, role, refundLimitCents: limitOf(invited, existing) } : added;
    if (existing) {
      await deleteAccess(tx, existing.id);
      await saveUser(tx, saved);
    } else if (!(await addUser(tx, saved))) {
      throw new ServiceError('changed-meanwhile', 'email: expected a person who is not being invited by another request');
    }
    // An operator is trusted.
    if (by) await requireWithinDay(tx, { channel: 'invitation', to: email, merchantId: merchant.id }, INVITATION_LIMITS, now);
    const link = { tokenHash: hashOfCode(token), userId: saved.id, purpose: 'invitation' as const, browserHash: '' };
    await addLink(tx, { ...link, expiresAt: plusDays(now, INVITATION_DAYS) }, now);
    await enqueueLink(tx, { id: deliveryId, user: saved, merchant, purpose: 'invitation', path: pathOfLink(token), now }, mail);
    const fields = eventFieldsOf(saved, by?.id);
    const event = newSecurityEvent({ kind: 'user-invited', ...fields, details: { ...fields.details, role } }, now);
    await addSecurityEvents(tx, event);
    return saved;
  });
  return { user, path: pathOfLink(token), isNew: user.id === id };
}

/** Returns the path of an e-mailed link. */
export function pathOfLink(token: string): string {
  return `/console/link/${token}`;
}

/**
 * Changes the role of a user, which ends their sessions.
 *
 * @throws ServiceError `invalid-request`
 */
export function changeRole(
  database: Database,
  userId: string,
  change: Pick<NewUser, 'role' | 'refundLimitCents'>,
  by: By,
  now: Instant,
): Promise<User> {
  const event = newSecurityEvent({ kind: 'user-changed', actor: 'system', details: {} }, now);
  return database.write(async (tx) => {
    const user = await requireChangeable(tx, userId, by);
    const { role } = change;
    const changed = { ...user, role, refundLimitCents: limitOf(change, user) };
    await saveUser(tx, changed);
    await deleteAccess(tx, userId);
    const { details, ...fields } = eventFieldsOf(user, by?.id);
    await addSecurityEvents(tx, { ...event, ...fields, details: { ...details, role, before: user.role } });
    return changed;
  });
}

/** Returns the largest refund to store. A change that does not state it keeps the one before, also while the user has another role. */
function limitOf({ role, refundLimitCents }: Pick<NewUser, 'role' | 'refundLimitCents'>, before?: User): number | null {
  if (role !== 'support') return before?.refundLimitCents ?? null;
  return refundLimitCents ?? before?.refundLimitCents ?? DEFAULT_REFUND_LIMIT_CENTS;
}

/**
 * Removes a user, with their e-mail address, sessions, links and passkeys. The name is retained for the history of orders.
 *
 * @throws ServiceError `invalid-request`
 */
export function removeUser(database: Database, userId: string, by: By, now: Instant): Promise<User> {
  const event = newSecurityEvent({ kind: 'user-removed', actor: 'system', details: {} }, now);
  return database.write(async (tx) => {
    const user = await requireChangeable(tx, userId, by);
    const removed = { ...user, ...NO_EMAIL, removedAt: now };
    await saveUser(tx, removed);
    await deleteAccess(tx, userId);
    await deletePasskeys(tx, userId);
    await addSecurityEvents(tx, { ...event, ...eventFieldsOf(user, by?.id) });
    return removed;
  });
}

/** Locks a user whom another may change. Users of other tenants and merchants look like unknown ones. */
async function requireChangeable(tx: Tx, userId: string, by: By): Promise<User> {
  const { user, administrator } = await lockUsers(tx, userId, by);
  if (!user || (administrator && !isVisibleTo(user, administrator))) {
    throw invalidRequest('user', 'the id of a user', 'another value');
  }
  requireAdministrator(administrator, user);
  requireOther(by, user);
  return user;
}

/** Locks a user, and the one who changes them, who may have been removed or changed since the request began. */
async function lockUsers(tx: Tx, userId: string | undefined, by: By): Promise<{ user: User | undefined; administrator: By }> {
  const locked = new Map<string | undefined, User | undefined>();
  const ids = [userId, by?.id].filter((id) => id !== undefined);
  // In the order of ids, so that two such changes do not wait for each other.
  for (const id of ids.toSorted()) locked.set(id, await lockUser(tx, id));
  return { user: locked.get(userId), administrator: by && (locked.get(by.id) ?? { ...by, role: 'viewer' }) };
}

/** @throws ServiceError `invalid-request` - the user is no administrator of this merchant, or of all merchants of this tenant. */
function requireAdministrator(by: By, scope: UserScope): void {
  if (!by || (isPermitted(by.role, 'administer') && isVisibleTo(scope, by))) return;
  throw invalidRequest('user', 'an administrator of the merchant', 'another role');
}

/**
 * Administrators can neither lock themselves out, nor change another account of theirs, which could approve what they request.
 *
 * @throws ServiceError `invalid-request`
 */
function requireOther(by: By, user: Pick<User, 'id' | 'email'>): void {
  if (by && isSamePerson(by, user))
    throw invalidRequest('user', 'another user than the one who is signed in', 'the same', 'own-account');
}

/**
 * Returns true if accounts are of one person: their e-mail addresses are delivered to one mailbox. A person may have accounts of several
 * merchants and of their tenant. Accounts that were removed have no address any more, and are compared by their id.
 */
export function isSamePerson(a: Pick<User, 'id' | 'email'>, b: Pick<User, 'id' | 'email'>): boolean {
  return a.id === b.id || (a.email !== '' && recipientKey(a.email) === recipientKey(b.email));
}

/** Returns true if everything in `scope` belongs to the merchant or tenant of a user. */
export function isVisibleTo(scope: UserScope, user: UserScope): boolean {
  return scope.tenantId === user.tenantId && (user.merchantId === null || scope.merchantId === user.merchantId);
}
