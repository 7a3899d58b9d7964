import { type Application, ApplicationList } from '../wire/application.ts';
import { type ApplicationFilters, type ApplicationOrder, queryOf, requireNoPlace } from './application-filters.ts';
import type { ReadOptions } from './send.ts';
import type { SendWithToken } from './send-with-token.ts';

/** Where a page ends: the place of its last application in the list. */
export interface Keyset {
  /** Its `createdAt` or `updatedAt`, whichever the list is sorted by. */
  readonly lastTimestamp: string;
  readonly lastID: string;
}

export interface ListOptions extends ReadOptions {
  /** `createdAt.desc` by default. */
  sort?: ApplicationOrder | undefined;
  /** 1 to 200; 10 by default. */
  limit?: number | undefined;
  /** The `next` of the page before. */
  after?: Keyset | undefined;
  /** Passes over as many, which takes the longer the more they are; `after` takes as long on every page. */
  offset?: number | undefined;
}

export interface AllOptions extends ReadOptions {
  /**
   * `createdAt.desc` by default. By `updatedAt.asc`, what changes while one reads comes again further on, as it is then. By
   * `updatedAt.desc` it would be passed over, which is why that is not there.
   */
  sort?: Exclude<ApplicationOrder, 'updatedAt.desc'> | undefined;
  /** How many are fetched at once: 1 to 200; 100 by default. */
  pageSize?: number | undefined;
}

export interface ApplicationPage {
  applications: Application[];
  /** Give it as `after` to get the next page, which may be empty; undefined when this is the last. */
  next: Keyset | undefined;
}

/** @see Interface, "Platform API": listApplications. */
export class Applications {
  readonly #send: SendWithToken;

  constructor(send: SendWithToken) {
    this.#send = send;
  }

  /** One page. @throws FairtermPlatformError `INVALID_PARAMETER`, `MERCHANT_CONFLICT` */
  async list(filters: ApplicationFilters = {}, options: ListOptions = {}): Promise<ApplicationPage> {
    const { sort = 'createdAt.desc', limit = 10, after, offset, signal } = options;
    requireNoPlace(filters);
    const keyset = after && { 'lastTimestamp.eq': after.lastTimestamp, 'lastID.eq': after.lastID };
    const query = queryOf({ ...filters, sort, limit, ...keyset, ...(offset !== undefined && { offset }) });
    const operation = { name: 'applications.list', path: ['api', 'application'], query, answer: ApplicationList };
    const { applications } = await this.#send(operation, { signal });
    const last = applications.length < limit ? undefined : applications.at(-1);
    const timestamp = sort.startsWith('updatedAt') ? last?.updatedAt : last?.createdAt;
    return { applications, next: last && { lastTimestamp: timestamp!, lastID: last.id } };
  }

  /**
   * Every application, page after page, each page when it is needed.
   *
   * @example
   * for await (const application of platform.applications.all({ 'updatedAt.gte': '2026-03-01' }, { sort: 'updatedAt.asc' })) keep(application);
   */
  async *all(filters: ApplicationFilters = {}, options: AllOptions = {}): AsyncGenerator<Application, void, undefined> {
    const { sort = 'createdAt.desc', pageSize = 100, signal } = options;
    if ((sort as ApplicationOrder) === 'updatedAt.desc') {
      throw new TypeError('Expected another sort than updatedAt.desc, which passes over what changes meanwhile');
    }
    let after: Keyset | undefined;
    do {
      const page = await this.list(filters, { sort, limit: pageSize, after, signal });
      yield* page.applications;
      after = page.next;
    } while (after);
  }
}
