import { exportJWK, generateKeyPair, type JWK } from 'jose';
import type { Database, Query } from '../db/database.ts';
import { lockEnvironment } from '../db/mode.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import { type Instant, plusMs } from '../time.ts';
import { addSigningKey, allSigningKeys, type KnownKeyRow, newestLiveKey, saveRetiredKey, type SigningKeyRow } from './store.ts';

/** Signature algorithm of our tokens: every JOSE library supports it, its keys are short, and verification needs no secret. */
export const ALGORITHM = 'ES256';

/** Another key. Once it is written, it is the one that signs. */
async function newSigningKey(now: Instant): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  // A word in base64url may begin with a dash, and no command takes such for an option's value.
  const kid = newId();
  const named = async (key: CryptoKey): Promise<JWK> => ({ ...(await exportJWK(key)), kid, alg: ALGORITHM, use: 'sig' });
  return {
    kid,
    algorithm: ALGORITHM,
    public_jwk_json: JSON.stringify(await named(publicKey)),
    private_jwk_json: JSON.stringify(await named(privateKey)),
    created_at: now,
    retired_at: null,
  };
}

/** Returns the current signing key. Creates the first one; concurrent calls create only one. */
export async function signingKey(database: Database, now: Instant): Promise<SigningKeyRow> {
  const newest = await newestLiveKey(database.query);
  if (newest) return newest;
  const made = await newSigningKey(now);
  return database.write(async (tx) => {
    await lockEnvironment(tx);
    const meanwhile = await newestLiveKey(tx);
    if (meanwhile) return meanwhile;
    await addSigningKey(tx, made);
    return made;
  });
}

/** Creates a new signing key. Tokens signed with earlier keys remain valid. */
export async function rotateSigningKey(database: Database, now: Instant): Promise<KnownKeyRow> {
  const made = await newSigningKey(now);
  return database.write(async (tx) => {
    await lockEnvironment(tx);
    const newest = await newestLiveKey(tx);
    // Also where the clocks of two machines differ, it is the newest.
    const created_at = newest && newest.created_at >= now ? plusMs(newest.created_at, 1) : now;
    const { private_jwk_json: _, ...known } = { ...made, created_at };
    await addSigningKey(tx, { ...made, created_at });
    return known;
  });
}

/**
 * Retires a key and invalidates every token signed with it. Retiring it again changes nothing.
 *
 * @throws ServiceError `invalid-request` - the key is unknown, or it is the last one: rotate first.
 */
export function retireSigningKey(database: Database, kid: string, now: Instant): Promise<KnownKeyRow> {
  return database.write(async (tx) => {
    await lockEnvironment(tx);
    const keys = await allSigningKeys(tx);
    const key = keys.find((one) => one.kid === kid);
    if (!key)
      throw new ServiceError('invalid-request', 'kid: expected a signing key of signing-key list, but received another word');
    if (key.retired_at !== null) return key;
    if (!keys.some((other) => other.kid !== kid && other.retired_at === null)) {
      throw new ServiceError('invalid-request', 'kid: this is the last signing key; make another first: signing-key rotate');
    }
    await saveRetiredKey(tx, kid, now);
    return { ...key, retired_at: now };
  });
}

/** Every signing key, the newest first, and which of them signs. */
export async function listSigningKeys(query: Query): Promise<(KnownKeyRow & { isSigning: boolean })[]> {
  const keys = await allSigningKeys(query);
  const newest = keys.find(({ retired_at }) => retired_at === null);
  return keys.map((key) => ({ ...key, isSigning: key === newest }));
}
