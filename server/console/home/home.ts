import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { keysOf } from '../../../shared/objects.ts';
import type { Html } from '../../http/pages/html.ts';
import type { Query } from '../../db/database.ts';
import { countFailing } from '../../messages/store.ts';
import { type Instant, plusDays } from '../../base/time.ts';
import { EXPIRABLE, type Expirable } from '../../purchases/transactions/lifecycle.ts';
import { countWithSharedOrderRef } from '../../purchases/transactions/other-purchases-store.ts';
import { countInStatus } from '../../purchases/transactions/store.ts';
import type { Transactions } from '../../purchases/transactions/transactions.ts';
import { EXPIRING_DAYS } from '../orders/orders.ts';
import { listPendingRequests } from '../approvals/store.ts';
import { MAX_REQUESTS } from '../orders/approvals.ts';
import { table } from '../../http/pages/elements.ts';
import { chart, horizontalBar, withoutCents } from '../../http/pages/chart.ts';
import { buttonLink, panel, tiles } from '../web/elements.ts';
import { tabs } from '../web/list.ts';
import type { ConsoleRequest, Show } from '../web/screen.ts';
import { comparison, dayName, formatCount, monthName, t, timeZoneName } from '../web/texts.ts';
import { type Figures, type RangeFigures, type RangeName, RANGES, readFigures, sumFigures } from './figures.ts';

/** The first page after a sign-in: what waits, and the figures of a range. */
export const showHome: Show = async (request) => {
  const { merchant, deps, timeZone, now } = request;
  const { database, transactions, mode } = deps;
  const range = keysOf(RANGES).find((name) => name === request.query.get('range')) ?? '28d';
  const waiting = await readWaiting(database.query, transactions, merchant.id, now, failedSince(request));
  const figures = await readFigures({ query: database.query, mode, merchantId: merchant.id }, range, now, timeZone);
  const toApprove = (await listPendingRequests(database.query, merchant.id, now, MAX_REQUESTS)).length;
  return {
    title: 'Home',
    content: html`${waitingTiles(request, waiting, toApprove)}
    ${figuresPanel(request, range, figures)}`,
  };
};

function waitingTiles(
  { to, can, merchant }: ConsoleRequest,
  { toAuthorize, toShip, expiring, failedDeliveries, withSharedOrderRef }: Waiting,
  toApprove: number,
): Html {
  const count = (number: number) => `${formatCount(number)}${number === MAX_COUNTED ? '+' : ''}`;
  return tiles('Waiting for you', [
    { label: 'To authorize', value: count(toAuthorize), address: to('orders?view=authorize') },
    { label: 'To ship', value: count(toShip), address: to('orders?view=ship') },
    { label: `Expiring within ${EXPIRING_DAYS} days`, value: count(expiring), address: to('orders?view=expiring') },
    ...(withSharedOrderRef > 0
      ? [{ label: 'Same reference', value: count(withSharedOrderRef), address: to('orders?view=same-reference') }]
      : []),
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

/** The ranges, as links that work without scripts, and the figures of the current one. */
function figuresPanel(request: ConsoleRequest, range: RangeName, { current, before }: RangeFigures): Html {
  const { name, hasSteps } = RANGES[range];
  const sums = sumFigures(current);
  const sumsBefore = sumFigures(before);
  const ranges = keysOf(RANGES).map((each) => ({
    label: RANGES[each].name,
    address: request.to('', { range: each }),
    isCurrent: each === range,
  }));
  const content = Object.values(sums).every((sum) => sum === 0)
    ? nextSteps(request, hasSteps)
    : html`${figureTiles(request, range, sums, sumsBefore)}
        <div class="charts">
          ${sums.purchases > 0 ? volumeChart(request, range, current) : nothing}
          ${hasSteps ? funnel(range, sums, sumsBefore) : nothing}
        </div>`;
  return panel(`The last ${name}`, html`${tabs('Range', ranges)} ${content}`);
}

/** The next steps of a merchant without checkouts in a range, as far as the role of the user permits them. */
function nextSteps({ to, can }: ConsoleRequest, hasSteps: boolean): Html {
  const steps = [
    can('develop') ? buttonLink('Add the button to your shop', to('developers/button')) : undefined,
    can('sell') ? buttonLink('Create a link for a buyer', to('links/new'), 'quiet') : undefined,
    can('administer') ? buttonLink('Complete what buyers see of you', to('settings'), 'quiet') : undefined,
  ].filter((step) => step !== undefined);
  return html`<p>${hasSteps ? 'Nothing was started, bought or refunded.' : 'Nothing was bought or refunded.'}${steps.length > 0 ? ' What to do next:' : nothing}</p>
    <p class="row">${steps}</p>`;
}

/** The totals of a range, each compared with that of the period before. */
function figureTiles({ money, timeZone }: ConsoleRequest, range: RangeName, sums: Sums, before: Sums): Html {
  const { name, hasSteps, hasStepsBefore } = RANGES[range];
  const ofSums = (label: string, valueOf: (sums: Sums) => number, format: (value: number) => string, about?: string) => ({
    label,
    value: format(valueOf(sums)),
    hint: [about, comparison(valueOf(sums), valueOf(before), format)].filter(Boolean).join(', '),
  });
  const average = Math.round(sums.purchasedCents / (sums.purchases || 1));
  const approvals = (of: Sums) => share(of.approved, of.approved + of.denied);
  const stepsBefore = (text: (of: Sums) => string) => (hasStepsBefore ? `, ${text(before)} before` : '');
  return html`${tiles('Figures', [
    ofSums('Volume', ({ purchasedCents }) => purchasedCents, money),
    ofSums('Purchases', ({ purchases }) => purchases, formatCount, `${money(average)} on average`),
    ofSums('Refunds', ({ refundedCents }) => refundedCents, money, 'financed part'),
    ...(hasSteps
      ? [
          { label: 'Approvals', value: approvals(sums), hint: `of decisions${stepsBefore(approvals)}` },
          {
            label: 'Conversion',
            value: share(sums.purchases, sums.started),
            hint: `purchases per started checkout${stepsBefore(({ purchases, started }) => share(purchases, started))}`,
          },
        ]
      : []),
  ])}
    <p class="hint">Compared with the ${name} before. The current ${RANGES[range].unit} is not over. Days are in ${timeZoneName(timeZone)}.</p>`;
}

type Sums = ReturnType<typeof sumFigures>;

/** Returns a part in whole percents. */
function share(part: number, whole: number): string {
  return whole === 0 ? '–' : t.percent(Math.round((part / whole) * 100) * 100);
}

function volumeChart({ money }: ConsoleRequest, range: RangeName, figures: readonly Figures[]): Html {
  const { unit, hasSteps } = RANGES[range];
  const series = (name: string, valueOf: (figure: Figures) => number, format = formatCount) => ({
    name,
    values: figures.map(valueOf),
    format,
  });
  const volume = series('Volume', ({ purchasedCents }) => purchasedCents, money);
  const sales = [
    series('Purchases', ({ purchases }) => purchases),
    series('Refunds', ({ refundedCents }) => refundedCents, money),
  ];
  const steps = [
    series('Started', ({ started }) => started),
    series('Approved', ({ approved }) => approved),
    series('Denied', ({ denied }) => denied),
  ];
  return chart({
    caption: `Volume by ${unit}`,
    heading: unit === 'day' ? 'Day' : 'Month',
    points: figures.map(({ day }) => (unit === 'day' ? dayName(day) : monthName(day))),
    plots: [{ kind: 'bars', formatTick: (cents) => withoutCents(money(cents)), series: [volume] }],
    others: hasSteps ? [...sales, ...steps] : sales,
  });
}

/** The steps of checkouts with the losses between them. */
function funnel(range: RangeName, sums: Sums, before: Sums): Html {
  const stepsOf = ({ started, approved, denied, purchases, authorized, settled }: Sums): [name: string, count: number][] => [
    ['Started', started],
    ['Applied', approved + denied],
    ['Approved', approved],
    ['Signed', purchases],
    ['Authorized', authorized],
    ['Settled', settled],
  ];
  const steps = stepsOf(sums);
  const most = Math.max(...steps.map(([, count]) => count));
  const countsBefore = stepsOf(before).map(([, count]) => count);
  const { hasStepsBefore } = RANGES[range];
  const loss = (index: number) => {
    const from = steps[index - 1]?.[1] ?? 0;
    const lost = from - steps[index]![1];
    return lost > 0 ? `−${formatCount(lost)} (${share(lost, from)})` : '';
  };
  return html`<section class="funnel">
    ${table(
      ['Step', html`<span class="hidden">Bar</span>`, 'Count', 'Loss', ...(hasStepsBefore ? ['Before'] : [])],
      steps.map(([step, count], index) => [
        step,
        horizontalBar(count, most),
        formatCount(count),
        loss(index),
        ...(hasStepsBefore ? [formatCount(countsBefore[index]!)] : []),
      ]),
      'From checkout to settlement',
    )}
    <p>${whereBuyersLeave(steps)}</p>
    <p class="hint">
      Each step is counted on the day on which it happened, so that the numbers are not of the same buyers. Applications are counted when they are
      decided. The service does not know what happens in the button before a checkout starts.
    </p>
  </section>`;
}

/** States after which step most buyers leave, the larger share if the numbers are equal. Denials and what follows the signature are not theirs. */
function whereBuyersLeave(steps: readonly [name: string, count: number][]): string {
  const losses = [0, 2].map((index) => {
    const [[from, of], [to, count]] = [steps[index]!, steps[index + 1]!];
    return { from, to, of, lost: of - count };
  });
  const most = losses.reduce((one, other) =>
    other.lost > one.lost || (other.lost === one.lost && other.of < one.of) ? other : one,
  );
  if (most.lost <= 0) return '';
  return `Most buyers leave between ${most.from} and ${most.to}: ${formatCount(most.lost)} of ${formatCount(most.of)} (${share(most.lost, most.of)}). The other steps are decisions of the lender, and yours.`;
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
  /** Purchases with the reference of another one, which a buyer may have bought by mistake. */
  withSharedOrderRef: number;
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
  const [toAuthorize, toShip, failedDeliveries, withSharedOrderRef, ...expiring] = await Promise.all([
    countInStatus(query, merchantId, 'PENDING', { after: afterOf('PENDING'), limit }),
    countInStatus(query, merchantId, 'AUTHORIZED', { after: afterOf('AUTHORIZED'), limit }),
    countFailing(query, merchantId, failuresSince, limit),
    countWithSharedOrderRef(query, merchantId, limit),
    ...EXPIRABLE.map((status) => {
      const after = afterOf(status);
      return countInStatus(query, merchantId, status, { after, until: plusDays(after, EXPIRING_DAYS), limit });
    }),
  ]);
  const sum = expiring.reduce((total, count) => total + count);
  return { toAuthorize, toShip, failedDeliveries, withSharedOrderRef, expiring: Math.min(limit, sum) };
}
