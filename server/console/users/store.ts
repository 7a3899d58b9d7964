import type { Selectable } from 'kysely';
import type { Query, Tx } from '../../db/database.ts';
import type { UserLinkTable, UserPasskeyTable, UserSessionTable, UserTable } from '../../db/schema.ts';
import { emailHash, isAuthentic, macOf, openRow, openRows, seal } from '../../db/sealed.ts';
import { isId } from '../../base/ids.ts';
import type { Instant } from '../../base/time.ts';

/** The values of a user that identify a person. */
interface SealedUser {
  /** Empty if it is unknown. */
  name: string;
  email: string;
}

declare module '../../db/sealed.ts' {
  interface SealedValues {
    users: SealedUser;
  }
}

type UserRow = Selectable<UserTable>;

/** A person who uses the console. */
export type User = Omit<UserRow, 'sealed'> & SealedUser;

/** The values of a user whose e-mail address was deleted. */
export const NO_EMAIL = { email: '', emailHash: '0'.repeat(64) };

function rowOf(tx: Tx, { name, email, ...row }: User): UserRow {
  return { ...row, sealed: seal(tx, 'users', row, { name, email }) };
}

function opened(query: Query, stored: UserRow): User {
  const { sealed: _, ...user } = openRow(query, 'users', stored);
  return user;
}

/** Adds a user. Returns false if the merchant or tenant already has a user with this e-mail address. */
export async function addUser(tx: Tx, user: User): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('users')
    .values(rowOf(tx, user))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Saves a user whose row is locked. */
export async function saveUser(tx: Tx, user: User): Promise<void> {
  const { id, role, refundLimitCents, removedAt, emailHash: hash, sealed } = rowOf(tx, user);
  await tx
    .updateTable('users')
    .set({ role, refundLimitCents, removedAt, emailHash: hash, sealed })
    .where('id', '=', id)
    .execute();
}

/** Returns a user, also a removed one, and undefined if the id is unknown. */
export async function findUser(query: Query, id: string): Promise<User | undefined> {
  if (!isId(id)) return undefined;
  const row = await query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  return row && opened(query, row);
}

/** Returns users, also removed ones. Unknown ids have none. */
export async function findUsers(query: Query, ids: Iterable<string>): Promise<User[]> {
  const valid = [...new Set(ids)].filter(isId);
  if (valid.length === 0) return [];
  const rows = await query.selectFrom('users').selectAll().where('id', 'in', valid).execute();
  return rows.map((row) => opened(query, row));
}

/** Returns the names of users, also of removed ones, by id: the e-mail address of a user without a name. Unknown ids have none. */
export async function namesOfUsers(query: Query, tenantId: string, ids: Iterable<string>): Promise<Map<string, string>> {
  const users = (await findUsers(query, ids)).filter((user) => user.tenantId === tenantId);
  return new Map(users.flatMap(({ id, name, email }) => (name || email ? [[id, name || email]] : [])));
}

/** Selects the users that were not removed. */
function activeUsers(query: Query) {
  return query.selectFrom('users').selectAll().where('removedAt', 'is', null);
}

/** Returns a user that was not removed, and locks its row until the database transaction ends. */
export async function lockUser(tx: Tx, id: string): Promise<User | undefined> {
  if (!isId(id)) return undefined;
  const row = await activeUsers(tx).where('id', '=', id).forUpdate().executeTakeFirst();
  return row && opened(tx, row);
}

/** Returns the id of the user of a merchant, or of all merchants of a tenant, with an e-mail address. */
export async function findIdOfEmail(
  query: Query,
  { tenantId, merchantId }: UserScope,
  hash: string,
): Promise<string | undefined> {
  const row = await activeUsers(query)
    .where('emailHash', '=', hash)
    .where('tenantId', '=', tenantId)
    .where('merchantId', merchantId === null ? 'is' : '=', merchantId)
    .executeTakeFirst();
  return row?.id;
}

/** More accounts of one person in several tenants and merchants than occur. */
const MAX_ACCOUNTS = 50;

/** Returns the users with this e-mail address, in all tenants. */
export async function usersOfEmail(query: Query, email: string): Promise<User[]> {
  const rows = await activeUsers(query)
    .where('emailHash', '=', await emailHash(query, email))
    .orderBy('id')
    .limit(MAX_ACCOUNTS)
    .execute();
  return openRows(query, rows, (row) => opened(query, row));
}

/** A merchant, or all merchants of a tenant. */
export interface UserScope {
  tenantId: string;
  /** Null for all merchants of the tenant. */
  merchantId: string | null;
}

/** Returns the users that see a merchant, those of all merchants of its tenant included, the oldest first. */
export async function listUsers(query: Query, { tenantId, merchantId }: UserScope): Promise<User[]> {
  const rows = await activeUsers(query)
    .where('tenantId', '=', tenantId)
    .where((eb) => eb.or([eb('merchantId', 'is', null), ...(merchantId === null ? [] : [eb('merchantId', '=', merchantId)])]))
    .orderBy('id')
    .execute();
  return openRows(query, rows, (row) => opened(query, row));
}

export type UserLink = Omit<Selectable<UserLinkTable>, 'mac'>;

/** Adds a link, and deletes those that have expired. */
export async function addLink(tx: Tx, link: UserLink, now: Instant): Promise<void> {
  await tx.deleteFrom('user_links').where('expiresAt', '<=', now).execute();
  await tx
    .insertInto('user_links')
    .values({ ...link, mac: macOf(tx, 'user_links', link) })
    .execute();
}

/** Returns a link that has not expired. */
export async function findLink(query: Query, tokenHash: string, now: Instant): Promise<UserLink | undefined> {
  const row = await query
    .selectFrom('user_links')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
  return row && isAuthentic(query, 'user_links', row) ? row : undefined;
}

/** Deletes a link that is used. Returns false if another request has used it. */
export async function deleteLink(tx: Tx, tokenHash: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('user_links').where('tokenHash', '=', tokenHash).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** Deletes all links and sessions of a user. */
export async function deleteAccess(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('user_links').where('userId', '=', userId).execute();
  await tx.deleteFrom('user_sessions').where('userId', '=', userId).execute();
}

export type UserSession = Omit<Selectable<UserSessionTable>, 'mac'>;

/** Adds a session, and deletes those that have ended. */
export async function addSession(tx: Tx, session: UserSession, now: Instant): Promise<void> {
  await tx.deleteFrom('user_sessions').where('endsAt', '<=', now).execute();
  await tx
    .insertInto('user_sessions')
    .values({ ...session, mac: macOf(tx, 'user_sessions', session) })
    .execute();
}

/** Returns a session that has not reached its absolute end. */
export async function findSessionRow(query: Query, tokenHash: string, now: Instant): Promise<UserSession | undefined> {
  const row = await query
    .selectFrom('user_sessions')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('endsAt', '>', now)
    .executeTakeFirst();
  return row && isAuthentic(query, 'user_sessions', row) ? row : undefined;
}

/** Saves that a session was used. */
export async function saveLastSeen(tx: Tx, tokenHash: string, lastSeenAt: Instant): Promise<void> {
  await tx.updateTable('user_sessions').set({ lastSeenAt }).where('tokenHash', '=', tokenHash).execute();
}

/** Deletes a session. Returns false if it did not exist. */
export async function deleteSession(tx: Tx, tokenHash: string): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('user_sessions').where('tokenHash', '=', tokenHash).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
}

/** The values of a passkey that only the service needs. */
interface SealedPasskey {
  /** Named by the user: `Work laptop`. */
  name: string;
  /** COSE key, in base64url. */
  publicKey: string;
}

declare module '../../db/sealed.ts' {
  interface SealedValues {
    user_passkeys: SealedPasskey;
  }
}

export type Passkey = Omit<Selectable<UserPasskeyTable>, 'sealed'> & SealedPasskey;

function passkeyRow(tx: Tx, { name, publicKey, ...row }: Passkey) {
  return { ...row, sealed: seal(tx, 'user_passkeys', row, { name, publicKey }) };
}

/** Adds a passkey. Returns false if it is one of a user already. */
export async function addPasskey(tx: Tx, passkey: Passkey): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('user_passkeys')
    .values(passkeyRow(tx, passkey))
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
}

/** Saves the name and the last use of a passkey. */
export async function savePasskey(tx: Tx, passkey: Passkey): Promise<void> {
  const { id, counter, challengedAt, sealed } = passkeyRow(tx, passkey);
  await tx.updateTable('user_passkeys').set({ counter, challengedAt, sealed }).where('id', '=', id).execute();
}

export async function findPasskey(query: Query, id: string): Promise<Passkey | undefined> {
  const row = await query.selectFrom('user_passkeys').selectAll().where('id', '=', id).executeTakeFirst();
  return row && openPasskey(query, row);
}

/** Returns a passkey, and locks its row until the database transaction ends. */
export async function lockPasskey(tx: Tx, id: string): Promise<Passkey | undefined> {
  const row = await tx.selectFrom('user_passkeys').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
  return row && openPasskey(tx, row);
}

/** Returns the passkeys of a user, the oldest first. */
export async function passkeysOf(query: Query, userId: string): Promise<Passkey[]> {
  const rows = await query
    .selectFrom('user_passkeys')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
  return openRows(query, rows, (row) => openPasskey(query, row));
}

function openPasskey(query: Query, row: Selectable<UserPasskeyTable>): Passkey {
  const { sealed: _, ...passkey } = openRow(query, 'user_passkeys', row);
  return passkey;
}

/** Deletes passkeys of a user: one, or all of them. Returns their number. */
export async function deletePasskeys(tx: Tx, userId: string, id?: string): Promise<bigint> {
  let deletion = tx.deleteFrom('user_passkeys').where('userId', '=', userId);
  if (id !== undefined) deletion = deletion.where('id', '=', id);
  return (await deletion.executeTakeFirstOrThrow()).numDeletedRows;
}
