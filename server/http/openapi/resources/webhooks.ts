import * as wire from '../../../../shared/wire/webhook.ts';
import { createResource, describing } from '../operation.ts';
import { parameters } from '../parameters.ts';

const fields = {
  id: 'Id of the webhook.',
  url: 'The URL. Its password is not shown.',
  types: 'The types of events that it receives; null for all, also those of later versions.',
  status: 'Whether it receives events.',
  failingSince: 'Time of the first failed attempt after the last delivery; null while deliveries succeed.',
  disabledAt: 'Time at which it was disabled; null while it receives events.',
  createdAt: 'Time of creation.',
};

const describe = describing(wire);

const schemas = [
  describe('CreateWebhookRequest', 'A webhook to create.', {
    url: 'URL that receives events, with the rules of `callbackUrl`.',
    types: 'The types of events to receive. Without them, all.',
  }),
  describe(
    'WebhookStatus',
    'Status of a webhook. `enabled`: it receives events. `failing`: all attempts since `failingSince` failed; events are retried. `disabled`: it failed for three days, or responded with 410, and receives no events until you enable it.',
  ),
  describe('Webhook', 'A URL of your server that receives events.', fields),
  describe('WebhookWithSecret', 'A webhook with its newest secret, which no other response contains.', {
    ...fields,
    secret: 'The secret that verifies events: `whsec_` followed by the key in base64.',
  }),
  describe('WebhookList', 'Webhooks.', { webhooks: 'Your webhooks, the oldest first.' }),
  describe('DeliveryAttempt', 'An attempt to deliver an event.', {
    at: 'Time of the attempt.',
    durationMs: 'Duration in milliseconds; null while it is in progress, or if the service stopped during it.',
    statusCode: 'Status of your response; null without a response.',
    failure: 'Why it failed, or empty.',
  }),
  describe('WebhookDelivery', 'The delivery of an event to a webhook.', {
    id: 'Id of the delivery.',
    eventId: 'Id of the event, and the header `webhook-id`.',
    eventType: 'Type of the event. `webhook.test` for a test event, which is in no list of events.',
    state: 'State of the delivery: `pending` while it is tried, then `delivered` or `failed`.',
    createdAt: 'Time of the event.',
    deliveredAt: 'Time of the response that accepted it; null before.',
    nextAttemptAt: 'Time of the next attempt; null if it is due now, or after the last one.',
    attempts: 'All attempts, the oldest first.',
  }),
  describe('DeliveryList', 'Deliveries.', { deliveries: 'Deliveries, the newest first.' }),
  describe('ReplayRequest', 'An event to deliver.', { eventId: 'Id of an event of the last 30 days.' }),
];

const descriptions: { [Name in keyof wire.DeliveryQuery]-?: string } = {
  limit: 'Number of deliveries.',
  after: 'Id of the last delivery of the previous page.',
};

const example = {
  id: parameters.webhookId.example,
  url: 'https://shop.example/fairterm/events',
  types: ['transaction.settled', 'transaction.refunded'],
  status: 'enabled',
  failingSince: null,
  disabledAt: null,
  createdAt: '2026-03-01T12:00:00.000000Z',
};

/** Webhooks and their deliveries in the OpenAPI document, with their schemas. Merchants authenticate with a key pair. */
export const webhooks = createResource('Webhooks', 'key-pair', schemas, {
  createWebhook: {
    call: 'POST /webhooks',
    summary: 'Create a webhook',
    description:
      'Creates a URL that receives events, signed as specified by Standard Webhooks, and sends it a test event. Its events wait until it responds to one with 2xx. A merchant has at most 10.',
    request: {
      body: wire.CreateWebhookRequest,
      examples: { refunds: { summary: 'Settlements and refunds', value: { url: example.url, types: example.types } } },
    },
    returns: { description: 'The webhook with its secret.', body: wire.WebhookWithSecret },
  },
  listWebhooks: {
    call: 'GET /webhooks',
    summary: 'List webhooks',
    description: 'Lists your webhooks, without their secrets.',
    returns: { description: 'The webhooks.', body: wire.WebhookList, example: { webhooks: [example] } },
  },
  getWebhook: {
    call: 'GET /webhooks/{webhookId}',
    summary: 'Retrieve a webhook',
    description: 'Returns a webhook, without its secrets.',
    returns: { description: 'The webhook.', body: wire.Webhook, example },
  },
  rotateWebhookSecret: {
    call: 'POST /webhooks/{webhookId}/secrets',
    summary: 'Rotate the secret of a webhook',
    description:
      'Creates another secret. For 24 hours, events have a signature by each of the two, so that you can deploy the new one in between.',
    ignoresBody: true,
    returns: { description: 'The webhook with its new secret.', body: wire.WebhookWithSecret },
  },
  enableWebhook: {
    call: 'POST /webhooks/{webhookId}/enable',
    summary: 'Enable a webhook',
    description:
      'Enables a webhook that was disabled. Read the events of the meantime with `listEvents`. One that has never responded with 2xx is sent a test event.',
    ignoresBody: true,
    returns: { description: 'The webhook.', body: wire.Webhook },
  },
  testWebhook: {
    call: 'POST /webhooks/{webhookId}/test',
    summary: 'Send a test event',
    description:
      'Sends an event of the type `webhook.test`, which is in no list of events. At most 10 a minute for each webhook, and 60 for a merchant, with those of webhooks that are created or enabled.',
    ignoresBody: true,
    returns: { description: 'The delivery.', body: wire.WebhookDelivery },
  },
  listDeliveries: {
    call: 'GET /webhooks/{webhookId}/deliveries',
    summary: 'List deliveries',
    description: 'Lists the deliveries of a webhook with their attempts, the newest first.',
    query: { struct: wire.DeliveryQuery, descriptions, example: { limit: 100 } },
    returns: { description: 'Deliveries.', body: wire.DeliveryList, headers: ['link'] },
  },
  replayEvent: {
    call: 'POST /webhooks/{webhookId}/deliveries',
    summary: 'Deliver an event again',
    description:
      'Delivers an event of the last 30 days to a webhook, also if it has received it, and whatever types it receives.',
    request: {
      body: wire.ReplayRequest,
      examples: { event: { summary: 'An event', value: { eventId: parameters.eventId.example } } },
    },
    returns: { description: 'The delivery.', body: wire.WebhookDelivery },
    errors: ['event-not-found'],
  },
  deleteWebhook: {
    call: 'DELETE /webhooks/{webhookId}',
    summary: 'Delete a webhook',
    description: 'Deletes a webhook. Events that it has not received are not sent any more.',
    responses: { 204: { description: 'Deleted.' } },
  },
});
