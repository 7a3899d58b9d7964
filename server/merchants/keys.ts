import { hash, timingSafeEqual } from 'node:crypto';
import type { Actor } from '../base/actor.ts';
import type { Database, Query, Tx } from '../db/database.ts';
import { invalidRequest, ServiceError } from '../base/errors.ts';
import { newToken } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import type { Instant } from '../base/time.ts';
import { addSecurityEvents, newSecurityEvent } from './security-events.ts';
import { addKey, findKey, keysOfMerchant, lockMerchant, type MerchantKey, requireMerchant, saveKeyRetirement } from './store.ts';

/** A merchant's credentials: the API key is public, the secret is shown once and stored only as its hash. */
export interface KeyPair {
  apiKey: string;
  secret: string;
}

/** Creates a key pair. The prefix contains the mode, and secret scanners recognize it. */
export function newKeyPair(mode: Mode): KeyPair {
  return { apiKey: `ft_${mode}_key_${newToken(16)}`, secret: `ft_${mode}_secret_${newToken(32)}` };
}

/** Returns the short id of a key for logs: the last 8 characters of the API key. */
export function keyIdOf(apiKey: string): string {
  return apiKey.slice(-8);
}

/**
 * Returns the SHA-256 of a secret, in hexadecimal. A slow hash is not needed, because a secret has 256 random bits.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Compares a secret with a hash in constant time. */
export function matchesSecretHash(secret: string, secretHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(secretHash));
}

/** Compared with when the API key is unknown, so that an unknown key takes as long as a wrong secret. */
export const NO_SECRET_HASH = hashSecret('');

/** Saves a key pair with the hash of its secret. */
export async function saveKeyPair(
  tx: Tx,
  { apiKey, secret }: KeyPair,
  merchantId: string,
  createdAt: Instant,
  createdBy: Actor,
): Promise<void> {
  await addKey(tx, { apiKey, merchantId, secretHash: hashSecret(secret), createdAt, retiredAt: null, createdBy });
}

/**
 * Adds a key pair to a merchant. Earlier key pairs are valid until they are retired. Only the returned value contains the secret.
 *
 * @throws ServiceError `invalid-request` - the merchant is unknown; `changed-meanwhile` - `database` repeats a write of an earlier run (see
 *   `once`), whose secret is lost.
 */
export async function addKeyPair(
  database: Database,
  mode: Mode,
  merchantId: string,
  now: Instant,
  actor: Actor = 'console',
): Promise<KeyPair> {
  const keyPair = newKeyPair(mode);
  const details = { keyId: keyIdOf(keyPair.apiKey) };
  const event = newSecurityEvent({ kind: 'key-created', actor, merchantId, details }, now);
  const added = await database.write(async (tx) => {
    await requireMerchant(tx, merchantId);
    await saveKeyPair(tx, keyPair, merchantId, now, actor);
    await addSecurityEvents(tx, event);
    return keyPair.apiKey;
  });
  if (added !== keyPair.apiKey) {
    throw new ServiceError('changed-meanwhile', 'The key was created, but its secret is lost: retire it, and create another.');
  }
  return keyPair;
}

/** Returns all keys of a merchant, the oldest first. @throws ServiceError `invalid-request` - the merchant is unknown. */
export async function listKeys(query: Query, merchantId: string): Promise<MerchantKey[]> {
  await requireMerchant(query, merchantId);
  return keysOfMerchant(query, merchantId);
}

/**
 * Retires a key. Requests with it are rejected like those with an unknown key. Retiring it again changes nothing.
 *
 * @throws ServiceError `invalid-request` - the key is unknown, or it is the merchant's last active key.
 */
export function retireKey(database: Database, apiKey: string, now: Instant, actor: Actor = 'console'): Promise<MerchantKey> {
  const event = newSecurityEvent({ kind: 'key-retired', actor, details: { keyId: keyIdOf(apiKey) } }, now);
  return database.write(async (tx) => {
    const found = await findKey(tx, apiKey);
    if (found) await lockMerchant(tx, found.merchantId);
    // Read again, because it may have been retired before the lock was acquired.
    const key = await findKey(tx, apiKey);
    if (!key) throw invalidRequest('api-key', 'the API key of a merchant', 'another value');
    if (key.retiredAt !== null) return key;
    const others = (await keysOfMerchant(tx, key.merchantId)).filter(
      (other) => other.apiKey !== apiKey && other.retiredAt === null,
    );
    if (others.length === 0) {
      throw new ServiceError(
        'invalid-request',
        `api-key: this is the last active key of merchant ${key.merchantId}; create another first: key rotate --merchant ${key.merchantId}`,
        { reason: 'last-key' },
      );
    }
    await addSecurityEvents(tx, { ...event, merchantId: key.merchantId });
    return saveKeyRetirement(tx, key, now);
  });
}
