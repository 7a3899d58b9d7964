import { signWebhook } from '../../shared/webhooks.ts';
import type { Database } from '../db/database.ts';
import { activeCallbackSecrets } from '../merchants/store.ts';
import { type Clock, epochMs } from '../time.ts';
import type { Send } from './outcome.ts';
import type { Post } from './send.ts';

/** Posts callbacks. Each attempt is signed with the current secrets of the merchant. */
export function callbackSend({ query }: Database, clock: Clock, post: Post): Send {
  return async ({ id, merchant_id, url, body }) => {
    const secrets = await activeCallbackSecrets(query, merchant_id);
    const atSeconds = Math.floor(epochMs(clock.now()) / 1000);
    const headers = await signWebhook(
      id,
      atSeconds,
      body,
      secrets.map(({ secret }) => secret),
    );
    return post(url, body, headers);
  };
}
