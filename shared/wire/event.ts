import { array, enums, type Infer, literal, object, string, type Struct } from 'superstruct';
import { keysOf } from '../objects.ts';
import type { AnyStruct } from './annotations.ts';
import { CartEndReason } from './cart.ts';
import { Timestamp, Uuid } from './fields.ts';
import { DateOrTimestamp, integerInQuery } from './query.ts';
import { boundedInteger, defaulted, discriminatedByType, listOf, optional } from './structs.ts';
import { TransactionStatus } from './transaction.ts';

/** The cart and its order. `orderRef` is empty without one. */
const order = { cartId: string(), orderRef: string() };

export const CartEventData = object({ ...order, status: literal('expired'), reason: CartEndReason });

export const ApplicationEventData = object({
  applicationId: string(),
  ...order,
  status: enums(['APPROVED', 'DENIED', 'EXPIRED']),
});

const Cents = boundedInteger(0);

/** The state of a transaction after a change, in cents: its signed total, and what cancels and refunds have left of it. */
const transaction = {
  transactionId: string(),
  ...order,
  merchantOrderId: string(),
  status: TransactionStatus,
  total: Cents,
  adjustedTotal: Cents,
};

/** `amount` is that of the change, or of the card operation. */
export const TransactionEventData = object({ ...transaction, amount: Cents });

/** `otherTransactionIds`: the newest transactions with the same `orderRef` that are PENDING, AUTHORIZED or SETTLED. */
export const TransactionCreatedEventData = object({
  ...transaction,
  amount: Cents,
  otherTransactionIds: listOf(string(), 10),
});

export const ShipmentEventData = object({ ...transaction, carrierName: string() });

/** The data of each type of event: ids, references, states and amounts. It has no personal data, and no reasons of denials. */
const eventData = {
  'cart.expired': CartEventData,
  'application.approved': ApplicationEventData,
  'application.denied': ApplicationEventData,
  'application.expired': ApplicationEventData,
  'transaction.created': TransactionCreatedEventData,
  'transaction.authorized': TransactionEventData,
  'transaction.settled': TransactionEventData,
  'transaction.canceled': TransactionEventData,
  'transaction.refunded': TransactionEventData,
  'transaction.expired': TransactionEventData,
  'transaction.card_declined': TransactionEventData,
  'transaction.card_capture_failed': TransactionEventData,
  'transaction.card_captured': TransactionEventData,
  'shipment.updated': ShipmentEventData,
} as const satisfies Record<`${string}.${string}`, AnyStruct>;

export const EVENT_TYPES = keysOf(eventData);
export type EventType = (typeof EVENT_TYPES)[number];
export const EventType = enums(EVENT_TYPES);

export type EventData = { [Type in EventType]: Infer<(typeof eventData)[Type]> };

/** A change of a cart, an application, a transaction or a shipment. */
export type Event = {
  [Type in EventType]: { id: string; type: Type; createdAt: string; data: EventData[Type] };
}[EventType];

function eventOf(type: EventType): AnyStruct {
  return object({ id: string(), type: literal(type), createdAt: Timestamp, data: eventData[type] });
}

/** The struct of each type of event. */
export const events: Readonly<Record<string, AnyStruct>> = Object.fromEntries(EVENT_TYPES.map((type) => [type, eventOf(type)]));

export const Event: Struct<Event, null> = discriminatedByType<Event>(events);

/** Query of `GET /events`. */
export const EventQuery = object({
  type: optional(EventType),
  transactionId: optional(Uuid),
  'createdAt[gte]': optional(DateOrTimestamp),
  'createdAt[lt]': optional(DateOrTimestamp),
  limit: defaulted(integerInQuery(1, 200), 10),
  after: optional(Uuid),
});
export type EventQuery = Infer<typeof EventQuery>;

/** Response of `GET /events`: the oldest first. */
export const EventList = object({ events: array(Event) });
