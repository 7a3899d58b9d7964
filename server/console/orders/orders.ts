import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { is } from 'superstruct';
import { addDays, type CivilDate } from '../../../shared/dates.ts';
import { CalendarDate } from '../../../shared/wire/fields.ts';
import type { Html } from '../../http/pages/html.ts';
import { isId } from '../../base/ids.ts';
import { startOfDayIn } from '../../base/time.ts';
import { exportTransactions } from '../../purchases/transactions/export.ts';
import { readTransactions, type TransactionPage } from '../../purchases/transactions/list.ts';
import { MAX_READ, positionOfTransaction } from '../../purchases/transactions/list-store.ts';
import { bothOf, filtersOfSearch, filtersOfView, ORDER_VIEWS } from '../../purchases/transactions/search.ts';
import { currenciesOf, type Transaction } from '../../purchases/transactions/store.ts';
import { small, downloadButton } from '../web/elements.ts';
import { list, searchedText, searchField } from '../web/list.ts';
import type { ActionResult, ConsoleRequest, Show } from '../web/screen.ts';
import { t } from '../web/texts.ts';
import { expiryText, statusBadge } from './parts.ts';

const PAGE_SIZE = 25;

/** Days before its expiry from which an order counts as expiring. */
export const EXPIRING_DAYS = 3;

const VIEWS: Record<(typeof ORDER_VIEWS)[number], string> = {
  all: 'All',
  authorize: 'To authorize',
  ship: 'To ship',
  expiring: 'Expiring soon',
  settled: 'Settled',
  refunded: 'Refunded',
  ended: 'Ended',
  'same-reference': 'Same reference',
};

/** The orders of a merchant, in a view or found by a search. */
export const showOrders: Show = async (request) => {
  const { to, time, deps, can, form } = request;
  const orderQuery = parseOrderQuery(request);
  const { transactions, next, readUntil } = await readPage(request, orderQuery, PAGE_SIZE, request.query.get('after'));
  const currencies = await currenciesOf(
    deps.database.query,
    transactions.map(({ id }) => id),
  );
  const money = ({ id }: Transaction, cents: number) => t.money(cents, currencies.get(id)!);
  return {
    title: 'Orders',
    content: html`${readUntil ? html`<p role="status">Searched orders back to ${time(readUntil)}. Open the next page to continue, or narrow the dates.</p>` : nothing}
    ${list({
      caption: 'Orders',
      rows: transactions,
      hasTwoLines: true,
      empty: 'No order was found.',
      tabs: [
        // Home leads to the exceptional view.
        ...ORDER_VIEWS.filter((view) => view !== 'same-reference' || view === orderQuery.view).map((view) => ({
          label: VIEWS[view],
          address: to('orders', parametersOf({ ...orderQuery, view })),
          isCurrent: view === orderQuery.view,
        })),
        { label: 'All checkouts', address: to('links', { of: 'all' }), isCurrent: false },
      ],
      filters: searchForm(request, orderQuery),
      columns: [
        {
          label: 'Order',
          cell: (row) =>
            html`<a href="${to(`orders/${row.id}`)}"><span dir="auto">${row.merchantOrderId || row.orderRef || row.id.slice(-12)}</span></a>`,
        },
        { label: 'Buyer', cell: (row) => html`<span dir="auto">${row.billingContact.fullName || 'Deleted'}</span>` },
        { label: 'Date', cell: ({ createdAt }) => time(createdAt) },
        {
          label: 'Status',
          cell: (row) => html`${statusBadge(row.status)} ${small(expiryText(request, row))}`,
        },
        { label: 'Total', cell: (row) => money(row, row.totalCents), isAmount: true },
        {
          label: 'Remaining',
          cell: (row) =>
            html`<span class="${row.adjustedTotalCents === row.totalCents ? 'same' : ''}">${money(row, row.adjustedTotalCents)}</span>`,
          isAmount: true,
        },
      ],
      next: next && to('orders', { ...parametersOf(orderQuery), after: next }),
      download:
        transactions.length > 0 && can('export')
          ? form('orders.csv', downloadButton('Download as CSV'), { parameters: parametersOf(orderQuery) })
          : undefined,
    })}`,
  };
};

/** Returns the orders of a view or a search as a file, with the names and amounts of the API. */
export async function downloadOrders(request: ConsoleRequest): Promise<ActionResult> {
  const { deps, merchant, user } = request;
  const orderQuery = parseOrderQuery(request);
  const readRows = (limit: number, after: string | undefined) => readPage(request, orderQuery, limit, after ?? null);
  const { body, rowCount, isCut } = await exportTransactions(deps.database, user, merchant.id, readRows, deps.realClock.now());
  const name = isCut ? `orders-first-${rowCount}.csv` : 'orders.csv';
  return { file: { name, type: 'text/csv; charset=utf-8', body } };
}

/** The parameters of a page. Invalid ones are ignored, because people may edit an address. */
interface OrderQuery {
  view: (typeof ORDER_VIEWS)[number];
  text: string;
  /** First and last day. */
  from: CivilDate | undefined;
  until: CivilDate | undefined;
}

function parseOrderQuery({ query }: ConsoleRequest): OrderQuery {
  const day = (name: string): CivilDate | undefined => {
    const typed: unknown = query.get(name);
    // The end of a later day cannot be compared as text.
    return is(typed, CalendarDate) && typed < '9000' ? typed : undefined;
  };
  return {
    view: ORDER_VIEWS.find((view) => view === query.get('view')) ?? 'all',
    text: searchedText(query),
    from: day('from'),
    until: day('to'),
  };
}

async function readPage(
  { deps: { database, transactions }, merchant, timeZone, now }: ConsoleRequest,
  { view, text, from, until }: OrderQuery,
  limit: number,
  afterId: string | null,
): Promise<TransactionPage> {
  const { query } = database;
  const after = afterId !== null && isId(afterId) ? await positionOfTransaction(query, merchant.id, afterId) : undefined;
  const page = {
    limit,
    after,
    // A page of a search may end after this number of rows; the next page continues there.
    maxRead: MAX_READ,
    createdFrom: from && startOfDayIn(from, timeZone),
    createdBefore: until && startOfDayIn(addDays(until, 1), timeZone),
  };
  const filters = bothOf(filtersOfSearch(text), filtersOfView(view, transactions, EXPIRING_DAYS, now));
  return readTransactions(query, transactions, merchant.id, filters, page, now);
}

/** Returns the parameters of the address of a page. */
function parametersOf({ view, text, from, until }: OrderQuery) {
  return { view: view === 'all' ? undefined : view, q: text, from, to: until };
}

function searchForm({ to }: ConsoleRequest, { view, text, from, until }: OrderQuery): Html {
  return html`<form class="filters" method="get" action="${to('orders')}" role="search">
    ${searchField('Order, name, e-mail address, phone number or amount', text)}
    <label>From <input type="date" name="from" value="${from ?? ''}" /></label>
    <label>To <input type="date" name="to" value="${until ?? ''}" /></label>
    ${view === 'all' ? nothing : html`<input type="hidden" name="view" value="${view}" />`}
    <button class="quiet">Find</button>
  </form>`;
}
