import type { Database, Tx } from '../../db/database.ts';
import { fromJson } from '../../db/json.ts';
import { idOf } from '../../base/ids.ts';
import { DUE_NOW, enqueueWebhookDeliveries, type NewWebhookDelivery } from '../outbox.ts';
import { hastenRetries } from '../store.ts';
import type { Instant } from '../../base/time.ts';
import { presentEvent } from './events.ts';
import { eventsToEnqueue, hasEventsToEnqueue, receivingWebhooks, saveEnqueued, type StoredEvent } from './store.ts';

/** Events whose deliveries are enqueued in one database transaction. */
const BATCH = 100;

/**
 * Enqueues the deliveries of new events to the webhooks of their merchants. Each event is enqueued once: processes skip those that another
 * is enqueuing.
 */
export async function enqueueDeliveries(database: Database): Promise<void> {
  while (await hasEventsToEnqueue(database.query)) {
    if ((await database.write(enqueueBatch)) < BATCH) return;
  }
}

async function enqueueBatch(tx: Tx): Promise<number> {
  const events = await eventsToEnqueue(tx, BATCH);
  const webhooks = await receivingWebhooks(tx, [...new Set(events.map(({ merchantId }) => merchantId))]);
  const deliveries = events.flatMap((event) =>
    webhooks
      .filter(({ merchantId, types }) => merchantId === event.merchantId && (types.length === 0 || types.includes(event.type)))
      .map(({ id, confirmedAt }) => deliveryOf(id, event, confirmedAt === null ? null : DUE_NOW)),
  );
  await enqueueWebhookDeliveries(tx, deliveries);
  // An event is a reason to try the test of its webhook again: the receiver may have been started meanwhile.
  const waiting = deliveries.flatMap(({ webhookId, dueAt }) => (dueAt === null ? [webhookId] : []));
  await hastenRetries(tx, [...new Set(waiting)], DUE_NOW);
  await saveEnqueued(
    tx,
    events.map(({ id }) => id),
  );
  return events.length;
}

/** Returns the id of the delivery of an event to a webhook, which is always the same. */
export function deliveryIdOf(webhookId: string, { id, createdAt }: StoredEvent): string {
  return idOf(`${webhookId}/${id}`, 0, createdAt);
}

export function deliveryOf(webhookId: string, event: StoredEvent, dueAt: Instant | null): NewWebhookDelivery {
  const { merchantId, createdAt } = event;
  return {
    id: deliveryIdOf(webhookId, event),
    merchantId,
    webhookId,
    cartId: fromJson(event.dataJson).cartId,
    body: JSON.stringify(presentEvent(event)),
    createdAt,
    dueAt,
  };
}
