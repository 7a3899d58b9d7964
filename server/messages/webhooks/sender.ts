import { signWebhook } from '../../../shared/webhooks.ts';
import type { Database } from '../../db/database.ts';
import type { Outcome, Send } from '../attempt.ts';
import type { Post } from '../callback.ts';
import { MAX_OPEN_MS } from '../circuit-breaker.ts';
import { DUE_NOW } from '../outbox.ts';
import { releaseWaiting } from '../store.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import { type Clock, DAY_MS, epochMs, type Instant } from '../../base/time.ts';
import { disableWebhook, findReceiver, saveFailing, saveWebhookState, type StoredWebhook } from './store.ts';
import { activeSecrets, TEST_TYPE } from './webhooks.ts';

/** Time for which all attempts must have failed before a webhook is disabled: that of all retries of an event. */
const DISABLED_AFTER_MS = 3 * DAY_MS;

/** The status of a receiver that accepts no more events. Standard Webhooks: the sender should disable its webhook. */
const GONE = 410;

/** A webhook that was disabled, for the log. */
export interface DisabledWebhook {
  webhookId: string;
  merchantId: string;
  failingSince: Instant;
}

/**
 * Sends events to webhooks, signed with their active secrets. Records since when all attempts have failed, and disables a webhook that has
 * failed for days.
 *
 * @param onDisabled - Called with each webhook that is disabled.
 */
export function webhookSender(
  { query }: Database,
  clock: Clock,
  post: Post,
  onDisabled: (webhook: DisabledWebhook) => void,
): Send {
  return async ({ endpoint, body }) => {
    const webhook = await findReceiver(query, endpoint);
    if (!webhook) return { statusCode: null, failure: 'The webhook was deleted', isPermanent: true };
    if (webhook.disabledAt !== null) return { statusCode: null, failure: 'The webhook is disabled', isPermanent: true };
    const event: { id: string; type: string } = JSON.parse(body);
    // Its events are due once a test was accepted, unless one is sent again.
    if (webhook.confirmedAt === null && event.type !== TEST_TYPE) {
      return { statusCode: null, failure: 'The webhook has not accepted a test event', isPermanent: true };
    }
    const now = clock.now();
    const headers = await signWebhook(event.id, Math.floor(epochMs(now) / 1_000), body, activeSecrets(webhook, now));
    const outcome = await post(webhook.url, body, headers);
    return recordingHealth(webhook, outcome, clock.now(), onDisabled);
  };
}

/** Returns the outcome of an attempt with what is saved of the webhook together with it: normally nothing. */
function recordingHealth(
  { id, merchantId, failingSince, confirmedAt }: StoredWebhook,
  received: Outcome,
  now: Instant,
  onDisabled: (webhook: DisabledWebhook) => void,
): Outcome {
  if (received.failure === '') {
    if (failingSince === null && confirmedAt !== null) return received;
    return {
      ...received,
      saveWith: async (tx, save) => {
        await saveWebhookState(tx, id, { failingSince: null, confirmedAt: confirmedAt ?? now });
        if (confirmedAt === null) await releaseWaiting(tx, id, DUE_NOW);
        await save();
      },
    };
  }
  // Events wait for the test of a webhook that has received nothing: it is tried again as often as one that fails.
  const outcome = confirmedAt === null ? { ...received, maxWaitMs: MAX_OPEN_MS } : received;
  const since = failingSince ?? now;
  const isGone = outcome.statusCode === GONE;
  if (isGone || epochMs(now) - epochMs(since) >= DISABLED_AFTER_MS) {
    const details = { webhookId: id, failingSince: since };
    const event = newSecurityEvent({ kind: 'webhook-disabled', actor: 'system', merchantId, details }, now);
    return {
      ...outcome,
      saveWith: async (tx, save) => {
        const isDisabled = await disableWebhook(tx, { id, failingSince: since, isGone }, now);
        if (isDisabled) {
          await addSecurityEvents(tx, event);
          // Deliveries that wait are attempted, and fail, because the webhook is disabled.
          await releaseWaiting(tx, id, DUE_NOW);
        }
        await save();
        if (isDisabled) onDisabled({ webhookId: id, merchantId, failingSince: since });
      },
    };
  }
  if (failingSince !== null) return outcome;
  return {
    ...outcome,
    saveWith: async (tx, save) => {
      await saveFailing(tx, id, now);
      await save();
    },
  };
}
