import { array, record, string, type Struct, type, unknown } from 'superstruct';
import type { Event, EventQuery } from '../wire/event.ts';
import { queryOf } from './query.ts';
import type { ReadOptions } from './options.ts';
import type { Send } from './send.ts';

// A newer service may have other types of events.
const AnyEvent = type({ id: string(), type: string(), createdAt: string(), data: record(string(), unknown()) });
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
const EventResponse = AnyEvent as unknown as Struct<Event>;
const EventsResponse = type({ events: array(EventResponse) });

/** Filters of a list of events. Dates are in UTC. */
export type EventFilters = { readonly [Name in keyof Omit<EventQuery, 'limit'>]?: Exclude<EventQuery[Name], undefined> };

export interface EventListOptions extends ReadOptions {
  /** Page size, 1 to 200. Default: 100. */
  pageSize?: number | undefined;
}

/** @see server/docs/webhooks.md, "Recover a lost event". */
export class Events {
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /**
   * Iterates over the events of the last 30 days, the oldest first, and ends after the latest one. Fetches each page when it is needed.
   * With the id of the last event you have as `after`, the next events; none is ever missing.
   *
   * @example
   * for await (const { id, type, data } of fairterm.events.list({ after: lastId })) await handle(id, type, data);
   */
  async *list(
    { after: first, ...filters }: EventFilters = {},
    { pageSize = 100, signal }: EventListOptions = {},
  ): AsyncGenerator<Event, void, undefined> {
    let page: Event[];
    let after = first;
    do {
      const query = queryOf({ ...filters, ...(after !== undefined && { after }), limit: pageSize });
      const operation = { name: 'events.list', method: 'GET', path: ['events'], query, response: EventsResponse } as const;
      ({ events: page } = await this.#send(operation, { signal }));
      yield* page;
      after = page.at(-1)?.id;
    } while (page.length === pageSize);
  }

  /** @throws FairtermError `event-not-found` */
  retrieve(eventId: string, options?: ReadOptions): Promise<Event> {
    const path = ['events', eventId];
    return this.#send({ name: 'events.retrieve', method: 'GET', path, response: EventResponse }, options);
  }
}
