import { dateIn } from '../../base/time.ts';
import { Readable } from 'node:stream';
import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { addMonths, type CivilDate } from '../../../shared/dates.ts';
import { netCentsOf, payoutOf, type SettledAmounts } from '../../../shared/settlement.ts';
import { CalendarDate } from '../../../shared/wire/fields.ts';
import type { SettlementLineType } from '../../../shared/wire/settlement.ts';
import type { Html } from '../../http/pages/html.ts';
import { chart, withoutCents } from '../../http/pages/chart.ts';
import { printButton } from '../../http/pages/elements.ts';
import { BYTE_ORDER_MARK } from '../../base/csv.ts';
import { presentLine } from '../../purchases/settlements/present.ts';
import { csvOfLines, getSettlement, readLinePage, readSettlementPage } from '../../purchases/settlements/read.ts';
import { settleToday } from '../../purchases/settlements/run.ts';
import { type Movement, settlementsOfMonth, type Statement, statementsOf } from '../../purchases/settlements/statement.ts';
import { balanceOf, type Settlement, sumByMonth, sumUnsettled } from '../../purchases/settlements/store.ts';
import { badge, details, panel, small, tiles, downloadButton, submitButton } from '../web/elements.ts';
import { type Column, list, listPanel, pageAfter } from '../web/list.ts';
import type { ActionResult, ConsoleDeps, ConsoleFile, ConsoleRequest, Show } from '../web/screen.ts';
import { comparison, formatCount, monthName, t } from '../web/texts.ts';

/** Settlements by day, the newest first, with what is not settled yet. */
export const showMoney: Show = async (request) => {
  const { deps, merchant, query, to, form } = request;
  const { query: stored } = deps.database;
  // A page has the days of a month.
  let isFirst = true;
  const { items, isLast } = await pageAfter(query, (position) => {
    isFirst = position.after === undefined;
    return readSettlementPage(stored, merchant.id, { limit: '31', ...position });
  });
  const unsettled = await sumUnsettled(stored, merchant.id);
  return {
    title: 'Settlements',
    content: html`${
      unsettled.length === 0
        ? nothing
        : html`${tiles(
            'Not settled yet',
            unsettled.map((sums) => ({
              label: 'Not settled yet',
              value: t.money(netCentsOf(sums), sums.currency),
              hint: `${formatCount(sums.lineCount)} ${sums.lineCount === 1 ? 'line' : 'lines'}, after fees of ${t.money(sums.feeCents, sums.currency)}`,
            })),
          )}
          ${deps.mode === 'sandbox' ? form('money/settle', submitButton('Settle now, in the sandbox only')) : nothing}`
    }
    <form method="get" action="${to('money/statement')}" class="filters">
      <label>Monthly statement <input type="month" name="month" value="${currentMonth(request)}" /></label>
      <button class="quiet">Show the statement</button>
    </form>
    ${isFirst ? await monthPanels(request) : nothing}
    ${settlementList(request, items, isLast ? undefined : to('money', { after: items.at(-1)!.id }))}`,
  };
};

const MONTHS = 12;

/** The settlements of twelve months in each currency, with the twelve months before. */
async function monthPanels(request: ConsoleRequest): Promise<Html[]> {
  const { deps, merchant } = request;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the first day of a month
  const firstDay = `${currentMonth(request)}-01` as CivilDate;
  const months = Array.from({ length: 2 * MONTHS }, (_, index) => addMonths(firstDay, index + 1 - 2 * MONTHS));
  const rows = await sumByMonth(deps.database.query, merchant.id, months[0]!);
  return [...new Set(rows.map(({ currency }) => currency))].map((currency) => {
    const valuesOf = (centsOf: (amounts: SettledAmounts) => number) =>
      months.map((day) => {
        const found = rows.find((row) => row.currency === currency && day.startsWith(row.month));
        return found ? centsOf(found) : 0;
      });
    const format = (cents: number) => t.money(cents, currency);
    const all = [
      { name: 'Gross', values: valuesOf(({ grossCents }) => grossCents), format },
      { name: 'Fees', values: valuesOf(({ feeCents }) => -feeCents), format },
      { name: 'Net', values: valuesOf(netCentsOf), format },
    ];
    const sum = (values: readonly number[]) => values.reduce((total, cents) => total + cents, 0);
    const [gross, ...others] = all.map((series) => ({ ...series, values: series.values.slice(MONTHS) }));
    return panel(
      `The last ${MONTHS} months in ${currency}`,
      html`${tiles(
        'Settlements',
        all.map(({ name, values }) => {
          const total = sum(values.slice(MONTHS));
          return { label: name, value: format(total), hint: comparison(total, sum(values.slice(0, MONTHS)), format) };
        }),
      )}
      ${chart({
        caption: 'Settlements by month',
        heading: 'Month',
        points: months.slice(MONTHS).map((day) => monthName(day)),
        plots: [{ kind: 'bars', formatTick: (cents) => withoutCents(format(cents)), series: [gross!] }],
        others,
      })}`,
    );
  });
}

/** Returns the current month in the time zone of the merchant, such as `2026-11`. */
function currentMonth({ timeZone, now }: ConsoleRequest): string {
  return dateIn(now, timeZone).slice(0, 7);
}

/** Settles what is not settled yet in a sandbox, without waiting for the end of the day. */
export async function settle({ deps, merchant, now, to }: ConsoleRequest): Promise<ActionResult> {
  if (deps.mode !== 'sandbox') return undefined;
  const settlements = await settleToday(deps.database, merchant.id, now);
  return { redirect: to('money'), done: settlements.length > 0 ? 'money.settled' : 'money.settledBefore' };
}

function settlementList({ to }: ConsoleRequest, rows: readonly Settlement[], next?: string): Html {
  const amount = amountColumn<Settlement>((cents, { currency }) => t.money(cents, currency));
  return list({
    caption: 'Settlements by day',
    rows,
    empty: 'There are no settlements yet. A day is settled after it has ended in every US time zone.',
    next,
    columns: [
      { label: 'Day', cell: ({ id, day }) => html`<a href="${to(`money/${id}`)}">${t.date(day)}</a>` },
      { label: 'Status', cell: (settlement) => html`${stateBadge(settlement)} ${small(receivedText(settlement))}` },
      amount('Gross', ({ grossCents }) => grossCents),
      amount('Fees', ({ feeCents }) => -feeCents),
      amount('Carried over', ({ carriedCents }) => carriedCents),
      amount('Payout', (settlement) => balanceOf(settlement).payoutCents),
    ],
  });
}

/** Returns a function that makes a column of amounts. */
function amountColumn<Row>(format: (cents: number, row: Row) => string) {
  return (label: string, centsOf: (row: Row) => number): Column<Row> => ({
    label,
    cell: (row) => format(centsOf(row), row),
    isAmount: true,
  });
}

function stateBadge(settlement: Settlement): Html {
  const { payoutCents } = balanceOf(settlement);
  if (settlement.receivedDifference !== null) return badge('Differs', 'bad');
  if (settlement.paidOn !== null) return badge('Paid', 'good');
  return payoutCents === 0 ? badge('Nothing to pay') : badge('Not paid yet', 'waiting');
}

const DIFFERENCES: Record<NonNullable<Settlement['receivedDifference']>, string> = {
  amount: 'another amount was paid for a line',
  'not-paid': 'a line was not paid',
  'several-payments': 'several transfers or days',
  'paid-before': 'another payment was recorded before',
  transfer: 'the transfer differs from the payouts of its settlements',
};

/**
 * Describes how the latest payout file of the lender differs from a settlement. Returns undefined if it does not. `receivedCents` is the sum
 * of the lines that the file pays, without the balance that was carried over. It is as expected if only the transfer differs.
 */
function receivedText(settlement: Settlement): string | undefined {
  const { receivedDifference, receivedCents, receivedOn, carriedCents, currency } = settlement;
  if (receivedDifference === null || receivedCents === null || receivedOn === null) return undefined;
  if (receivedDifference === 'transfer') return `Paid on ${t.date(receivedOn)}: ${DIFFERENCES.transfer}.`;
  return `Paid ${t.money(payoutOf(carriedCents, receivedCents).payoutCents, currency)} on ${t.date(receivedOn)}, expected ${t.money(balanceOf(settlement).payoutCents, currency)}: ${DIFFERENCES[receivedDifference]}.`;
}

const LINE_TYPES: Record<SettlementLineType, string> = {
  settled: 'Purchase',
  'settled-by-card': 'Card portion, paid by the card gateway',
  refunded: 'Refund',
  'refunded-to-card': 'Refund to the card, by the card gateway',
};

/** A settlement with its lines, which add up to the payout. */
export const showSettlement: Show = async (request) => {
  const { deps, merchant, id, query, to, can, form } = request;
  const found = await getSettlement(deps.database.query, merchant.id, id);
  const { currency, day, carriedCents, bankReference, paidOn } = found;
  const { items, isLast } = await pageAfter(query, (after) =>
    readLinePage(deps.database.query, found, { limit: '50', ...after }),
  );
  const inCurrency = (cents: number) => t.money(cents, currency);
  const { payoutCents, balanceCents } = balanceOf(found);
  const lines = items.map(presentLine);
  const amount = amountColumn<(typeof lines)[number]>(inCurrency);
  return {
    title: `Settlement of ${t.date(day)}`,
    content: html`<p><a href="${to('money')}">Back to the settlements</a></p>
      ${panel(
        'Summary',
        details([
          ['Status', stateBadge(found)],
          ['Gross', inCurrency(found.grossCents)],
          ['Fees', inCurrency(-found.feeCents)],
          ['Net', inCurrency(netCentsOf(found))],
          ['Carried over', carriedCents === 0 ? undefined : inCurrency(carriedCents)],
          ['Payout', html`<strong>${inCurrency(payoutCents)}</strong>`],
          ['Left to the next settlement', balanceCents === 0 ? undefined : inCurrency(balanceCents)],
          ['Difference', receivedText(found)],
          ['Bank reference', bankReference],
          ['Paid on', paidOn === null ? undefined : t.date(paidOn)],
        ]),
      )}
      <h2>Lines</h2>
      ${list({
        caption: 'Lines',
        columns: [
          {
            label: 'Order',
            cell: (line) =>
              html`<a href="${to(`orders/${line.transactionId}`)}">${line.orderRef || line.merchantOrderId || line.transactionId}</a>`,
          },
          { label: 'Type', cell: ({ type }) => LINE_TYPES[type] },
          { label: 'Day of the line', cell: (line) => t.date(line.day) },
          amount('Gross', ({ gross }) => gross),
          amount('Fees', ({ fee }) => -fee),
          amount('Net', ({ net }) => net),
        ],
        rows: lines,
        empty: 'It has no lines.',
        download: can('export') ? form(`money/${found.id}/lines.csv`, downloadButton('Download as CSV')) : undefined,
        next: isLast ? undefined : to(`money/${found.id}`, { after: lines.at(-1)!.id }),
      })}`,
  };
};

export async function downloadSettlement({ deps, merchant, id }: ConsoleRequest): Promise<ActionResult> {
  const found = await getSettlement(deps.database.query, merchant.id, id);
  return linesFile(deps, `settlement-${found.day}-${found.currency}`, [found]);
}

/** The statement of a month, to print. */
export const showStatement: Show = async (request) => {
  const { merchant, to, can, form } = request;
  const found = await readMonth(request);
  if (!found) return undefined;
  const { month, firstDay, settlements } = found;
  const ofMonth = (months: number) => `money/statement?month=${addMonths(firstDay, months).slice(0, 7)}`;
  const statements = await statementsOf(request.deps.database.query, settlements);
  return {
    title: `Statement of ${monthName(firstDay)}`,
    content: html`<p class="row unprinted">
        <a href="${to('money')}">Back to the settlements</a> <a href="${to(ofMonth(-1))}">Previous month</a>
        <a href="${to(ofMonth(1))}">Next month</a>
      </p>
      <p class="lead" dir="auto">${merchant.name}</p>
      ${
        statements.length === 0
          ? html`<p class="empty">There are no settlements in this month.</p>`
          : html`${statements.map((one) => statementPanel(request, one))}
              <div class="row unprinted">
                ${can('export') ? form('money/statement/lines.csv', downloadButton('All lines as CSV'), { parameters: { month } }) : nothing}
                ${printButton('Print or save as PDF')}
              </div>`
      }`,
  };
};

export async function downloadStatement(request: ConsoleRequest): Promise<ActionResult> {
  const found = await readMonth(request);
  return found && linesFile(request.deps, `settlements-${found.month}`, found.settlements);
}

/** Reads the settlements of the month in the address, by default the current one. Returns undefined if it is no month. */
async function readMonth(request: ConsoleRequest) {
  const { deps, merchant, query } = request;
  const month = query.get('month') ?? currentMonth(request);
  const firstDay: string = `${month}-01`;
  if (!CalendarDate.is(firstDay)) return undefined;
  return { month, firstDay, settlements: await settlementsOfMonth(deps.database.query, merchant.id, firstDay) };
}

/** The movements of a balance, whose net amounts add up to it, and the settlements behind them. */
function statementPanel(request: ConsoleRequest, one: Statement): Html {
  const inCurrency = (cents: number) => t.money(cents, one.currency);
  const { openingCents, closingCents, purchases, refunds, payouts, paidCents } = one;
  const movement = (label: string, { inCents, outCents }: Movement) =>
    [label, ...[inCents, outCents, inCents + outCents].map(inCurrency)] as const;
  const balance = (label: string, cents: number) =>
    [html`<strong>${label}</strong>`, nothing, nothing, inCurrency(cents)] as const;
  const feeCents = -(purchases.outCents + refunds.inCents);
  return html`<p class="lead">
      <strong>${inCurrency(paidCents)}</strong> of ${inCurrency(-payouts.outCents)} were transferred to your bank. You sold ${inCurrency(purchases.inCents)}, less
      ${inCurrency(-refunds.outCents)} of refunds and ${inCurrency(feeCents)} of fees.
    </p>
    ${listPanel({
      caption: `Balance in ${one.currency}`,
      columns: ['Movement', 'In', 'Out', 'Net'].map((label, index) => ({
        label,
        cell: (row: readonly unknown[]) => row[index],
        isAmount: index > 0,
      })),
      rows: [
        balance('Balance before the month', openingCents),
        movement('Purchases, and their fees', purchases),
        movement('Refunds, and the fees that they return', refunds),
        movement('Payouts to your bank', payouts),
        balance('Balance after the month', closingCents),
      ],
    })}
  <p>The net amounts add up to the balance after the month.</p>
  ${settlementList(request, one.settlements)}`;
}

function linesFile(deps: ConsoleDeps, name: string, settlements: readonly Settlement[]): ConsoleFile {
  const file = async function* () {
    yield BYTE_ORDER_MARK;
    yield* csvOfLines(deps.database.query, settlements);
  };
  const body = Readable.from(file(), { objectMode: false });
  return { file: { name: `${name}.csv`, type: 'text/csv; charset=utf-8; header=present', body } };
}
