import type { ReadOptions } from './options.ts';
import { type Operation, queryOf, type Send } from './send.ts';

/** Bounds of the time of creation, each a timestamp, or a date in UTC such as `2026-03-31`. */
export interface CreatedAt {
  /** Inclusive. */
  readonly gte?: string;
  /** Exclusive. */
  readonly lt?: string;
}

/** Options of a list. */
export interface PageOptions extends ReadOptions {
  /** Number of items in a response, 1 to 200. Default: 100. */
  pageSize?: number | undefined;
}

/** A list of the merchant API. */
export interface List<Page, Item> extends Pick<Operation<Page>, 'name' | 'path' | 'response'> {
  itemsIn(page: Page): readonly Item[];
  idOf(item: Item): string;
}

/**
 * Iterates over all items of a list, the newest first. Requests each page when it is needed.
 *
 * A page may be short although there is a next one, which the `link` header then names. Without the header, which proxies may remove, the
 * next page begins after the last item of a full page.
 *
 * @param filters - Texts, and the bounds of `createdAt`.
 * @param options.after - The id of the item after which the first page begins.
 */
export async function* itemsOf<Page, Item>(
  send: Send,
  { itemsIn, idOf, ...operation }: List<Page, Item>,
  { createdAt = {}, ...filters }: { readonly createdAt?: CreatedAt } & Readonly<Record<string, string | CreatedAt>>,
  { pageSize = 100, signal, after: first }: PageOptions & { after?: string | undefined },
): AsyncGenerator<Item, void, undefined> {
  const bounds = Object.entries(createdAt).map(([bound, time]) => [`createdAt[${bound}]`, time]);
  let after = first;
  do {
    const query = queryOf({
      ...filters,
      ...Object.fromEntries(bounds),
      limit: pageSize,
      ...(after !== undefined && { after }),
    });
    const { value, link } = await send.received({ ...operation, method: 'GET', query }, { signal });
    const items = itemsIn(value);
    yield* items;
    const last = items.length < pageSize ? undefined : items.at(-1);
    after = afterIn(link) ?? (last && idOf(last));
  } while (after !== undefined);
}

/** Returns the parameter `after` of the next page from a header such as `<https://…?after=ID>; rel="next"`. */
function afterIn(link: string | undefined): string | undefined {
  const [, query] = /^<[^>?]*\?([^>]*)>; rel="next"$/.exec(link ?? '') ?? [];
  return new URLSearchParams(query).get('after') ?? undefined;
}
