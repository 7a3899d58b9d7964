import { html } from '@lit-labs/ssr';
import type { CivilDate } from '../../../shared/dates.ts';
import { fill } from '../../../shared/languages/texts.ts';
import { type DayFigures, FIGURE_DAYS, readDays, sumDays } from '../../figures/days.ts';
import { EXPIRING_DAYS, MAX_COUNTED, readWaiting, type Waiting } from '../../figures/waiting.ts';
import type { Html } from '../../http/html.ts';
import { listPendingRequests } from '../../refund-requests/store.ts';
import { localesOf } from '../../programs/programs.ts';
import { MAX_REQUESTS } from '../orders/approvals.ts';
import { chart } from '../web/chart.ts';
import { panel, tiles } from '../web/elements.ts';
import type { ConsoleRequest, Screen } from '../web/screen.ts';

/** The first page after a sign-in: what waits, and the figures of four weeks. */
export const home: Screen = {
  path: '',
  permission: 'view',
  show: async (request) => {
    const { t, merchant, deps, now } = request;
    const { database, lifetimes, mode } = deps;
    const { timeZone } = await localesOf(database.query, merchant);
    const waiting = await readWaiting(database.query, merchant.id, lifetimes, now);
    const days = await readDays({ query: database.query, mode }, merchant.id, timeZone, now);
    const toApprove = (await listPendingRequests(database.query, merchant.id, now, MAX_REQUESTS)).length;
    const own = t.console.home;
    return {
      title: own.title,
      content: html`${waitingTiles(request, waiting, toApprove)}
      ${panel(fill(own.lastDays, { days: FIGURE_DAYS }), html`${figureTiles(request, days)} ${charts(request, days)}`)}`,
    };
  },
};

function waitingTiles(
  { t, to, can, merchant }: ConsoleRequest,
  { toAuthorize, toShip, expiring, failedDeliveries }: Waiting,
  toApprove: number,
): Html {
  const own = t.console.home;
  const count = (number: number) => `${numberIn(t.language, number)}${number === MAX_COUNTED ? '+' : ''}`;
  return tiles(own.waiting, [
    { label: own.toAuthorize, value: count(toAuthorize), address: to('orders?view=authorize') },
    { label: own.toShip, value: count(toShip), address: to('orders?view=ship') },
    { label: fill(own.expiring, { days: EXPIRING_DAYS }), value: count(expiring), address: to('orders?view=expiring') },
    ...(toApprove > 0 || merchant.refundApprovalCents !== null
      ? [{ label: own.toApprove, value: count(toApprove), address: to('orders/approvals') }]
      : []),
    {
      label: own.failedDeliveries,
      value: count(failedDeliveries),
      address: can('develop') ? to('developers/webhooks') : undefined,
    },
  ]);
}

function figureTiles({ t, money }: ConsoleRequest, days: readonly DayFigures[]): Html {
  const own = t.console.home;
  const { carts, approved, denied, purchases, purchasedCents } = sumDays(days);
  const share = (part: number, whole: number) => (whole === 0 ? '–' : t.percent(Math.round((part / whole) * 100) * 100));
  return tiles(own.figures, [
    { label: own.volume, value: money(purchasedCents) },
    { label: own.purchases, value: numberIn(t.language, purchases) },
    { label: own.average, value: purchases === 0 ? '–' : money(Math.round(purchasedCents / purchases)) },
    { label: own.approval, value: share(approved, approved + denied), hint: own.approvalHint },
    { label: own.conversion, value: share(purchases, carts), hint: own.conversionHint },
  ]);
}

function charts({ t, money }: ConsoleRequest, days: readonly DayFigures[]): Html {
  const own = t.console.home;
  const points = days.map(({ day }) => shortDate(t.language, day));
  const count = (number: number) => numberIn(t.language, number);
  return html`<div class="charts">
    ${chart(t, {
      caption: own.volumeByDay,
      heading: own.day,
      points,
      kind: 'bars',
      series: [
        {
          name: own.volume,
          values: days.map(({ purchasedCents }) => purchasedCents),
          format: (cents) => withoutCents(money(cents)),
        },
        { name: own.purchases, values: days.map(({ purchases }) => purchases), format: count },
      ],
    })}
    ${chart(t, {
      caption: own.checkoutsByDay,
      heading: own.day,
      points,
      kind: 'lines',
      series: [
        { name: own.started, values: days.map(({ carts }) => carts), format: count },
        { name: own.approved, values: days.map(({ approved }) => approved), format: count },
        { name: own.purchases, values: days.map(({ purchases }) => purchases), format: count },
      ],
    })}
  </div>`;
}

function shortDate(language: string, day: CivilDate): string {
  const format = { month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(`${language}-US`, format);
}

function numberIn(language: string, number: number): string {
  return number.toLocaleString(`${language}-US`);
}

/** Returns an amount of whole dollars without cents: `$1,500`. */
function withoutCents(amount: string): string {
  return amount.replace(/\D00(?!\d)/, '');
}
