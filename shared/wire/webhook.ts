import { array, enums, type Infer, literal, object, string } from 'superstruct';
import { EventType } from './event.ts';
import { nullAsAbsent, Timestamp, Uuid, WebUrl } from './fields.ts';
import { integerInQuery } from './query.ts';
import { boundedInteger, defaulted, nullable, optional, size } from './structs.ts';

/** Request body of `POST /webhooks`. Without `types`, the webhook receives all events, also of types that are added later. */
export const CreateWebhookRequest = object({ url: WebUrl, types: nullAsAbsent(size(array(EventType), 1, 50)) });
export type CreateWebhookRequest = Infer<typeof CreateWebhookRequest>;

/** `failing`: the last attempt failed. `disabled`: it failed for days, and receives no events until it is enabled. */
export const WebhookStatus = enums(['enabled', 'failing', 'disabled']);

const webhook = {
  id: string(),
  url: string(),
  /** Null for all events. */
  types: nullable(array(EventType)),
  status: WebhookStatus,
  failingSince: nullable(Timestamp),
  disabledAt: nullable(Timestamp),
  createdAt: Timestamp,
};

export const Webhook = object(webhook);
export type Webhook = Infer<typeof Webhook>;

/** The response that creates a webhook or its secret, which no other response contains. */
export const WebhookWithSecret = object({ ...webhook, secret: string() });
export type WebhookWithSecret = Infer<typeof WebhookWithSecret>;

export const WebhookList = object({ webhooks: array(Webhook) });

export const DeliveryAttempt = object({
  at: Timestamp,
  /** Null until the attempt has ended. */
  durationMs: nullable(boundedInteger(0)),
  /** HTTP status of the response; null without one. */
  statusCode: nullable(boundedInteger(100, 599)),
  /** The reason of a failure, for the merchant's developers, or empty. */
  failure: string(),
});

export const WebhookDelivery = object({
  id: string(),
  eventId: string(),
  eventType: string(),
  state: enums(['pending', 'delivered', 'failed']),
  createdAt: Timestamp,
  deliveredAt: nullable(Timestamp),
  nextAttemptAt: nullable(Timestamp),
  attempts: array(DeliveryAttempt),
});
export type WebhookDelivery = Infer<typeof WebhookDelivery>;

/** Query of `GET /webhooks/:id/deliveries`. */
export const DeliveryQuery = object({ limit: defaulted(integerInQuery(1, 200), 10), after: optional(Uuid) });
export type DeliveryQuery = Infer<typeof DeliveryQuery>;

/** Response of `GET /webhooks/:id/deliveries`: the newest first. */
export const DeliveryList = object({ deliveries: array(WebhookDelivery) });

/** Request body of `POST /webhooks/:id/deliveries`. */
export const ReplayRequest = object({ eventId: Uuid });
export type ReplayRequest = Infer<typeof ReplayRequest>;

/** The event that `POST /webhooks/:id/test` sends. It is in no list. */
export const TestEvent = object({
  id: string(),
  type: literal('webhook.test'),
  createdAt: Timestamp,
  data: object({ webhookId: string() }),
});
export type TestEvent = Infer<typeof TestEvent>;
