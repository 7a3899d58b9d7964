import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { keysOf } from '../../../shared/objects.ts';
import { countRequests, REQUEST_DAYS } from '../../merchants/requests/store.ts';
import { countDeliveries } from '../../messages/store.ts';
import { chart } from '../../http/pages/chart.ts';
import type { Html } from '../../http/pages/html.ts';
import { cachedFigures, spansOf } from '../home/figures.ts';
import { panel } from '../web/elements.ts';
import type { ConsoleRequest } from '../web/screen.ts';
import { dayName, formatCount } from '../web/texts.ts';

const DELIVERY_DAYS = 28;

/** Deliveries that were not made are repeated, or can be sent again, which changes the figures of their day. */
export const readDeliveries = cachedFigures(
  ({ query, merchantId }, periods) => countDeliveries(query, merchantId, periods),
  ({ pending, failed }) => pending + failed === 0,
);

export const readRequests = cachedFigures(({ query, merchantId }, periods) => countRequests(query, merchantId, periods));

/** The numbers of callbacks and events of the last days, by their result. */
export function deliveryFigures(request: ConsoleRequest): Promise<Html | typeof nothing> {
  const names = { delivered: 'Delivered', pending: 'Not delivered yet', failed: 'Failed' };
  const hint =
    request.deps.mode === 'sandbox' ? 'Events are counted in real time, and callbacks by the clock of the sandbox.' : undefined;
  return resultPanel(request, { subject: 'Deliveries', count: DELIVERY_DAYS, read: readDeliveries, names, hint });
}

/** The numbers of requests of the last days, by their status. */
export function requestFigures(request: ConsoleRequest): Promise<Html | typeof nothing> {
  const names = { succeeded: 'Succeeded', rejected: 'Rejected (4xx)', failed: 'Failed (5xx)' };
  return resultPanel(request, { subject: 'Requests', count: REQUEST_DAYS, read: readRequests, names });
}

interface Results<Result extends string> {
  subject: string;
  count: number;
  read: ReturnType<typeof cachedFigures<Record<Result, number>>>;
  names: Record<Result, string>;
  hint?: string | undefined;
}

/** The numbers of each day as stacked bars, by the actual time; nothing if all are 0. */
async function resultPanel<Result extends string>(
  { deps, merchant, timeZone }: ConsoleRequest,
  { subject, count, read, names, hint }: Results<Result>,
): Promise<Html | typeof nothing> {
  const now = deps.realClock.now();
  const spans = spansOf('day', count, now, timeZone);
  const days = await read({ query: deps.database.query, mode: deps.mode, merchantId: merchant.id }, spans, now);
  if (days.every((day) => keysOf(day).every((result) => day[result] === 0))) return nothing;
  return panel(
    `${subject}, last ${count} days`,
    html`${chart({
      caption: `${subject} by day`,
      heading: 'Day',
      points: spans.map(({ day }) => dayName(day)),
      plots: [
        {
          kind: 'bars',
          height: 120,
          series: keysOf(names).map((result) => ({
            name: names[result],
            values: days.map((day) => day[result]),
            format: formatCount,
          })),
        },
      ],
    })}
    ${hint ? html`<p class="hint">${hint}</p>` : nothing}`,
  );
}
