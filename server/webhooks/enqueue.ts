import type { Database, Tx } from '../db/database.ts';
import { fromJson } from '../db/json.ts';
import { idOf } from '../ids.ts';
import { enqueueWebhookDeliveries, type NewWebhookDelivery } from '../notifications/outbox.ts';
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
      .map(({ id }) => deliveryOf(id, event)),
  );
  await enqueueWebhookDeliveries(tx, deliveries);
  await saveEnqueued(
    tx,
    events.map(({ id }) => id),
  );
  return events.length;
}

/** Returns the delivery of an event to a webhook, whose id is always the same. */
export function deliveryOf(webhookId: string, event: StoredEvent): NewWebhookDelivery {
  const { merchantId, createdAt } = event;
  return {
    id: idOf(`${webhookId}/${event.id}`, 0, createdAt),
    merchantId,
    webhookId,
    cartId: fromJson(event.dataJson).cartId,
    body: JSON.stringify(presentEvent(event)),
    createdAt,
  };
}
