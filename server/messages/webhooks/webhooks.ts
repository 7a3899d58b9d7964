import { randomBytes } from 'node:crypto';
import type { CreateWebhookRequest, DeliveryQuery, TestEvent, Webhook, WebhookDelivery } from '../../../shared/wire/webhook.ts';
import type { Actor } from '../../base/actor.ts';
import { type Database, pageOf, type Query, type Tx } from '../../db/database.ts';
import { lookupHash } from '../../db/sealed.ts';
import { ServiceError } from '../../base/errors.ts';
import { idOf, newId } from '../../base/ids.ts';
import { countAttempt } from '../../http/attempts.ts';
import { lockMerchant } from '../../merchants/store.ts';
import { type CallbackRules, callbackUrlProblem } from '../callback-address.ts';
import { nextAttemptOf, presentAttempt } from '../deliveries.ts';
import { type DeliveredOrder, DUE_AT_ONCE, DUE_NOW, enqueueWebhookDeliveries, orderIn } from '../outbox.ts';
import {
  attemptsOf,
  deliveriesOf,
  type OutboxEntry,
  releaseWaiting,
  restartDelivery,
  deliveryState,
  webhookDelivery,
  webhookDeliveries,
} from '../store.ts';
import { addSecurityEvents, newSecurityEvent } from '../../merchants/security-events.ts';
import { DAY_MS, type Instant, MINUTE_MS, plusMs } from '../../base/time.ts';
import { deliveryIdOf, deliveryOf } from './enqueue.ts';
import { getEvent } from './events.ts';
import {
  addWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  lockWebhook,
  newestEvents,
  saveSecrets,
  saveWebhookState,
  type StoredWebhook,
  type WebhookSecret,
} from './store.ts';

/** Each event of a merchant is delivered to all of them. */
const MAX_WEBHOOKS = 10;

/** Time for which the earlier secret also signs, so that a receiver with the new one can be deployed. */
const ROTATION_MS = DAY_MS;

/** A request that changes webhooks: its database, which records its idempotency key, and its caller. */
export interface WebhookRequest {
  database: Database;
  merchantId: string;
  actor: Actor;
  /** In real time: a moved clock of a sandbox does not end secrets. */
  now: Instant;
}

/**
 * Creates a webhook, and sends it a test event. Its events wait until it responds to one with success.
 *
 * @returns Its id.
 * @throws ServiceError `invalid-request` - events cannot be sent to the URL, or the merchant has too many webhooks; `rate-limited`
 */
export async function createWebhook(
  { database, merchantId, actor, now }: WebhookRequest,
  { url, types }: CreateWebhookRequest,
  rules: CallbackRules,
): Promise<string> {
  const problem = callbackUrlProblem(url, rules);
  // Only the origin, because the URL may contain a password.
  if (problem) {
    const { origin } = new URL(url);
    throw new ServiceError('invalid-request', `At path: url -- Expected ${problem.expected}, but received one of ${origin}`);
  }
  const id = newId();
  const webhook: StoredWebhook = {
    id,
    merchantId,
    types: [...new Set(types)],
    url,
    secrets: [newSecret()],
    createdAt: now,
    confirmedAt: null,
    failingSince: null,
    disabledAt: null,
  };
  const event = newSecurityEvent({ kind: 'webhook-created', actor, merchantId, details: { webhookId: id } }, now);
  return database.write(async (tx) => {
    await lockMerchant(tx, merchantId);
    const count = (await listWebhooks(tx, merchantId)).length;
    if (count >= MAX_WEBHOOKS) {
      throw new ServiceError(
        'invalid-request',
        `Expected at most ${MAX_WEBHOOKS} webhooks; delete one before you create another.`,
        { reason: 'too-many-webhooks' },
      );
    }
    await addWebhook(tx, webhook);
    await addSecurityEvents(tx, event);
    await enqueueTest(tx, webhook, now);
    return id;
  });
}

function newSecret(): WebhookSecret {
  return { secret: `whsec_${randomBytes(32).toString('base64')}`, expiresAt: null };
}

/** Returns the webhook. @throws ServiceError `webhook-not-found` */
export async function getWebhook(query: Query, merchantId: string, id: string): Promise<StoredWebhook> {
  return requireFound(await findWebhook(query, merchantId, id));
}

function requireFound(webhook: StoredWebhook | undefined): StoredWebhook {
  if (webhook) return webhook;
  throw new ServiceError('webhook-not-found', 'Expected the id of one of your webhooks.');
}

/** Deletes a webhook. Its deliveries that are not finished fail. @throws ServiceError `webhook-not-found` */
export async function removeWebhook({ database, merchantId, actor, now }: WebhookRequest, id: string): Promise<void> {
  const event = newSecurityEvent({ kind: 'webhook-deleted', actor, merchantId, details: { webhookId: id } }, now);
  await database.write(async (tx) => {
    requireFound(await lockWebhook(tx, merchantId, id));
    await deleteWebhook(tx, id);
    // Deliveries that wait are attempted, and fail, because their webhook was deleted.
    await releaseWaiting(tx, id, DUE_NOW);
    await addSecurityEvents(tx, event);
  });
}

/** Adds a secret. The earlier one also signs for a day; one that is older does not any more. @throws ServiceError `webhook-not-found` */
export async function rotateSecret({ database, merchantId, actor, now }: WebhookRequest, id: string): Promise<void> {
  const added = newSecret();
  const event = newSecurityEvent({ kind: 'webhook-secret-created', actor, merchantId, details: { webhookId: id } }, now);
  await database.write(async (tx) => {
    const webhook = requireFound(await lockWebhook(tx, merchantId, id));
    const earlier = webhook.secrets.slice(0, 1).map((secret) => ({ ...secret, expiresAt: plusMs(now, ROTATION_MS) }));
    await saveSecrets(tx, { ...webhook, secrets: [added, ...earlier] });
    await addSecurityEvents(tx, event);
  });
}

/**
 * Enables a webhook that was disabled. Events of the meantime are in the list of events. One that has received nothing yet is sent a test
 * event.
 *
 * @throws ServiceError `webhook-not-found`, `rate-limited`
 */
export async function enableWebhook({ database, merchantId, actor, now }: WebhookRequest, id: string): Promise<void> {
  const event = newSecurityEvent({ kind: 'webhook-enabled', actor, merchantId, details: { webhookId: id } }, now);
  await database.write(async (tx) => {
    const webhook = requireFound(await lockWebhook(tx, merchantId, id));
    if (webhook.disabledAt === null) return;
    await saveWebhookState(tx, id, { failingSince: null, disabledAt: null });
    await addSecurityEvents(tx, event);
    if (webhook.confirmedAt === null) await enqueueTest(tx, webhook, now);
  });
}

/** Type of test events, which are in no list. */
export const TEST_TYPE = 'webhook.test';

/** Tests of a webhook that a merchant can request in a minute. */
const TESTS_PER_MINUTE = 10;

/** Tests of all webhooks of a merchant in a minute, also those that are sent when a webhook is created or enabled, to any URL. */
const TESTS_PER_MERCHANT = 60;

/**
 * Sends a test event, which is in no list. Returns the id of the delivery.
 *
 * @throws ServiceError `webhook-not-found`; `invalid-request` - the webhook is disabled; `rate-limited`
 */
export async function testWebhook({ database, merchantId, now }: WebhookRequest, id: string): Promise<string> {
  return database.write(async (tx) => {
    const webhook = requireFound(await lockWebhook(tx, merchantId, id));
    requireEnabled(webhook);
    await requireWithinMinute(tx, id, TESTS_PER_MINUTE, now);
    return enqueueTest(tx, webhook, now);
  });
}

async function requireWithinMinute(tx: Tx, counted: string, limit: number, now: Instant): Promise<void> {
  const subject = { hash: await lookupHash(tx, 'webhook-test', counted), limit, periodMs: MINUTE_MS };
  const [limited] = await countAttempt(tx, [subject], now);
  if (!limited) return;
  const details = { retryAfterSeconds: String(limited.waitSeconds) };
  throw new ServiceError('rate-limited', `Expected at most ${limit} tests in a minute.`, { details });
}

async function enqueueTest(tx: Tx, { id: webhookId, merchantId }: StoredWebhook, now: Instant): Promise<string> {
  await requireWithinMinute(tx, merchantId, TESTS_PER_MERCHANT, now);
  const event: TestEvent = { id: newId(), type: TEST_TYPE, createdAt: now, data: { webhookId } };
  const id = idOf(`${webhookId}/${event.id}`, 0, now);
  const body = JSON.stringify(event);
  await enqueueWebhookDeliveries(tx, [{ id, merchantId, webhookId, cartId: null, body, createdAt: now, dueAt: DUE_AT_ONCE }]);
  return id;
}

/**
 * Sends an event to a webhook, again if it has received it, and whatever types it receives. Returns the id of the delivery.
 *
 * @throws ServiceError `webhook-not-found`, `event-not-found`; `invalid-request` - the webhook is disabled.
 */
export async function replayEvent({ database, merchantId }: WebhookRequest, id: string, eventId: string): Promise<string> {
  return database.write(async (tx) => {
    const webhook = requireFound(await lockWebhook(tx, merchantId, id));
    requireEnabled(webhook);
    const dueAt = webhook.confirmedAt === null ? null : DUE_AT_ONCE;
    const delivery = deliveryOf(webhook.id, await getEvent(tx, merchantId, eventId), dueAt);
    if (await webhookDelivery(tx, webhook.id, delivery.id)) await restartDelivery(tx, delivery.id, dueAt);
    else await enqueueWebhookDeliveries(tx, [delivery]);
    return delivery.id;
  });
}

function requireEnabled({ disabledAt }: StoredWebhook): void {
  if (disabledAt === null) return;
  throw new ServiceError('invalid-request', 'The webhook is disabled because its deliveries failed for days; enable it first.', {
    reason: 'webhook-disabled',
  });
}

export interface DeliveryPage {
  deliveries: WebhookDelivery[];
  /** The purchases that the deliveries are about, by the ids of the deliveries. */
  orders: ReadonlyMap<string, DeliveredOrder>;
  /** The last delivery, after which the next page begins; undefined on the last page. */
  next: string | undefined;
}

/** Returns a page of the deliveries of a webhook with their attempts, the newest first. @throws ServiceError `webhook-not-found` */
export async function listWebhookDeliveries(
  query: Query,
  merchantId: string,
  id: string,
  { limit: pageSize, after }: DeliveryQuery,
): Promise<DeliveryPage> {
  await getWebhook(query, merchantId, id);
  const select = (limit: number) => webhookDeliveries(query, id, { limit, after: after?.toLowerCase() });
  const { items, isLast } = await pageOf(pageSize, select);
  const orders = new Map(items.map((row) => [row.id, orderIn(row.body)]));
  return { deliveries: await presentDeliveries(query, items), orders, next: isLast ? undefined : items.at(-1)!.id };
}

/** Most events of a transaction whose deliveries are listed: the newest. */
const MAX_EVENTS = 100;

/** Returns the deliveries of the newest events of a transaction to the merchant's webhooks, of the last 30 days. */
export async function deliveriesOfTransaction(
  query: Query,
  merchantId: string,
  transactionId: string,
): Promise<WebhookDelivery[]> {
  const webhooks = await listWebhooks(query, merchantId);
  if (webhooks.length === 0) return [];
  const events = await newestEvents(query, merchantId, transactionId, MAX_EVENTS);
  const ids = events.flatMap((event) => webhooks.map(({ id }) => deliveryIdOf(id, event)));
  return presentDeliveries(query, await deliveriesOf(query, ids));
}

/** Returns a delivery of a webhook, which exists. */
export async function readDelivery(query: Query, webhookId: string, id: string): Promise<WebhookDelivery> {
  const delivery = await webhookDelivery(query, webhookId, id);
  const [presented] = await presentDeliveries(query, delivery ? [delivery] : []);
  if (!presented) throw new Error(`There is no delivery ${id}`);
  return presented;
}

async function presentDeliveries(query: Query, rows: readonly OutboxEntry[]): Promise<WebhookDelivery[]> {
  const attempts = await attemptsOf(
    query,
    rows.map(({ id }) => id),
  );
  return rows.map((row) => {
    const event: { id: string; type: string } = JSON.parse(row.body);
    const state = deliveryState(row);
    return {
      id: row.id,
      eventId: event.id,
      eventType: event.type,
      state: state === 'delivered' || state === 'failed' ? state : 'pending',
      createdAt: row.createdAt,
      deliveredAt: row.deliveredAt,
      nextAttemptAt: nextAttemptOf(row),
      attempts: attempts
        .filter(({ deliveryId }) => deliveryId === row.id)
        .map(presentAttempt)
        .map(({ number: _number, ...attempt }) => attempt),
    };
  });
}

/** Presents a webhook without its secrets, and without the password of its URL. */
export function presentWebhook({ id, url, types, failingSince, disabledAt, createdAt }: StoredWebhook): Webhook {
  const shown = new URL(url);
  if (shown.password !== '') shown.password = '***';
  return {
    id,
    url: shown.password === '' ? url : shown.href,
    types: types.length > 0 ? [...types] : null,
    status: disabledAt !== null ? 'disabled' : failingSince !== null ? 'failing' : 'enabled',
    failingSince,
    disabledAt,
    createdAt,
  };
}

/** Returns the secrets that sign at an instant, the newest first. */
export function activeSecrets({ secrets }: StoredWebhook, now: Instant): string[] {
  return secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt > now).map(({ secret }) => secret);
}
