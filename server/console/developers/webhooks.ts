import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { EVENT_TYPES, type EventType } from '../../../shared/wire/event.ts';
import { WebUrl } from '../../../shared/wire/fields.ts';
import type { Webhook, WebhookDelivery } from '../../../shared/wire/webhook.ts';
import type { Html } from '../../http/pages/html.ts';
import { isId } from '../../base/ids.ts';
import { FAILED_DAYS, failedSince } from '../home/home.ts';
import { type DeliveredOrder, orderIn } from '../../messages/outbox.ts';
import { listFailing } from '../../messages/store.ts';
import { propertyOf } from '../../../shared/objects.ts';
import { callbackUrlProblem } from '../../messages/callback-address.ts';
import { textField } from '../../http/pages/elements.ts';
import { hiddenField, readForm } from '../../http/pages/read-form.ts';
import { microsecondsOf, plusDays } from '../../base/time.ts';
import { EVENT_DAYS } from '../../messages/webhooks/events.ts';
import { listWebhooks } from '../../messages/webhooks/store.ts';
import {
  createWebhook,
  type DeliveryPage,
  enableWebhook,
  getWebhook,
  listWebhookDeliveries,
  presentWebhook,
  removeWebhook,
  replayEvent,
  rotateSecret,
  testWebhook,
  type WebhookRequest,
} from '../../messages/webhooks/webhooks.ts';
import { badge, copyable, details, panel, type Tone, choiceRule, identifierRule, submitButton } from '../web/elements.ts';
import { list, listPanel } from '../web/list.ts';
import type { ActionResult, ConsolePage, ConsoleRequest, Show } from '../web/screen.ts';
import { type DoneKey, t } from '../web/texts.ts';
import { deliveryFigures } from './figures.ts';
import { secretPage } from './keys.ts';

/** Deliveries of a page. */
const PAGE_SIZE = 20;

/** The URLs that receive events. */
export const showWebhooks: Show = async (request) => {
  const { deps, merchant, form, formState, to } = request;
  const rows = (await listWebhooks(deps.database.query, merchant.id)).map(presentWebhook);
  return {
    title: 'Webhooks',
    content: html`<p class="lead">Your server receives signed events at these URLs. Deliveries that fail are repeated.</p>
    ${list({
      caption: 'Webhooks',
      rows,
      empty: 'No URL receives events yet.',
      columns: [
        { label: 'URL', cell: ({ id, url }) => html`<a href="${to(`developers/webhooks/${id}`)}">${url}</a>` },
        {
          label: 'Events',
          cell: ({ types }) => (types ? `${types.length} ${types.length === 1 ? 'type' : 'types'} of events` : 'All events'),
        },
        { label: 'Status', cell: ({ status }) => badge(...BADGES[status]) },
      ],
    })}
    ${await deliveryFigures(request)} ${await failingPanel(request)}
    ${panel(
      'Add a webhook',
      form(
        'developers/webhooks',
        html`${textField(t, formState, { name: 'url', label: 'URL', hint: 'Of your server, such as https://shop.example/events', autocomplete: 'off', type: 'url' })}
          <fieldset class="choices">
            <legend>Events</legend>
            <p class="hint">Select none to receive all events, including types that are added later.</p>
            ${EVENT_TYPES.map(
              (type) =>
                html`<label class="choice"><input type="checkbox" name="${type}" value="yes" ?checked=${formState.values[type] === 'yes'} /><code>${type}</code></label>`,
            )}
          </fieldset>
          ${submitButton('Add a webhook')}`,
      ),
    )}`,
  };
};

/** Callbacks and events that were not delivered, as Home counts them. */
async function failingPanel(request: ConsoleRequest): Promise<Html | typeof nothing> {
  const { deps, merchant, to } = request;
  const rows = await listFailing(deps.database.query, merchant.id, failedSince(request), PAGE_SIZE);
  if (rows.length === 0) return nothing;
  return listPanel({
    caption: `Not delivered, last ${FAILED_DAYS} days`,
    rows,
    columns: [
      {
        label: 'Type',
        cell: ({ channel, endpoint, body }) =>
          channel === 'webhook'
            ? html`<a href="${to(`developers/webhooks/${endpoint}`)}"><code>${String(propertyOf(JSON.parse(body), 'type'))}</code></a>`
            : 'Callback',
      },
      { label: 'Order', cell: ({ body }) => orderLink(request, orderIn(body)) },
      { label: 'Created', cell: ({ createdAt }) => request.time(createdAt) },
      { label: 'Status', cell: ({ dueAt }) => badge(...BADGES[dueAt === null ? 'failed' : 'failing']) },
      { label: 'Attempts', cell: ({ attempts: count, lastFailure }) => `${count}: ${lastFailure}` },
    ],
  });
}

/** The purchase of a delivery, or else only the reference of its cart. */
function orderLink({ to }: ConsoleRequest, { transactionId, orderRef }: DeliveredOrder = {}): unknown {
  return transactionId ? html`<a href="${to(`orders/${transactionId}`)}" class="order">${orderRef || 'Order'}</a>` : orderRef;
}

/** Formats a timestamp of the API. */
function timeOf({ time }: ConsoleRequest, timestamp: string): string {
  return time(microsecondsOf(timestamp));
}

const BADGES: Record<Webhook['status'] | WebhookDelivery['state'], readonly [label: string, tone: Tone]> = {
  enabled: ['Enabled', 'good'],
  failing: ['Failing', 'waiting'],
  disabled: ['Disabled', 'bad'],
  delivered: ['Delivered', 'good'],
  pending: ['Pending', 'neutral'],
  failed: ['Failed', 'bad'],
};

/** Webhooks and their secrets follow the actual time, also when the clock of a sandbox was moved. */
function requestOf({ deps, merchant, actor }: ConsoleRequest): WebhookRequest {
  return { database: deps.database, merchantId: merchant.id, actor, now: deps.realClock.now() };
}

async function pageWithSecret(request: ConsoleRequest, id: string): Promise<ConsolePage> {
  const { deps, merchant } = request;
  const webhook = await getWebhook(deps.database.query, merchant.id, id);
  const rows = [
    ['URL', copyable(presentWebhook(webhook).url)],
    ['Secret', copyable(webhook.secrets[0]!.secret, 'the secret')],
  ] as const;
  return secretPage(request, { title: 'Secret of the webhook', rows, back: `developers/webhooks/${id}` });
}

/** Creates a webhook, and shows its secret. */
export async function create(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  const { deps } = request;
  const isReceiver = (url: string) => WebUrl.is(url) && !callbackUrlProblem(url, deps.callbacks);
  const types = Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      choiceRule(['', 'yes'], () => 'Select none to receive all events, including types that are added later.'),
    ]),
  );
  const url = identifierRule(isReceiver, () => 'Enter an https URL on the public internet');
  const read = readForm({ url, ...types }, body);
  if (!read.ok) return read;
  const chosen = EVENT_TYPES.filter((type: EventType) => hiddenField(body, type) === 'yes');
  const created = { url: read.values.url, types: chosen.length > 0 ? chosen : undefined };
  const id = await createWebhook(requestOf(request), created, deps.callbacks);
  return pageWithSecret(request, id);
}

/** One webhook with its deliveries. */
export const showWebhook: Show = async (request) => {
  const { deps, merchant, id, query, form, to } = request;
  const found = await getWebhook(deps.database.query, merchant.id, id);
  const shown = presentWebhook(found);
  const path = `developers/webhooks/${found.id}`;
  const after = query.get('after') ?? undefined;
  const page = { limit: PAGE_SIZE, after: after !== undefined && isId(after) ? after : undefined };
  const { next, ...listed } = await listWebhookDeliveries(deps.database.query, merchant.id, found.id, page);
  const button = (action: string, label: string) => form(`${path}/${action}`, submitButton(label, 'quiet'), { isInline: true });
  return {
    title: shown.url,
    content: html`<p><a href="${to('developers/webhooks')}">Back to the webhooks</a></p>
      ${details([
        ['Status', badge(...BADGES[shown.status])],
        ['Failing since', shown.failingSince && timeOf(request, shown.failingSince)],
        ['Events', shown.types ? shown.types.join(', ') : 'All events'],
        ['Created', timeOf(request, shown.createdAt)],
      ])}
      ${shown.status === 'disabled' ? html`<p>It was disabled, because its deliveries have failed for days.</p>${button('enable', 'Enable the webhook')}` : button('test', 'Send a test event')}
      ${deliveriesPanel(request, listed, next && to(path, { after: next }))}
      ${panel('Rotate the secret', form(`${path}/secret`, html`<p>The current secret also signs for 24 hours, so that you can deploy the new one.</p>${submitButton('Rotate the secret')}`))}
      ${panel('Delete the webhook', form(`${path}/remove`, html`<p>Events are not sent to this URL any more, and its deliveries are no longer listed.</p>${submitButton('Delete the webhook', 'danger')}`))}`,
  };
};

function deliveriesPanel(
  request: ConsoleRequest,
  { deliveries, orders }: Pick<DeliveryPage, 'deliveries' | 'orders'>,
  next: string | undefined,
): Html {
  const { deps, id, form } = request;
  // Events are deleted by the actual time, too.
  const now = deps.realClock.now();
  const canRedeliver = ({ eventType, createdAt }: WebhookDelivery) =>
    eventType !== 'webhook.test' && plusDays(microsecondsOf(createdAt), EVENT_DAYS) > now;
  return listPanel({
    caption: 'Deliveries',
    rows: deliveries,
    empty: 'Nothing was sent yet.',
    next,
    columns: [
      {
        label: 'Type',
        cell: ({ eventId, eventType }) => html`<code>${eventType}</code> <small>${eventId}</small>`,
      },
      { label: 'Order', cell: ({ id: delivery }) => orderLink(request, orders.get(delivery)) },
      { label: 'Created', cell: ({ createdAt }) => timeOf(request, createdAt) },
      {
        label: 'Status',
        cell: ({ state, nextAttemptAt }) =>
          html`${badge(...BADGES[state])}
            ${state === 'pending' && nextAttemptAt ? html`<small>Next attempt ${timeOf(request, nextAttemptAt)}</small>` : nothing}`,
      },
      { label: 'Attempts', cell: (delivery) => attempts(request, delivery) },
      {
        label: '',
        cell: (delivery) =>
          canRedeliver(delivery)
            ? form(
                `developers/webhooks/${id}/redeliver`,
                html`<input type="hidden" name="event" value="${delivery.eventId}" />
                    <button class="quiet" aria-label="Send again ${delivery.eventType} ${delivery.eventId}">Send again</button>`,
                { isInline: true },
              )
            : nothing,
      },
    ],
  });
}

/** The attempts of a delivery, the latest one last. */
function attempts(request: ConsoleRequest, { attempts: all }: WebhookDelivery): Html | typeof nothing {
  if (all.length === 0) return nothing;
  return html`<details>
    <summary>${all.length}</summary>
    <ol>
      ${all.map(
        ({ at, durationMs, statusCode, failure }) =>
          html`<li>${timeOf(request, at)}: ${[statusCode, durationMs === null ? 'in progress' : `${durationMs} ms`, failure].filter(Boolean).join(', ')}</li>`,
      )}
    </ol>
  </details>`;
}

export async function rotate(request: ConsoleRequest): Promise<ActionResult> {
  await rotateSecret(requestOf(request), request.id);
  return pageWithSecret(request, request.id);
}

export async function enable(request: ConsoleRequest): Promise<ActionResult> {
  await enableWebhook(requestOf(request), request.id);
  return shownAgain(request, 'developers.webhookEnabled');
}

export async function test(request: ConsoleRequest): Promise<ActionResult> {
  await testWebhook(requestOf(request), request.id);
  return shownAgain(request, 'developers.testSent');
}

export async function redeliver(request: ConsoleRequest, body: unknown): Promise<ActionResult> {
  await replayEvent(requestOf(request), request.id, hiddenField(body, 'event'));
  return shownAgain(request, 'developers.redelivered');
}

export async function remove(request: ConsoleRequest): Promise<ActionResult> {
  await removeWebhook(requestOf(request), request.id);
  return { redirect: request.to('developers/webhooks'), done: 'developers.webhookRemoved' };
}

function shownAgain({ id, to }: ConsoleRequest, done: DoneKey): ActionResult {
  return { redirect: to(`developers/webhooks/${id}`), done };
}
