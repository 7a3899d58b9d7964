import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/languages/texts.ts';
import { EVENT_TYPES, type EventType } from '../../../shared/wire/event.ts';
import { WebUrl } from '../../../shared/wire/fields.ts';
import type { Webhook, WebhookDelivery } from '../../../shared/wire/webhook.ts';
import type { Html } from '../../http/html.ts';
import { isId } from '../../ids.ts';
import { FAILED_DAYS } from '../../figures/waiting.ts';
import { type FailingDelivery, listFailing } from '../../notifications/store.ts';
import { callbackUrlProblem } from '../../notifications/callback-address.ts';
import { textField } from '../../pages/elements.ts';
import { hiddenField, readForm } from '../../pages/read-form.ts';
import { microsecondsOf, plusDays } from '../../time.ts';
import { EVENT_DAYS } from '../../webhooks/events.ts';
import { listWebhooks } from '../../webhooks/store.ts';
import {
  createWebhook,
  enableWebhook,
  getWebhook,
  listDeliveries,
  presentWebhook,
  removeWebhook,
  replayEvent,
  rotateSecret,
  testWebhook,
  type WebhookRequest,
} from '../../webhooks/webhooks.ts';
import { badge, details, panel, type Tone } from '../web/elements.ts';
import { choiceRule, identifierRule, submitButton } from '../web/form.ts';
import { list } from '../web/list.ts';
import type { ActionResult, ConsolePage, ConsoleRequest, DoneKey, Screen } from '../web/screen.ts';
import { secretPage, timeOf } from './parts.ts';

/** Deliveries of a page. */
const PAGE_SIZE = 20;

/** The URLs that receive events. */
export const webhooks: Screen = {
  path: 'developers/webhooks',
  tab: (t) => t.console.developers.webhooks.title,
  permission: 'develop',
  actions: [{ submit: create }],
  show: async (request) => {
    const { deps, merchant, t, form, formState, to } = request;
    const own = t.console.developers.webhooks;
    const rows = (await listWebhooks(deps.database.query, merchant.id)).map(presentWebhook);
    return {
      title: own.title,
      content: html`<p class="lead">${own.lead}</p>
      ${list(t, {
        caption: own.title,
        rows,
        empty: own.empty,
        columns: [
          { label: own.url, cell: ({ id, url }) => html`<a href="${to(`developers/webhooks/${id}`)}">${url}</a>` },
          { label: own.events, cell: ({ types }) => (types ? fill(own.someEvents, { n: types.length }) : own.allEvents) },
          { label: own.status, cell: (row) => statusOf(request, row) },
        ],
      })}
      ${await failingPanel(request)}
      ${panel(
        own.create,
        form(
          'developers/webhooks',
          html`${textField(t, formState, { name: 'url', label: own.url, hint: own.urlHint, autocomplete: 'off', type: 'url' })}
            <fieldset class="choices">
              <legend>${own.events}</legend>
              <p class="hint">${own.eventsHint}</p>
              ${EVENT_TYPES.map(
                (type) =>
                  html`<label class="choice"><input type="checkbox" name="${type}" value="yes" ?checked=${formState.values[type] === 'yes'} /><code>${type}</code></label>`,
              )}
            </fieldset>
            ${submitButton(own.create)}`,
        ),
      )}`,
    };
  },
};

/** Callbacks and events that were not delivered, as Home counts them. */
async function failingPanel(request: ConsoleRequest): Promise<Html | typeof nothing> {
  const { deps, merchant, t, to, now } = request;
  const own = t.console.developers.webhooks;
  const rows = await listFailing(deps.database.query, merchant.id, plusDays(now, -FAILED_DAYS), PAGE_SIZE);
  if (rows.length === 0) return nothing;
  const linkTo = ({ channel, endpoint, transactionId }: FailingDelivery) => {
    if (channel === 'webhook') return html`<a href="${to(`developers/webhooks/${endpoint}`)}">${own.event}</a>`;
    return transactionId ? html`<a href="${to(`orders/${transactionId}`)}">${own.callback}</a>` : own.callback;
  };
  return panel(
    fill(own.failing, { days: FAILED_DAYS }),
    list(t, {
      caption: fill(own.failing, { days: FAILED_DAYS }),
      rows,
      empty: '',
      columns: [
        { label: own.delivery, cell: linkTo },
        { label: own.created, cell: ({ createdAt }) => request.time(createdAt) },
        {
          label: own.status,
          cell: ({ dueAt }) => (dueAt === null ? badge(own.states.failed, 'bad') : badge(own.states.pending, 'waiting')),
        },
        { label: own.attempts, cell: ({ attempts: count, lastFailure }) => `${count}: ${lastFailure}` },
      ],
    }),
  );
}

const TONES: Record<Webhook['status'], Tone> = { enabled: 'good', failing: 'waiting', disabled: 'bad' };

function statusOf({ t }: ConsoleRequest, { status }: Webhook): Html {
  return badge(t.console.developers.webhooks.statuses[status], TONES[status]);
}

function requestOf({ deps, merchant, user }: ConsoleRequest): WebhookRequest {
  return { database: deps.database, merchantId: merchant.id, actor: `user:${user.id}`, now: deps.realClock.now() };
}

async function pageWithSecret(request: ConsoleRequest, id: string): Promise<ConsolePage> {
  const { deps, merchant, t } = request;
  const own = t.console.developers.webhooks;
  const webhook = await getWebhook(deps.database.query, merchant.id, id);
  const rows = [
    [own.url, presentWebhook(webhook).url],
    [own.secret, webhook.secrets[0]!.secret],
  ] as const;
  return secretPage(request, { title: own.secretTitle, rows, back: `developers/webhooks/${id}` });
}

/** Creates a webhook, and shows its secret. */
async function create(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const { deps } = request;
  const isReceiver = (url: string) => WebUrl.is(url) && !callbackUrlProblem(url, deps.callbacks);
  const types = Object.fromEntries(
    EVENT_TYPES.map((type) => [type, choiceRule(['', 'yes'], (t) => t.console.developers.webhooks.eventsHint)]),
  );
  const url = identifierRule(isReceiver, (t) => t.console.developers.webhooks.urlMessage);
  const read = readForm({ url, ...types }, body);
  if (!read.ok) return read;
  const chosen = EVENT_TYPES.filter((type: EventType) => hiddenField(body, type) === 'yes');
  const created = { url: read.values.url, types: chosen.length > 0 ? chosen : undefined };
  const id = await createWebhook(requestOf(request), created, deps.callbacks);
  deps.onEnqueued();
  return pageWithSecret(request, id);
}

/** One webhook with its deliveries. */
export const webhook: Screen = {
  path: 'developers/webhooks/:id',
  permission: 'develop',
  actions: [
    { path: 'developers/webhooks/:id/secret', submit: rotate },
    { path: 'developers/webhooks/:id/enable', submit: enable },
    { path: 'developers/webhooks/:id/test', submit: test },
    { path: 'developers/webhooks/:id/redeliver', submit: redeliver },
    { path: 'developers/webhooks/:id/remove', submit: remove },
  ],
  show: async (request) => {
    const { deps, merchant, params, query, t, form, to } = request;
    const own = t.console.developers.webhooks;
    const found = await getWebhook(deps.database.query, merchant.id, params['id']!);
    const shown = presentWebhook(found);
    const path = `developers/webhooks/${found.id}`;
    const after = query.get('after') ?? undefined;
    const page = { limit: PAGE_SIZE, after: after !== undefined && isId(after) ? after : undefined };
    const { deliveries, next } = await listDeliveries(deps.database.query, merchant.id, found.id, page);
    const button = (action: string, label: string) => form(`${path}/${action}`, submitButton(label, 'quiet'), { isInline: true });
    return {
      title: shown.url,
      content: html`<p><a href="${to('developers/webhooks')}">${own.back}</a></p>
        ${details([
          [own.status, statusOf(request, shown)],
          [own.failingSince, shown.failingSince && timeOf(request, shown.failingSince)],
          [own.events, shown.types ? shown.types.join(', ') : own.allEvents],
          [own.created, timeOf(request, shown.createdAt)],
        ])}
        ${shown.status === 'disabled' ? html`<p>${own.disabledHint}</p>${button('enable', own.enable)}` : button('test', own.test)}
        ${deliveriesPanel(request, deliveries, next && to(path, { after: next }))}
        ${panel(own.rotate, form(`${path}/secret`, html`<p>${own.rotateHint}</p>${submitButton(own.rotate)}`))}
        ${panel(own.remove, form(`${path}/remove`, html`<p>${own.removeHint}</p>${submitButton(own.remove, 'danger')}`))}`,
    };
  },
};

const DELIVERY_TONES: Record<WebhookDelivery['state'], Tone> = { delivered: 'good', pending: 'waiting', failed: 'bad' };

function deliveriesPanel(request: ConsoleRequest, deliveries: readonly WebhookDelivery[], next: string | undefined): Html {
  const { deps, params, t, form } = request;
  const own = t.console.developers.webhooks;
  const now = deps.realClock.now();
  const canRedeliver = ({ eventType, createdAt }: WebhookDelivery) =>
    eventType !== 'webhook.test' && plusDays(microsecondsOf(createdAt), EVENT_DAYS) > now;
  return panel(
    own.deliveries,
    list(t, {
      caption: own.deliveries,
      rows: deliveries,
      empty: own.noDeliveries,
      next,
      columns: [
        {
          label: own.event,
          cell: ({ eventId, eventType }) => html`<code>${eventType}</code> <small>${eventId}</small>`,
        },
        { label: own.created, cell: ({ createdAt }) => timeOf(request, createdAt) },
        {
          label: own.status,
          cell: ({ state, nextAttemptAt }) =>
            html`${badge(own.states[state], DELIVERY_TONES[state])}
            ${state === 'pending' && nextAttemptAt ? html`<small>${fill(own.nextAttempt, { time: timeOf(request, nextAttemptAt) })}</small>` : nothing}`,
        },
        { label: own.attempts, cell: (delivery) => attempts(request, delivery) },
        {
          label: '',
          cell: (delivery) =>
            canRedeliver(delivery)
              ? form(
                  `developers/webhooks/${params['id']}/redeliver`,
                  html`<input type="hidden" name="event" value="${delivery.eventId}" />
                    <button class="quiet" aria-label="${own.redeliver} ${delivery.eventType} ${delivery.eventId}">${own.redeliver}</button>`,
                  { isInline: true },
                )
              : nothing,
        },
      ],
    }),
  );
}

/** The attempts of a delivery, the latest one last. */
function attempts(request: ConsoleRequest, { attempts: all }: WebhookDelivery): Html | typeof nothing {
  const own = request.t.console.developers.webhooks;
  if (all.length === 0) return nothing;
  return html`<details>
    <summary>${all.length}</summary>
    <ol>
      ${all.map(
        ({ at, durationMs, statusCode, failure }) =>
          html`<li>${timeOf(request, at)}: ${[statusCode, durationMs === null ? own.interrupted : `${durationMs} ms`, failure].filter(Boolean).join(', ')}</li>`,
      )}
    </ol>
  </details>`;
}

async function rotate(request: ConsoleRequest): Promise<ActionResult> {
  const id = request.params['id']!;
  await rotateSecret(requestOf(request), id);
  return pageWithSecret(request, id);
}

async function enable(request: ConsoleRequest): Promise<ActionResult> {
  await enableWebhook(requestOf(request), request.params['id']!);
  return shownAgain(request, 'developers.webhookEnabled');
}

async function test(request: ConsoleRequest): Promise<ActionResult> {
  await testWebhook(requestOf(request), request.params['id']!);
  return shownAgain(request, 'developers.testSent');
}

async function redeliver(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  await replayEvent(requestOf(request), request.params['id']!, hiddenField(body, 'event'));
  return shownAgain(request, 'developers.redelivered');
}

async function remove(request: ConsoleRequest): Promise<ActionResult> {
  await removeWebhook(requestOf(request), request.params['id']!);
  return { redirect: request.to('developers/webhooks'), done: 'developers.webhookRemoved' };
}

function shownAgain({ deps, params, to }: ConsoleRequest, done: DoneKey): ActionResult {
  deps.onEnqueued();
  return { redirect: to(`developers/webhooks/${params['id']}`), done };
}
