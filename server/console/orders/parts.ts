import { counted } from '../../../shared/languages/texts.ts';
import { DAY_MS, epochMs } from '../../base/time.ts';
import { EXPIRABLE } from '../../purchases/transactions/lifecycle.ts';
import { currenciesOf, type Transaction } from '../../purchases/transactions/store.ts';
import type { Html } from '../../http/pages/html.ts';
import { badge, type Tone } from '../web/elements.ts';
import type { ConsoleRequest } from '../web/screen.ts';
import { t } from '../web/texts.ts';

const BADGES: Record<Transaction['status'], readonly [label: string, tone: Tone]> = {
  PENDING: ['To authorize', 'waiting'],
  AUTHORIZED: ['To ship', 'waiting'],
  SETTLED: ['Settled', 'good'],
  REFUNDED: ['Refunded', 'neutral'],
  CANCELED: ['Canceled', 'neutral'],
  EXPIRED: ['Expired', 'bad'],
};

export function statusBadge(status: Transaction['status']): Html {
  return badge(...BADGES[status]);
}

/** Returns the request with amounts in the currency of the order in its address. That of the default program may have changed. */
export async function inCurrencyOfOrder(request: ConsoleRequest): Promise<ConsoleRequest> {
  const { deps, id } = request;
  const currency = (await currenciesOf(deps.database.query, [id])).get(id);
  return currency ? { ...request, money: (cents) => t.money(cents, currency) } : request;
}

/** Days before its expiry from which an order shows when it expires. */
const SHOWN_DAYS = 7;

/** Returns when an order expires that waits for the merchant; undefined if it does not expire soon. */
export function expiryText({ deps, now }: ConsoleRequest, { status, statusSince }: Transaction): string | undefined {
  const expirable = EXPIRABLE.find((each) => each === status);
  if (!expirable) return undefined;
  const leftMs = epochMs(statusSince) - epochMs(deps.transactions.expiryCutoff(expirable, now));
  const days = Math.floor(leftMs / DAY_MS);
  if (days >= SHOWN_DAYS) return undefined;
  return days === 0 ? 'Expires today' : counted(['{n} day left', '{n} days left'], days);
}

/** Returns the name of an order: the reference of the shop, or else its date. */
export function orderTitle({ time }: ConsoleRequest, { orderRef, merchantOrderId, createdAt }: Transaction): string {
  const reference = merchantOrderId || orderRef;
  return reference === '' ? `Order of ${time(createdAt)}` : `Order ${reference}`;
}
