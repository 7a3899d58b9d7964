import { Application, ApplicationList, type ApplicationQuery, type ApplicationSort } from '../wire/application.ts';
import type { ReadOptions } from './options.ts';
import { queryOf, type SendWithToken } from './send.ts';

/** The last application of a page, after which the next page begins. */
export interface Keyset {
  /** Its `createdAt` or `updatedAt`, depending on `sort`. */
  readonly lastTimestamp: string;
  readonly lastID: string;
}

export interface RetrieveOptions extends ReadOptions {
  /** Includes the metadata of the cart. Default: false. */
  metadata?: boolean | undefined;
}

export interface ListOptions extends ReadOptions {
  /** Default: `createdAt.desc`. */
  sort?: ApplicationSort | undefined;
  /** Page size, 1 to 200. Default: 10. */
  limit?: number | undefined;
  /** The `next` of the previous page. */
  after?: Keyset | undefined;
  /** Number of applications to skip. Large offsets are slow; `after` is equally fast on every page. */
  offset?: number | undefined;
}

export interface AllOptions extends ReadOptions {
  /**
   * Default: `createdAt.desc`. With `updatedAt.asc`, applications that change during the iteration are returned again.
   * `updatedAt.desc` is not supported, because it would skip them.
   */
  sort?: Exclude<ApplicationSort, 'updatedAt.desc'> | undefined;
  /** Page size, 1 to 200. Default: 100. */
  pageSize?: number | undefined;
}

export interface ApplicationPage {
  applications: Application[];
  /** Pass it as `after` to get the next page, which may be empty. Undefined on the last page. */
  next: Keyset | undefined;
}

/** Query parameters that are not filters, and the options that set them. */
const optionOf = {
  sort: 'sort',
  limit: 'limit',
  offset: 'offset',
  'lastTimestamp.eq': 'after',
  'lastID.eq': 'after',
} as const satisfies { [Name in keyof ApplicationQuery]?: string };

/** The type of a filter in the client for the type of its query parameter: a boolean instead of its text, and readonly lists. */
type FilterValue<T> = [T] extends ['true' | 'false'] ? boolean : T extends readonly (infer Item)[] ? readonly Item[] : T;

/** Filters of the API; `/docs` describes each. Dates are in UTC, for example `2026-03-31`; times are RFC 3339. A filter must not be empty. */
export type ApplicationFilters = {
  readonly [Name in Exclude<keyof ApplicationQuery, keyof typeof optionOf>]?: FilterValue<
    Exclude<ApplicationQuery[Name], undefined>
  >;
};

/** @see server/docs/platform-api.md. */
export class Applications {
  readonly #send: SendWithToken;

  constructor(send: SendWithToken) {
    this.#send = send;
  }

  /** @throws FairtermPlatformError `APPLICATION_NOT_FOUND`: it does not exist, or the token does not give access to it. */
  retrieve(applicationId: string, { metadata = false, signal }: RetrieveOptions = {}): Promise<Application> {
    const query = metadata ? queryOf({ 'metadata.eq': true }) : '';
    const path = ['api', 'application', applicationId];
    return this.#send({ name: 'applications.retrieve', path, query, response: Application }, { signal });
  }

  /** Returns one page. @throws FairtermPlatformError `INVALID_PARAMETER`, `MERCHANT_CONFLICT` */
  async list(filters: ApplicationFilters = {}, options: ListOptions = {}): Promise<ApplicationPage> {
    const { sort = 'createdAt.desc', limit = 10, after, offset, signal } = options;
    for (const [name, option] of Object.entries(optionOf)) {
      if (name in filters) throw new TypeError(`${name}: expected the option ${option}, but received a filter`);
    }
    const keyset = after && { 'lastTimestamp.eq': after.lastTimestamp, 'lastID.eq': after.lastID };
    const query = queryOf({ ...filters, sort, limit, ...keyset, ...(offset !== undefined && { offset }) });
    const operation = { name: 'applications.list', path: ['api', 'application'], query, response: ApplicationList };
    const { applications } = await this.#send(operation, { signal });
    const last = applications.length < limit ? undefined : applications.at(-1);
    const timestamp = sort.startsWith('updatedAt') ? last?.updatedAt : last?.createdAt;
    return { applications, next: last && { lastTimestamp: timestamp!, lastID: last.id } };
  }

  /**
   * Iterates over all applications. Fetches each page when it is needed.
   *
   * @example
   * for await (const { id, status } of platform.applications.all({ 'updatedAt.gte': '2026-03-01' })) console.log(id, status);
   */
  async *all(filters: ApplicationFilters = {}, options: AllOptions = {}): AsyncGenerator<Application, void, undefined> {
    const { sort = 'createdAt.desc', pageSize = 100, signal } = options;
    if ((sort as ApplicationSort) === 'updatedAt.desc') {
      throw new TypeError(
        'sort: expected another order than updatedAt.desc, which skips applications that change during the iteration',
      );
    }
    let after: Keyset | undefined;
    do {
      const page = await this.list(filters, { sort, limit: pageSize, after, signal });
      yield* page.applications;
      after = page.next;
    } while (after);
  }
}
