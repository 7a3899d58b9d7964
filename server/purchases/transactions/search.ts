import { centsOf } from '../../http/pages/read-form.ts';
import { idEndOf } from '../../lending/applications/reference.ts';
import { plainPunctuation } from '../../../shared/plain-punctuation.ts';
import { phoneDigitsOf } from '../../../shared/wire/contact-fields.ts';
import { foldedWords } from '../../base/folded-words.ts';
import { isId } from '../../base/ids.ts';
import { type Instant, plusDays } from '../../base/time.ts';
import { EXPIRABLE, type Expirable } from './lifecycle.ts';
import type { TransactionFilters } from './list-store.ts';
import type { Transactions } from './transactions.ts';

/** Views of a merchant's orders: all, what waits for the merchant, what has ended, and orders with several purchases. */
export const ORDER_VIEWS = ['all', 'authorize', 'ship', 'expiring', 'settled', 'refunded', 'ended', 'same-reference'] as const;
export type OrderView = (typeof ORDER_VIEWS)[number];

/** Returns the filters of a view. @param expiringDays - Days before its expiry from which a transaction expires soon. */
export function filtersOfView(
  view: OrderView,
  transactions: Transactions,
  expiringDays: number,
  now: Instant,
): TransactionFilters[] {
  const expiresSoon = (status: Expirable) => ({
    status,
    statusUntil: plusDays(transactions.expiryCutoff(status, now), expiringDays),
  });
  const filters: Record<OrderView, TransactionFilters[]> = {
    all: [{}],
    authorize: [{ status: 'PENDING' }],
    ship: [{ status: 'AUTHORIZED' }],
    expiring: EXPIRABLE.map(expiresSoon),
    settled: [{ status: 'SETTLED' }],
    refunded: [{ status: 'REFUNDED' }],
    ended: [{ status: 'CANCELED' }, { status: 'EXPIRED' }],
    'same-reference': [{ hasSharedOrderRef: true }],
  };
  return filters[view];
}

/** Returns filters that select what one of each of both lists selects. */
export function bothOf(one: readonly TransactionFilters[], other: readonly TransactionFilters[]): TransactionFilters[] {
  return one.flatMap((filters) => other.map((more) => ({ ...filters, ...more })));
}

/** Longest text that is searched, in characters. */
export const MAX_SEARCH = 200;

/** Most words of a name that are compared. */
const MAX_NAME_WORDS = 6;

/**
 * Returns the filters of everything that a text in the search box may mean: the id of a transaction or cart, the shop's order numbers, a
 * short reference, an e-mail address, a phone number, an amount in dollars, or words of the buyer's name. A blank text selects everything.
 */
export function filtersOfSearch(text: string): TransactionFilters[] {
  const exact = text.trim().slice(0, MAX_SEARCH);
  const typed = plainPunctuation(exact);
  if (typed === '') return [{}];
  const id = typed.toLowerCase();
  if (isId(id)) return [{ id }, { cartId: id }];
  if (typed.includes('@')) return [{ email: typed }];
  // A merchant's numbers may contain other hyphens.
  const numbers = new Set([typed, exact]);
  const filters: TransactionFilters[] = [...numbers].flatMap((number) => [{ orderRef: number }, { merchantOrderId: number }]);
  const idEnd = idEndOf(typed);
  const phone = phoneDigitsOf(typed);
  const totalCents = centsOf(typed);
  const words = /\p{L}/u.test(typed) ? foldedWords(typed).slice(0, MAX_NAME_WORDS) : [];
  if (idEnd !== undefined) filters.push({ applicationIdEnd: idEnd });
  if (phone !== undefined) filters.push({ phone });
  if (totalCents !== undefined) filters.push({ totalCents });
  if (words.length > 0) filters.push({ words });
  return filters;
}
