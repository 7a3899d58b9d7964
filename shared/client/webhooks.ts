import { array, nullable, type Struct, string, type } from 'superstruct';
import { Webhook, WebhookDelivery, WebhookWithSecret } from '../wire/webhook.ts';
import { FairtermError } from './errors.ts';
import type { EventListOptions } from './events.ts';
import type { ReadOptions, WriteOptions } from './options.ts';
import { itemsOf, type List } from './pages.ts';
import type { CreateWebhookRequest, ReplayRequest } from './request-types.ts';
import type { Send } from './send.ts';

// A newer service may have other types of events.
const types = nullable(array(string()));
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
const WebhookResponse = type({ ...Webhook.schema, types }) as unknown as Struct<Webhook>;
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
const SecretResponse = type({ ...WebhookWithSecret.schema, types }) as unknown as Struct<WebhookWithSecret>;
const WebhooksResponse = type({ webhooks: array(WebhookResponse) });

/** @see server/docs/webhooks.md. */
export class Webhooks {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Creates a webhook. Store its `secret`: no other response contains it. Without `types`, it receives all events. */
  create(request: CreateWebhookRequest, options?: WriteOptions): Promise<WebhookWithSecret> {
    const path = ['webhooks'];
    return this.#send({ name: 'webhooks.create', method: 'POST', path, body: request, response: SecretResponse }, options);
  }

  /** Returns all webhooks, the oldest first. */
  async list(options?: ReadOptions): Promise<Webhook[]> {
    const operation = { name: 'webhooks.list', method: 'GET', path: ['webhooks'], response: WebhooksResponse } as const;
    return (await this.#send(operation, options)).webhooks;
  }

  /** @throws FairtermError `webhook-not-found` */
  retrieve(webhookId: string, options?: ReadOptions): Promise<Webhook> {
    const path = ['webhooks', webhookId];
    return this.#send({ name: 'webhooks.retrieve', method: 'GET', path, response: WebhookResponse }, options);
  }

  /** Deletes a webhook. Succeeds if it does not exist. */
  async delete(webhookId: string, options?: ReadOptions): Promise<void> {
    try {
      await this.#send({ name: 'webhooks.delete', method: 'DELETE', path: ['webhooks', webhookId] }, options);
    } catch (error) {
      if (!(error instanceof FairtermError && error.code === 'webhook-not-found')) throw error;
    }
  }

  /** Creates another secret. For 24 hours, events have signatures by both. */
  rotateSecret(webhookId: string, options?: WriteOptions): Promise<WebhookWithSecret> {
    const path = ['webhooks', webhookId, 'secrets'];
    return this.#send({ name: 'webhooks.rotateSecret', method: 'POST', path, response: SecretResponse }, options);
  }

  /** Enables a webhook that was disabled because it had failed for days. */
  enable(webhookId: string, options?: WriteOptions): Promise<Webhook> {
    const path = ['webhooks', webhookId, 'enable'];
    return this.#send({ name: 'webhooks.enable', method: 'POST', path, response: WebhookResponse }, options);
  }

  /** Sends an event of the type `webhook.test`. */
  test(webhookId: string, options?: WriteOptions): Promise<WebhookDelivery> {
    const path = ['webhooks', webhookId, 'test'];
    return this.#send({ name: 'webhooks.test', method: 'POST', path, response: WebhookDelivery }, options);
  }

  /** Delivers an event of the last 30 days, also if the webhook has received it. @throws FairtermError `event-not-found` */
  replay(webhookId: string, request: ReplayRequest, options?: WriteOptions): Promise<WebhookDelivery> {
    const path = ['webhooks', webhookId, 'deliveries'];
    return this.#send({ name: 'webhooks.replay', method: 'POST', path, body: request, response: WebhookDelivery }, options);
  }

  /** Iterates over the deliveries with their attempts, the newest first. Fetches each page when it is needed. */
  deliveries(webhookId: string, options: EventListOptions = {}): AsyncGenerator<WebhookDelivery, void, undefined> {
    const list: List<{ deliveries: WebhookDelivery[] }, WebhookDelivery> = {
      name: 'webhooks.deliveries',
      path: ['webhooks', webhookId, 'deliveries'],
      response: type({ deliveries: array(WebhookDelivery) }),
      itemsIn: ({ deliveries }) => deliveries,
      idOf: ({ id }) => id,
    };
    return itemsOf(this.#send, list, {}, options);
  }
}
