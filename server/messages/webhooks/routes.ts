import Router from '@koa/router';
import { mask } from 'superstruct';
import { CreateWebhookRequest, DeliveryQuery, ReplayRequest } from '../../../shared/wire/webhook.ts';
import type { Readable } from '../../db/database.ts';
import { type Context, type State, actorOf } from '../../http/context.ts';
import { databaseOf } from '../../merchants/idempotency/middleware.ts';
import { merchantOf } from '../../merchants/access/merchant-auth.ts';
import { linkNextPage, parseQuery } from '../../http/query.ts';
import type { CallbackRules } from '../callback-address.ts';
import type { Clock } from '../../base/time.ts';
import { getEvent, listEventPage, presentEvent } from './events.ts';
import { listWebhooks } from './store.ts';
import {
  createWebhook,
  enableWebhook,
  getWebhook,
  listWebhookDeliveries,
  presentWebhook,
  readDelivery,
  removeWebhook,
  replayEvent,
  rotateSecret,
  testWebhook,
  type WebhookRequest,
} from './webhooks.ts';

/** Merchant API for events. `app.ts` applies authentication and error mapping. */
export function eventRoutes({ query }: Readable): Router<State> {
  const router = new Router<State>({ prefix: '/events' });

  router.get('/', async (ctx) => {
    const { events, next } = await listEventPage(query, merchantOf(ctx).id, ctx.query);
    if (next !== undefined) linkNextPage(ctx, { after: next });
    ctx.body = { events };
  });

  router.get('/:id', async (ctx) => {
    ctx.body = presentEvent(await getEvent(query, merchantOf(ctx).id, ctx.params['id']!));
  });

  return router;
}

export interface WebhookRoutesOptions {
  database: Readable;
  /** The system clock. */
  realClock: Clock;
  /** The addresses that events may be sent to. */
  callbacks: CallbackRules;
  /** Delivers at once what was enqueued. */
  wakeDelivery: () => void;
}

/** Merchant API for webhooks. `app.ts` applies authentication and error mapping. */
export function webhookRoutes({ database, realClock, callbacks, wakeDelivery }: WebhookRoutesOptions): Router<State> {
  const { query } = database;
  const router = new Router<State>({ prefix: '/webhooks' });
  const found = (ctx: Context, id: string) => getWebhook(query, merchantOf(ctx).id, id);
  /** Responds with the webhook and its newest secret. */
  const respondWithSecret = async (ctx: Context, id: string) => {
    const webhook = await found(ctx, id);
    ctx.body = { ...presentWebhook(webhook), secret: webhook.secrets[0]!.secret };
  };

  router.post('/', async (ctx) => {
    const request = mask(ctx.request.body, CreateWebhookRequest);
    await respondWithSecret(ctx, await createWebhook(requestOf(ctx, realClock), request, callbacks));
    wakeDelivery();
  });

  router.get('/', async (ctx) => {
    ctx.body = { webhooks: (await listWebhooks(query, merchantOf(ctx).id)).map(presentWebhook) };
  });

  router.get('/:id', async (ctx) => {
    ctx.body = presentWebhook(await found(ctx, ctx.params['id']!));
  });

  router.delete('/:id', async (ctx) => {
    await removeWebhook(requestOf(ctx, realClock), ctx.params['id']!);
    ctx.status = 204;
  });

  router.post('/:id/secrets', async (ctx) => {
    const id = ctx.params['id']!;
    await rotateSecret(requestOf(ctx, realClock), id);
    await respondWithSecret(ctx, id);
  });

  router.post('/:id/enable', async (ctx) => {
    const id = ctx.params['id']!;
    await enableWebhook(requestOf(ctx, realClock), id);
    ctx.body = presentWebhook(await found(ctx, id));
    wakeDelivery();
  });

  return router;
}

/** Expected value of each parameter of a list of deliveries. */
const expected = { limit: 'a whole number from 1 to 200', after: 'a UUID' };

/** Merchant API for the deliveries of a webhook, and for test events. `app.ts` applies authentication and error mapping. */
export function webhookDeliveryRoutes({ database, realClock, wakeDelivery }: WebhookRoutesOptions): Router<State> {
  const { query } = database;
  const router = new Router<State>({ prefix: '/webhooks/:id' });

  router.get('/deliveries', async (ctx) => {
    const parameters = parseQuery(ctx.query, { struct: DeliveryQuery, expected });
    const { deliveries, next } = await listWebhookDeliveries(query, merchantOf(ctx).id, ctx.params['id']!, parameters);
    if (next !== undefined) linkNextPage(ctx, { after: next });
    ctx.body = { deliveries };
  });

  router.post('/deliveries', async (ctx) => {
    const id = ctx.params['id']!;
    const { eventId } = mask(ctx.request.body, ReplayRequest);
    ctx.body = await readDelivery(query, id, await replayEvent(requestOf(ctx, realClock), id, eventId.toLowerCase()));
    wakeDelivery();
  });

  router.post('/test', async (ctx) => {
    const id = ctx.params['id']!;
    ctx.body = await readDelivery(query, id, await testWebhook(requestOf(ctx, realClock), id));
    wakeDelivery();
  });

  return router;
}

function requestOf(ctx: Context, realClock: Clock): WebhookRequest {
  return { database: databaseOf(ctx), merchantId: merchantOf(ctx).id, actor: actorOf(ctx), now: realClock.now() };
}
