import { randomBytes } from 'node:crypto';
import type { Database, Query } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { newId } from '../ids.ts';
import type { Instant } from '../time.ts';
import {
  addCallbackSecret,
  type CallbackSecretRow,
  liveCallbackSecrets,
  lockMerchant,
  requireMerchant,
  retireCallbackSecret,
} from './store.ts';

/** While a secret is replaced, callbacks carry a signature of both, so that a receiver can change over when it likes. */
const MAX_LIVE = 2;

/** A new secret to sign a merchant's callbacks with. */
export function newCallbackSecret(merchantId: string, now: Instant): CallbackSecretRow {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { id: newId(), merchant_id: merchantId, secret, created_at: now, retired_at: null };
}

/** The merchant's secrets, the newest first. @throws ServiceError `invalid-request` - the merchant is unknown. */
export async function callbackSecretsOf(query: Query, merchantId: string): Promise<CallbackSecretRow[]> {
  await requireMerchant(query, merchantId);
  return liveCallbackSecrets(query, merchantId);
}

/**
 * Adds a secret beside the one the merchant has. Both are live until the older one is retired.
 *
 * @returns The secrets, the new one first.
 * @throws ServiceError `invalid-request` - the merchant is unknown, or has two already.
 */
export function rotateCallbackSecret(database: Database, merchantId: string, now: Instant): Promise<CallbackSecretRow[]> {
  const added = newCallbackSecret(merchantId, now);
  return database.write(async (tx) => {
    await lockMerchant(tx, merchantId);
    const live = await liveCallbackSecrets(tx, merchantId);
    if (live.length >= MAX_LIVE) {
      throw new ServiceError('invalid-request', `The merchant has ${live.length} secrets already: retire the older one first.`);
    }
    await addCallbackSecret(tx, added);
    return [added, ...live];
  });
}

/**
 * Retires the older of a merchant's two secrets: callbacks are signed with the newer one alone.
 *
 * @returns The secret that is left.
 * @throws ServiceError `invalid-request` - the merchant is unknown, or has no second one to sign with.
 */
export function retireOlderCallbackSecret(database: Database, merchantId: string, now: Instant): Promise<CallbackSecretRow[]> {
  return database.write(async (tx) => {
    await lockMerchant(tx, merchantId);
    const live = await liveCallbackSecrets(tx, merchantId);
    const older = live.at(-1);
    if (!older || live.length < 2) {
      throw new ServiceError('invalid-request', 'The merchant has no second secret: rotate first, or callbacks go unsigned.');
    }
    await retireCallbackSecret(tx, older.id, now);
    return live.slice(0, -1);
  });
}
