import { CartQuery, CartStatus } from '../../../shared/wire/cart.ts';
import { findProgressOfCarts } from '../../lending/applications/store.ts';
import type { Query } from '../../db/database.ts';
import type { NewestFirst } from '../../db/newest-first.ts';
import { choicesOf, expectedInLists, newestFirst, parseQuery, type QueryRules, type ReceivedQuery } from '../../http/query.ts';
import { findProgramOn } from '../../lending/programs/programs.ts';
import { type Instant, lastUsDate } from '../../base/time.ts';
import type { PricedCart } from './carts.ts';
import { cartStatusOf } from './status.ts';
import { type CartFilters, listCarts, openCarts, positionOfCart, type StoredCart } from './store.ts';

const rules: QueryRules<CartQuery> = {
  struct: CartQuery,
  expected: { orderRef: 'one line of 1 to 200 characters', status: choicesOf(CartStatus), ...expectedInLists },
};

/**
 * The stored statuses of carts that can have a status. The others depend on the application, the program and the day, and are derived
 * from each cart (decisions/0051).
 */
const STORED: Readonly<Record<CartStatus, readonly StoredCart['status'][]>> = {
  open: ['OPEN'],
  'in-progress': ['OPEN', 'EXPIRED'],
  completed: ['COMPLETED'],
  ended: ['OPEN'],
  expired: ['OPEN', 'EXPIRED'],
};

/** Carts that a request reads to find those with a status. The page then ends before its limit, and the next one continues. */
const MAX_READ = 1_000;

/** Carts that each query for them reads at least. */
const MIN_READ = 100;

export interface CartPage {
  carts: PricedCart[];
  /** The cart after which the next page begins; undefined on the last page. */
  next: string | undefined;
}

/**
 * Returns a page of a merchant's carts, the newest first.
 *
 * @param isOfUser - Only those that users of the console created.
 * @throws ServiceError `invalid-request` - names the first invalid parameter.
 */
export async function readCartPage(
  query: Query,
  merchantId: string,
  received: ReceivedQuery,
  now: Instant,
  isOfUser = false,
): Promise<CartPage> {
  const { status, orderRef, email, ...parameters } = parseQuery(received, rules);
  const page = await newestFirst(parameters, (id) => positionOfCart(query, merchantId, id));
  const { limit } = page;
  const isDerived = status !== undefined && status !== 'completed';
  const filters: CartFilters = {
    orderRef,
    email,
    statuses: status && STORED[status],
    // The link of an open cart works.
    expiresFrom: status === 'open' || status === 'ended' ? lastUsDate(now) : undefined,
    isOfUser,
  };
  const found: PricedCart[] = [];
  let read = 0;
  let { after } = page;
  for (;;) {
    // One more than the limit shows whether there is another page.
    const batch: NewestFirst = { ...page, after, limit: isDerived ? Math.max(MIN_READ, limit + 1) : limit + 1 };
    const rows = await listCarts(query, merchantId, filters, batch);
    const priced = await pricedCarts(query, rows, now);
    found.push(...(isDerived ? priced.filter((one) => cartStatusOf(one, now).status === status) : priced));
    read += rows.length;
    after = rows.at(-1);
    const carts = found.slice(0, limit);
    if (found.length > limit) return { carts, next: carts.at(-1)!.cart.id };
    if (rows.length < batch.limit) return { carts, next: undefined };
    if (read >= MAX_READ || !isDerived) return { carts, next: after?.id };
  }
}

async function pricedCarts(query: Query, rows: readonly StoredCart[], now: Instant): Promise<PricedCart[]> {
  const carts = await openCarts(query, rows);
  const progress = await findProgressOfCarts(
    query,
    carts.map(({ id }) => id),
  );
  const programIds = [...new Set(carts.map(({ programId }) => programId))];
  const programs = new Map(await Promise.all(programIds.map(async (id) => [id, await findProgramOn(query, id, now)] as const)));
  return carts.map((cart) => ({ cart, program: programs.get(cart.programId), progress: progress.get(cart.id) }));
}
