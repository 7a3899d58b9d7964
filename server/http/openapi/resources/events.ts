import { Callback } from '../../../../shared/wire/cart.ts';
import * as wire from '../../../../shared/wire/event.ts';
import { createResource, describing } from '../operation.ts';
import type { ParameterObject } from '../parameters.ts';
import type { SchemaWriter } from '../schema-of.ts';
import { exampleIds } from './carts.ts';

const causes: Readonly<Record<wire.EventType, string>> = {
  'cart.expired': 'The link of a cart has expired: you expired it, or its last day has ended.',
  'application.approved': 'The lender approved an application. The buyer has not bought yet.',
  'application.denied': "An application was denied. Events have no reasons: they are the buyer's.",
  'application.expired': 'An application that the lender had received, or its approval, has expired.',
  'transaction.created': 'A buyer completed the checkout. Authorize the transaction.',
  'transaction.authorized': 'You authorized a transaction.',
  'transaction.settled': 'You settled a transaction.',
  'transaction.canceled': 'You canceled a transaction, or a part of it.',
  'transaction.refunded': 'You refunded a transaction, or a part of it.',
  'transaction.expired': 'A transaction was not authorized or settled in time.',
  'transaction.card_declined': 'The card for the remainder was declined. The status has not changed.',
  'transaction.card_capture_failed':
    'The card for the remainder could not be charged after the settlement. The status has not changed.',
  'transaction.card_captured':
    'The card for the remainder was charged after it could not be charged before. The status has not changed.',
  'shipment.updated': 'You set the carrier or the tracking number.',
};

/** Returns the name of the schema of an event: `TransactionCardDeclinedEvent`. */
function schemaNameOf(type: wire.EventType): string {
  const words = type.split(/[._]/).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return `${words.join('')}Event`;
}

const order = { cartId: 'Id of the cart.', orderRef: '`orderRef` of the cart, or empty.' };

const transaction = {
  transactionId: 'Id of the transaction.',
  ...order,
  merchantOrderId: 'Your order id, or empty.',
  status: 'Status after the change.',
  total: 'Total at the checkout in cents.',
  adjustedTotal: 'Remaining amount in cents, after all cancellations and refunds.',
};

const eventsByName = Object.fromEntries(wire.EVENT_TYPES.map((type) => [schemaNameOf(type), wire.events[type]!]));
const describe = describing({ ...wire, Callback });
const describeEventOf = describing(eventsByName);

const schemas = [
  describe('Callback', 'A completed checkout.', {
    transactionId: 'Id of the transaction. Retrieve it, compare its total, and authorize it.',
    orderRef: '`orderRef` of the cart, or empty.',
  }),
  describe('EventType', `Type of an event. ${wire.EVENT_TYPES.map((type) => `\`${type}\`: ${causes[type]}`).join(' ')}`),
  describe('Event', 'A change of a cart, an application, a transaction or a shipment.'),
  ...wire.EVENT_TYPES.map((type) =>
    describeEventOf(schemaNameOf(type), causes[type], {
      id: 'Id of the event, which is also the `webhook-id` of its deliveries.',
      type: 'Type of the event.',
      createdAt: 'Time of the change. In a sandbox, real time, even if its clock was moved.',
      data: 'The changed object, with the names of the API. Nothing in it identifies the buyer.',
    }),
  ),
  describe('CartEventData', 'The cart of an event.', {
    ...order,
    status: 'Status of the cart.',
    reason: 'Why it has expired, as `getCart` returns it.',
  }),
  describe('ApplicationEventData', 'The application of an event.', {
    applicationId: 'Id of the application.',
    ...order,
    status: 'Status of the application.',
  }),
  describe('TransactionEventData', 'The transaction of an event, after the change.', {
    ...transaction,
    amount: 'The amount of the change in cents: created, authorized, settled, canceled, refunded, expired or declined.',
  }),
  describe('TransactionCreatedEventData', 'A new transaction.', {
    ...transaction,
    amount: 'Total at the checkout in cents.',
    otherTransactionIds:
      'Ids of at most 10 other transactions with the same `orderRef` that are PENDING, AUTHORIZED or SETTLED, the newest first. Normally empty. Otherwise, the buyer may have bought one order twice: cancel one, unless you sent two carts for it.',
  }),
  describe('ShipmentEventData', 'The transaction of a shipment. `getTransaction` has the tracking number.', {
    ...transaction,
    carrierName: 'Name of the carrier, or empty.',
  }),
  describe('EventList', 'Events.', { events: 'Events, the oldest first.' }),
];

const descriptions: { [Name in keyof wire.EventQuery]-?: string } = {
  type: 'Type of the events.',
  transactionId: 'Id of a transaction.',
  'createdAt[gte]': 'Earliest time, inclusive: a date, which is a day in UTC, or a timestamp.',
  'createdAt[lt]': 'Latest time, exclusive.',
  limit: 'Number of events.',
  after: 'Id of the last event you have. Its page begins with the next event.',
};

const exampleEvent = {
  id: '019b0b5c-4a10-7c3e-9b57-5d2f6a1e8c90',
  type: 'transaction.settled',
  createdAt: '2026-03-03T09:15:00.000000Z',
  data: {
    transactionId: exampleIds.transaction,
    cartId: exampleIds.cart,
    orderRef: 'ORDER-1',
    merchantOrderId: 'ORDER-1',
    status: 'SETTLED',
    total: 147_500,
    adjustedTotal: 147_500,
    amount: 147_500,
  },
};

/** Lists of events in the OpenAPI document, with the schemas of their data. Merchants authenticate with a key pair. */
export const events = createResource('Events', 'key-pair', schemas, {
  listEvents: {
    call: 'GET /events',
    summary: 'List events',
    description:
      'Lists the events of the last 30 days, the oldest first. Continue with `after` and the last event you have: no event is missing from the list, and none is added before one that was returned.',
    query: { struct: wire.EventQuery, descriptions, example: { type: 'transaction.settled', limit: 100 } },
    returns: { description: 'Events.', body: wire.EventList, headers: ['link'], example: { events: [exampleEvent] } },
  },
  getEvent: {
    call: 'GET /events/{eventId}',
    summary: 'Retrieve an event',
    description: 'Returns an event of the last 30 days.',
    returns: { description: 'The event.', body: wire.Event, example: exampleEvent },
  },
});

/** @see https://www.standardwebhooks.com */
const webhookHeaders = {
  'webhook-id': 'Id of the callback or event, the same in every attempt. Use it to recognize duplicates.',
  'webhook-timestamp': 'Time of this attempt in seconds since 1970. Reject requests older than a few minutes.',
  'webhook-signature':
    'One or more space-separated signatures: `v1,` and the HMAC-SHA256 of `webhook-id.webhook-timestamp.body` in base64.',
};

/** The requests that the service sends: after a successful checkout, and to webhooks. */
const sentRequests = {
  checkoutCompleted: {
    tags: ['Carts'],
    summary: 'Checkout completed',
    description:
      "Sent to the cart's `callbackUrl` at least once, and retried for three days until the response is 2xx. Your server may retrieve and authorize the transaction before it responds.\n\nSigned as specified by Standard Webhooks; receivers that do not verify signatures can ignore the headers. The operator of the service creates the callback secret of a merchant and shows it with `fairterm callback-secret list`. It is `whsec_` followed by the key in base64: decode the part after `whsec_` to get the key of the HMAC. While a secret is being rotated there are two, and `webhook-signature` has a signature for each.",
    body: Callback,
    example: { transactionId: exampleIds.transaction, orderRef: 'ORDER-1' },
  },
  eventOccurred: {
    tags: ['Webhooks'],
    summary: 'Event',
    description:
      'Sent to your webhooks at least once, and retried like a callback. Signed with the secrets of the webhook. `POST /webhooks/{webhookId}/test` sends an event of the type `webhook.test`, and later versions may send further types.',
    body: wire.Event,
    example: exampleEvent,
  },
};

export type WebhookObject = ReturnType<typeof describeWebhooks>[string]['post'];

/** Describes the requests of `sentRequests`, which are signed as specified by Standard Webhooks. */
export function describeWebhooks(writer: SchemaWriter) {
  const described = Object.entries(sentRequests).map(([operationId, { body, example, ...operation }]) => {
    const parameters = Object.entries(webhookHeaders).map(([name, description]): ParameterObject => {
      return { name, in: 'header', required: true, description, schema: { type: 'string' } };
    });
    const content = { 'application/json': { schema: writer.schemaOf(body, 'response'), example } };
    const responses = {
      '2XX': { description: 'Received.' },
      '4XX': { description: 'Not received; retried.' },
      '5XX': { description: 'Not received; retried.' },
    };
    const post = { operationId, ...operation, security: [], parameters, requestBody: { required: true, content }, responses };
    return [operationId, { post }] as const;
  });
  return Object.fromEntries(described);
}
