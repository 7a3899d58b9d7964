import { array, record, string, type Struct, type, unknown } from 'superstruct';
import type { Event, EventQuery } from '../wire/event.ts';
import type { ReadOptions } from './options.ts';
import { itemsOf, type List, type PageOptions } from './pages.ts';
import type { Send } from './send.ts';

// A newer service may have other types of events.
const AnyEvent = type({ id: string(), type: string(), createdAt: string(), data: record(string(), unknown()) });
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
const EventResponse = AnyEvent as unknown as Struct<Event>;

/** Filters of a list of events. Dates are in UTC. */
export type EventFilters = { readonly [Name in keyof Omit<EventQuery, 'limit'>]?: Exclude<EventQuery[Name], undefined> };

export type EventListOptions = PageOptions;

const eventList: List<{ events: Event[] }, Event> = {
  name: 'events.list',
  path: ['events'],
  response: type({ events: array(EventResponse) }),
  itemsIn: ({ events }) => events,
  idOf: ({ id }) => id,
};

/** @see server/docs/webhooks.md, "Recover a lost event". */
export class Events {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Iterates over the events of the last 30 days, the oldest first, and ends after the latest one. Fetches each page when it is needed.
   * To continue after the last event that you have received, pass its id as `after`: no event is skipped.
   *
   * @example
   * for await (const { id, type, data } of fairterm.events.list({ after: lastId })) await handle(id, type, data);
   */
  list({ after, ...filters }: EventFilters = {}, options: EventListOptions = {}): AsyncGenerator<Event, void, undefined> {
    return itemsOf(this.#send, eventList, filters, { ...options, after });
  }

  /** @throws FairtermError `event-not-found` */
  retrieve(eventId: string, options?: ReadOptions): Promise<Event> {
    const path = ['events', eventId];
    return this.#send({ name: 'events.retrieve', method: 'GET', path, response: EventResponse }, options);
  }
}
