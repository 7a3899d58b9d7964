import { type Event, EventQuery } from '../../../shared/wire/event.ts';
import { pageOf, type Query } from '../../db/database.ts';
import { fromJson } from '../../db/json.ts';
import { realListHorizon } from '../../db/write-time.ts';
import { ServiceError } from '../../base/errors.ts';
import { instantIn, invalidFilter, parseQuery, type ReceivedQuery } from '../../http/query.ts';
import type { Instant } from '../../base/time.ts';
import { findEvent, listEvents, type StoredEvent } from './store.ts';

/** Days for which events are stored. */
export const EVENT_DAYS = 30;

/** Expected value of each filter. */
const expected = {
  type: 'a type of event, such as transaction.settled',
  transactionId: 'a UUID',
  'createdAt[gte]': 'a date or a timestamp such as 2026-03-31T12:00:00Z',
  'createdAt[lt]': 'a date or a timestamp such as 2026-03-31T12:00:00Z',
  limit: 'a whole number from 1 to 200',
  after: 'a UUID',
};

export interface EventPage {
  events: Event[];
  /** The last event, after which the next page begins; undefined on the last page. */
  next: string | undefined;
}

/**
 * Returns a page of a merchant's events, the oldest first. It ends before events that other database transactions may still commit, so that
 * a client that continues after the last event it has misses none (decisions/0045).
 *
 * @throws ServiceError `invalid-request` - a parameter is invalid, or the event `after` is not stored any more.
 */
export async function listEventPage(query: Query, merchantId: string, received: ReceivedQuery): Promise<EventPage> {
  const parameters = parseQuery(received, { struct: EventQuery, expected });
  const { type, transactionId, limit } = parameters;
  const { after: afterId, 'createdAt[gte]': from, 'createdAt[lt]': before } = parameters;
  const after = afterId === undefined ? undefined : await findEvent(query, merchantId, afterId.toLowerCase());
  if (afterId !== undefined && !after) {
    throw invalidFilter('after', `the id of one of your events of the last ${EVENT_DAYS} days`, `"${afterId}"`);
  }
  // Before the rows are read.
  const horizon = await realListHorizon(query);
  const filter = {
    merchantId,
    type,
    transactionId: transactionId?.toLowerCase(),
    createdFrom: from === undefined ? undefined : instantIn(from),
    createdBefore: earliest(before === undefined ? undefined : instantIn(before), horizon),
    after,
  };
  const { items, isLast } = await pageOf(limit, (count) => listEvents(query, { ...filter, limit: count }));
  return { events: items.map(presentEvent), next: isLast ? undefined : items.at(-1)!.id };
}

function earliest(...instants: (Instant | undefined)[]): Instant | undefined {
  return instants.filter((instant) => instant !== undefined).toSorted()[0];
}

/** Returns an event of the merchant. @throws ServiceError `event-not-found` */
export async function getEvent(query: Query, merchantId: string, id: string): Promise<StoredEvent> {
  const event = await findEvent(query, merchantId, id);
  if (event) return event;
  throw new ServiceError('event-not-found', `Expected the id of one of your events of the last ${EVENT_DAYS} days.`);
}

/** Presents an event as the merchant API lists it and webhooks receive it. */
export function presentEvent({ id, type, createdAt, dataJson }: StoredEvent): Event {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `recordEvent` stores the data of the type
  return { id, type, createdAt, data: fromJson(dataJson) } as Event;
}
