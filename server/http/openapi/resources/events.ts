import {
  ApplicationEventData,
  CartEventData,
  Event,
  EVENT_TYPES,
  EventList,
  EventQuery,
  events as eventStructs,
  EventType,
  ShipmentEventData,
  TransactionEventData,
} from '../../../../shared/wire/event.ts';
import { createResource, type NamedSchema, objectSchema, valueSchema } from '../operation.ts';
import { exampleIds } from './carts.ts';

const causes: Readonly<Record<EventType, string>> = {
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
function schemaNameOf(type: EventType): string {
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

const schemas: readonly NamedSchema[] = [
  valueSchema(EventType, 'EventType', `Type of an event. ${EVENT_TYPES.map((type) => `\`${type}\`: ${causes[type]}`).join(' ')}`),
  valueSchema(Event, 'Event', 'A change of a cart, an application, a transaction or a shipment.'),
  ...EVENT_TYPES.map((type) =>
    objectSchema(eventStructs[type]!, schemaNameOf(type), causes[type], {
      id: 'Id of the event, which is also the `webhook-id` of its deliveries.',
      type: 'Type of the event.',
      createdAt: 'Time of the change. In a sandbox, real time, even if its clock was moved.',
      data: 'The changed object, with the names of the API. Nothing in it identifies the buyer.',
    }),
  ),
  objectSchema(CartEventData, 'CartEventData', 'The cart of an event.', {
    ...order,
    status: 'Status of the cart.',
    reason: 'Why it has expired, as `getCart` returns it.',
  }),
  objectSchema(ApplicationEventData, 'ApplicationEventData', 'The application of an event.', {
    applicationId: 'Id of the application.',
    ...order,
    status: 'Status of the application.',
  }),
  objectSchema(TransactionEventData, 'TransactionEventData', 'The transaction of an event, after the change.', {
    ...transaction,
    amount: 'The amount of the change in cents: created, authorized, settled, canceled, refunded, expired or declined.',
  }),
  objectSchema(
    ShipmentEventData,
    'ShipmentEventData',
    'The transaction of a shipment. `getTransaction` has the tracking number.',
    {
      ...transaction,
      carrierName: 'Name of the carrier, or empty.',
    },
  ),
  objectSchema(EventList, 'EventList', 'Events.', { events: 'Events, the oldest first.' }),
];

const descriptions: { [Name in keyof EventQuery]-?: string } = {
  type: 'Type of the events.',
  transactionId: 'Id of a transaction.',
  'createdAt[gte]': 'Earliest time, inclusive: a date, which is a day in UTC, or a timestamp.',
  'createdAt[lt]': 'Latest time, exclusive.',
  limit: 'Number of events.',
  after: 'Id of the last event you have. Its page begins with the next event.',
};

export const exampleEvent = {
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

export const events = createResource('Events', 'key-pair', schemas, {
  listEvents: {
    call: 'GET /events',
    summary: 'List events',
    description:
      'Lists the events of the last 30 days, the oldest first. Continue with `after` and the last event you have: no event is missing from the list, and none is added before one that was returned.',
    query: { struct: EventQuery, descriptions, example: { type: 'transaction.settled', limit: 100 } },
    returns: { description: 'Events.', body: EventList, headers: ['link'], example: { events: [exampleEvent] } },
  },
  getEvent: {
    call: 'GET /events/{eventId}',
    summary: 'Retrieve an event',
    description: 'Returns an event of the last 30 days.',
    returns: { description: 'The event.', body: Event, example: exampleEvent },
    errors: ['event-not-found'],
  },
});
