import { html } from '@lit-labs/ssr';
import type { CivilDate } from '../../../shared/dates.ts';
import type { Html } from '../../http/pages/html.ts';
import type { Query } from '../../db/database.ts';
import { countFailing } from '../../messages/store.ts';
import { type Instant, plusDays } from '../../base/time.ts';
import { EXPIRABLE, type Expirable } from '../../purchases/transactions/lifecycle.ts';
import { countInStatus } from '../../purchases/transactions/store.ts';
import type { Transactions } from '../../purchases/transactions/transactions.ts';
import { EXPIRING_DAYS } from '../orders/orders.ts';
import { listPendingRequests } from '../approvals/store.ts';
import { MAX_REQUESTS } from '../orders/approvals.ts';
import { chart, withoutCents } from '../../http/pages/chart.ts';
import { panel, tiles } from '../web/elements.ts';
import type { ConsoleRequest, Show } from '../web/screen.ts';
import { t } from '../web/texts.ts';
import { type DayFigures, FIGURE_DAYS, readDays, sumDays } from './days.ts';

/** The first page after a sign-in: what waits, and the figures of four weeks. */
export const showHome: Show = async (request) => {
  const { merchant, deps, timeZone, now } = request;
  const { database, transactions, mode } = deps;
  const waiting = await readWaiting(database.query, transactions, merchant.id, now, failedSince(request));
  const days = await readDays({ query: database.query, mode }, merchant.id, timeZone, now);
  const toApprove = (await listPendingRequests(database.query, merchant.id, now, MAX_REQUESTS)).length;
  return {
    title: 'Home',
    content: html`${waitingTiles(request, waiting, toApprove)}
    ${panel(`The last ${FIGURE_DAYS} days`, html`${figureTiles(request, days)} ${charts(request, days)}`)}`,
  };
};

function waitingTiles(
  { to, can, merchant }: ConsoleRequest,
  { toAuthorize, toShip, expiring, failedDeliveries }: Waiting,
  toApprove: number,
): Html {
  const count = (number: number) => `${formatCount(number)}${number === MAX_COUNTED ? '+' : ''}`;
  return tiles('Waiting for you', [
    { label: 'To authorize', value: count(toAuthorize), address: to('orders?view=authorize') },
    { label: 'To ship', value: count(toShip), address: to('orders?view=ship') },
    { label: `Expiring within ${EXPIRING_DAYS} days`, value: count(expiring), address: to('orders?view=expiring') },
    ...(toApprove > 0 || merchant.refundApprovalCents !== null
      ? [{ label: 'Refunds to approve', value: count(toApprove), address: to('orders/approvals') }]
      : []),
    {
      label: `Failed deliveries, last ${FAILED_DAYS} days`,
      value: count(failedDeliveries),
      address: can('develop') ? to('developers/webhooks') : undefined,
    },
  ]);
}

function figureTiles({ money }: ConsoleRequest, days: readonly DayFigures[]): Html {
  const { carts, approved, denied, purchases, purchasedCents } = sumDays(days);
  // In basis points, rounded to whole percents.
  const share = (part: number, whole: number) => (whole === 0 ? '–' : t.percent(Math.round((part / whole) * 100) * 100));
  return tiles('Figures', [
    { label: 'Volume', value: money(purchasedCents) },
    { label: 'Purchases', value: formatCount(purchases) },
    { label: 'Average purchase', value: purchases === 0 ? '–' : money(Math.round(purchasedCents / purchases)) },
    { label: 'Approvals', value: share(approved, approved + denied), hint: 'of decisions about applications' },
    { label: 'Conversion', value: share(purchases, carts), hint: 'purchases per started checkout' },
  ]);
}

function charts({ money }: ConsoleRequest, days: readonly DayFigures[]): Html {
  const points = days.map(({ day }) => shortDate(day));
  return html`<div class="charts">
    ${chart({
      caption: 'Volume by day',
      heading: 'Day',
      points,
      plots: [
        {
          kind: 'bars',
          formatTick: (cents) => withoutCents(money(cents)),
          series: [
            {
              name: 'Volume',
              values: days.map(({ purchasedCents }) => purchasedCents),
              format: money,
            },
          ],
        },
      ],
      others: [{ name: 'Purchases', values: days.map(({ purchases }) => purchases), format: formatCount }],
    })}
    ${chart({
      caption: 'Checkouts by day',
      heading: 'Day',
      points,
      plots: [
        {
          kind: 'lines',
          series: [
            { name: 'Started', values: days.map(({ carts }) => carts), format: formatCount },
            { name: 'Approved', values: days.map(({ approved }) => approved), format: formatCount },
            { name: 'Purchases', values: days.map(({ purchases }) => purchases), format: formatCount },
          ],
        },
      ],
    })}
  </div>`;
}

function shortDate(day: CivilDate): string {
  const format = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  return new Date(`${day}T00:00:00Z`).toLocaleDateString('en-US', format);
}

function formatCount(number: number): string {
  return number.toLocaleString('en-US');
}

/** More are shown as `1,000+`. */
const MAX_COUNTED = 1_000;

/** Days for which a delivery that failed is shown. */
export const FAILED_DAYS = 7;

/** Returns the time since which failed deliveries are shown. Callbacks have the time of the sandbox's clock and events the real one, so the earlier one counts. */
export function failedSince({ now, deps }: ConsoleRequest): Instant {
  const realNow = deps.realClock.now();
  return plusDays(now < realNow ? now : realNow, -FAILED_DAYS);
}

/** Numbers of purchases and deliveries that wait for a merchant, each at most `MAX_COUNTED`. */
interface Waiting {
  toAuthorize: number;
  /** Authorized purchases, which are shipped and settled next. */
  toShip: number;
  /** Both kinds within `EXPIRING_DAYS` of their expiry. */
  expiring: number;
  /** Callbacks and events of the last days that were not delivered. */
  failedDeliveries: number;
}

/** Returns what waits for a merchant. Reads at most `MAX_COUNTED` rows for each number, whatever the number of transactions. */
export async function readWaiting(
  query: Query,
  transactions: Transactions,
  merchantId: string,
  now: Instant,
  failuresSince: Instant,
): Promise<Waiting> {
  const limit = MAX_COUNTED;
  // Purchases that entered their status by this instant have expired.
  const afterOf = (status: Expirable) => transactions.expiryCutoff(status, now);
  const [toAuthorize, toShip, failedDeliveries, ...expiring] = await Promise.all([
    countInStatus(query, merchantId, 'PENDING', { after: afterOf('PENDING'), limit }),
    countInStatus(query, merchantId, 'AUTHORIZED', { after: afterOf('AUTHORIZED'), limit }),
    countFailing(query, merchantId, failuresSince, limit),
    ...EXPIRABLE.map((status) => {
      const after = afterOf(status);
      return countInStatus(query, merchantId, status, { after, until: plusDays(after, EXPIRING_DAYS), limit });
    }),
  ]);
  return {
    toAuthorize,
    toShip,
    failedDeliveries,
    expiring: Math.min(
      limit,
      expiring.reduce((sum, count) => sum + count),
    ),
  };
}
