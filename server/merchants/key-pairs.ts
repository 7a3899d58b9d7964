import type { Database, Query } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import type { Instant } from '../time.ts';
import { hashSecret, type KeyPair, newKeyPair } from './keys.ts';
import { addKey, findKey, keysOf, lockMerchant, type MerchantKeyRow, requireMerchant, saveRetirement } from './store.ts';
import type { Mode } from '../mode.ts';

/**
 * Gives a merchant another key pair. Those it has go on working until they are retired, so that it can change over.
 *
 * The answer is the only place where the secret is ever seen.
 *
 * @throws ServiceError `invalid-request` - the merchant is unknown.
 */
export async function addKeyPair(database: Database, mode: Mode, merchantId: string, now: Instant): Promise<KeyPair> {
  const keyPair = newKeyPair(mode);
  await database.write(async (tx) => {
    await requireMerchant(tx, merchantId);
    const { apiKey, secret } = keyPair;
    await addKey(tx, {
      api_key: apiKey,
      merchant_id: merchantId,
      secret_hash: hashSecret(secret),
      created_at: now,
      retired_at: null,
    });
  });
  return keyPair;
}

/** Every key of a merchant, the oldest first. @throws ServiceError `invalid-request` - the merchant is unknown. */
export async function listKeys(query: Query, merchantId: string): Promise<MerchantKeyRow[]> {
  await requireMerchant(query, merchantId);
  return keysOf(query, merchantId);
}

/**
 * Ends a key: from then on it is as unknown as any other word. Retiring it again changes nothing.
 *
 * @throws ServiceError `invalid-request` - the key is unknown; it is the last that works, and its merchant would be locked out.
 */
export function retireKey(database: Database, apiKey: string, now: Instant): Promise<MerchantKeyRow> {
  return database.write(async (tx) => {
    const found = await findKey(tx, apiKey);
    if (found) await lockMerchant(tx, found.merchant_id);
    const key = await findKey(tx, apiKey);
    if (!key) throw new ServiceError('invalid-request', 'api-key: expected the API key of a merchant, but received another word');
    if (key.retired_at !== null) return key;
    const others = (await keysOf(tx, key.merchant_id)).filter((other) => other.api_key !== apiKey && other.retired_at === null);
    if (others.length === 0) {
      throw new ServiceError(
        'invalid-request',
        `api-key: this is the last key of merchant ${key.merchant_id} that works; make another first: key rotate --merchant ${key.merchant_id}`,
      );
    }
    await saveRetirement(tx, apiKey, now);
    return { ...key, retired_at: now };
  });
}
