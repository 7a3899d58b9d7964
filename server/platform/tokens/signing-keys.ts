import { isAuthentic, macOf, openRows, seal, unseal } from '../../db/sealed.ts';
import type { SigningKeyTable } from '../../db/schema.ts';
import { prepared } from '../../db/prepared.ts';
import type { Selectable } from 'kysely';
import { toJson, type Json } from '../../db/json.ts';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Database, Query, Tx } from '../../db/database.ts';
import { lockEnvironment } from '../../db/mode.ts';
import { invalidRequest, ServiceError } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import { type Instant, plusMs } from '../../base/time.ts';

/** Signature algorithm of our tokens: every JOSE library supports it, its keys are short, and verification needs no secret. */
export const ALGORITHM = 'ES256';

/** Generates a key, which signs once it is stored. */
async function newSigningKey(now: Instant): Promise<SigningKey> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  // Not random base64url, which may begin with a dash: parseArgs would reject it as a value of `--kid`.
  const kid = newId();
  const toJwk = async (key: CryptoKey): Promise<JWK> => ({ ...(await exportJWK(key)), kid, alg: ALGORITHM, use: 'sig' });
  return {
    kid,
    algorithm: ALGORITHM,
    publicJwkJson: toJson(await toJwk(publicKey)),
    privateJwkJson: toJson(await toJwk(privateKey)),
    createdAt: now,
    retiredAt: null,
  };
}

/** Returns the current signing key. Creates the first one; concurrent calls create only one. */
export async function signingKey(database: Database, now: Instant): Promise<SigningKey> {
  const newest = await newestActiveKey(database.query);
  if (newest) return newest;
  const created = await newSigningKey(now);
  const event = newSecurityEvent({ kind: 'signing-key-created', actor: 'system', details: { kid: created.kid } }, now);
  return database.write(async (tx) => {
    await lockEnvironment(tx);
    const concurrent = await newestActiveKey(tx);
    if (concurrent) return concurrent;
    await addSigningKey(tx, created);
    await addSecurityEvents(tx, event);
    return created;
  });
}

/** Creates a new signing key for an operator's command, whose actor is `console`. Tokens signed with earlier keys remain valid. */
export async function rotateSigningKey(database: Database, now: Instant): Promise<PublicKey> {
  const created = await newSigningKey(now);
  const event = newSecurityEvent({ kind: 'signing-key-created', actor: 'console', details: { kid: created.kid } }, now);
  return database.write(async (tx) => {
    await lockEnvironment(tx);
    const newest = await newestActiveKey(tx);
    // The new key must be the newest even if the clocks of two machines differ.
    const createdAt = newest && newest.createdAt >= now ? plusMs(newest.createdAt, 1) : now;
    const { privateJwkJson: _, ...publicKey } = { ...created, createdAt };
    await addSigningKey(tx, { ...created, createdAt });
    await addSecurityEvents(tx, event);
    return publicKey;
  });
}

/**
 * Retires a key and invalidates every token signed with it. Retiring it again changes nothing.
 *
 * @throws ServiceError `invalid-request` - the key is unknown, or it is the last one: rotate first.
 */
export function retireSigningKey(database: Database, kid: string, now: Instant): Promise<PublicKey> {
  const event = newSecurityEvent({ kind: 'signing-key-retired', actor: 'console', details: { kid } }, now);
  return database.write(async (tx) => {
    await lockEnvironment(tx);
    const keys = await allSigningKeys(tx);
    const key = keys.find((one) => one.kid === kid);
    if (!key) throw invalidRequest('kid', 'the id of a signing key', 'another value');
    if (key.retiredAt !== null) return key;
    if (!keys.some((other) => other.kid !== kid && other.retiredAt === null)) {
      throw new ServiceError('invalid-request', 'kid: this is the last signing key; create another first: signing-key rotate');
    }
    await addSecurityEvents(tx, event);
    return saveRetiredKey(tx, key, now);
  });
}

/** Returns all signing keys as they are shown, the newest first. `isSigning` marks the one that signs. */
export async function listSigningKeys(query: Query) {
  const all = await allSigningKeys(query);
  const newest = all.find(({ retiredAt }) => retiredAt === null);
  return all.map(({ kid, algorithm, createdAt, retiredAt }) => {
    return { kid, algorithm, createdAt, retiredAt, isSigning: kid === newest?.kid };
  });
}

/** A signing key with its opened private key. */
export type SigningKey = PublicKey & {
  privateJwkJson: Json<JWK>;
};

/** A signing key without its private key. */
export type PublicKey = Omit<Selectable<SigningKeyTable>, 'sealed' | 'mac'>;

/** Returns all keys, including retired ones, the newest first. */
async function allSigningKeys(query: Query): Promise<PublicKey[]> {
  const rows = await query
    .selectFrom('signing_keys')
    .select(['kid', 'algorithm', 'publicJwkJson', 'createdAt', 'retiredAt', 'mac'])
    .orderBy('createdAt', 'desc')
    .orderBy('kid', 'desc')
    .execute();
  return rows.filter((row) => isAuthentic(query, 'signing_keys', row));
}

/** Returns the key that signs: the newest active one. */
async function newestActiveKey(query: Query): Promise<SigningKey | undefined> {
  const [newest] = await openRows(query, await activeKeysOf(query), (row) => {
    const { sealed: _, mac: _mac, ...key } = row;
    return { ...key, privateJwkJson: unseal(query, 'signing_keys', row) };
  });
  return newest;
}

/** Returns the public keys that are not retired, the newest first. */
export async function activePublicKeys(query: Query): Promise<Json<JWK>[]> {
  return (await activeKeysOf(query)).map(({ publicJwkJson }) => publicJwkJson);
}

async function activeKeysOf(query: Query): Promise<Selectable<SigningKeyTable>[]> {
  return (await activeKeys(query)).filter((row) => isAuthentic(query, 'signing_keys', row));
}

const activeKeys = prepared((query) =>
  query.selectFrom('signing_keys').selectAll().where('retiredAt', 'is', null).orderBy('createdAt', 'desc').orderBy('kid', 'desc'),
);

async function addSigningKey(tx: Tx, { privateJwkJson, ...key }: SigningKey): Promise<void> {
  const sealed = seal(tx, 'signing_keys', key, privateJwkJson);
  await tx
    .insertInto('signing_keys')
    .values({ ...key, sealed, mac: macOf(tx, 'signing_keys', key) })
    .execute();
}

/** Retires a key, and returns it. Deletes its private key, but not its row. */
async function saveRetiredKey(tx: Tx, key: PublicKey, retiredAt: Instant): Promise<PublicKey> {
  const retired = { ...key, retiredAt };
  const mac = macOf(tx, 'signing_keys', retired);
  await tx.updateTable('signing_keys').set({ sealed: '', retiredAt, mac }).where('kid', '=', key.kid).execute();
  return retired;
}
