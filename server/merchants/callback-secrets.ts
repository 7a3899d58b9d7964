import { randomBytes } from 'node:crypto';
import type { Database, Query } from '../db/database.ts';
import { ServiceError } from '../base/errors.ts';
import { newId } from '../base/ids.ts';
import { addSecurityEvents, newSecurityEvent } from './security-events.ts';
import type { Instant } from '../base/time.ts';
import {
  addCallbackSecret,
  type CallbackSecret,
  activeCallbackSecrets,
  lockMerchant,
  requireMerchant,
  retireCallbackSecret,
} from './store.ts';

/** Two during a rotation, when callbacks are signed with both. Only operators rotate, so the actor is `console`: a command. */
const MAX_ACTIVE = 2;

/** Creates a secret that signs a merchant's callbacks. */
export function newCallbackSecret(merchantId: string, now: Instant): CallbackSecret {
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  return { id: newId(), merchantId, secret, createdAt: now, retiredAt: null };
}

/** Returns the merchant's active secrets, the newest first. @throws ServiceError `invalid-request` - the merchant is unknown. */
export async function callbackSecretsOf(query: Query, merchantId: string): Promise<CallbackSecret[]> {
  await requireMerchant(query, merchantId);
  return activeCallbackSecrets(query, merchantId);
}

/**
 * Adds a second secret. Both are active until the older one is retired.
 *
 * @returns The secrets, the new one first.
 * @throws ServiceError `invalid-request` - the merchant is unknown, or has two secrets.
 */
export function rotateCallbackSecret(database: Database, merchantId: string, now: Instant): Promise<CallbackSecret[]> {
  const added = newCallbackSecret(merchantId, now);
  const details = { secretId: added.id };
  const event = newSecurityEvent({ kind: 'callback-secret-created', actor: 'console', merchantId, details }, now);
  return database.write(async (tx) => {
    await lockMerchant(tx, merchantId);
    const active = await activeCallbackSecrets(tx, merchantId);
    if (active.length >= MAX_ACTIVE) {
      throw new ServiceError('invalid-request', `The merchant has ${active.length} secrets already: retire the older one first.`);
    }
    await addCallbackSecret(tx, added);
    await addSecurityEvents(tx, event);
    return [added, ...active];
  });
}

/**
 * Retires the older of a merchant's two secrets.
 *
 * @returns The remaining secret.
 * @throws ServiceError `invalid-request` - the merchant is unknown, or has only one secret.
 */
export function retireOlderCallbackSecret(database: Database, merchantId: string, now: Instant): Promise<CallbackSecret[]> {
  const event = newSecurityEvent({ kind: 'callback-secret-retired', actor: 'console', merchantId, details: {} }, now);
  return database.write(async (tx) => {
    await lockMerchant(tx, merchantId);
    const active = await activeCallbackSecrets(tx, merchantId);
    const older = active.at(-1);
    if (!older || active.length < 2) {
      throw new ServiceError(
        'invalid-request',
        'The merchant has no second secret: rotate first, or callbacks would not be signed.',
      );
    }
    await retireCallbackSecret(tx, older.id, now);
    await addSecurityEvents(tx, { ...event, details: { secretId: older.id } });
    return active.slice(0, -1);
  });
}
