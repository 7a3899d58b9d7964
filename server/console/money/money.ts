import { Readable } from 'node:stream';
import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { addMonths, dateIn } from '../../../shared/dates.ts';
import { fill } from '../../../shared/languages/texts.ts';
import { netCentsOf, payoutOf } from '../../../shared/settlement.ts';
import { CalendarDate } from '../../../shared/wire/fields.ts';
import type { Html } from '../../http/html.ts';
import { printButton } from '../../pages/elements.ts';
import { localesOf } from '../../programs/programs.ts';
import { BYTE_ORDER_MARK } from '../../settlements/csv.ts';
import { presentLine } from '../../settlements/present.ts';
import { csvOfLines, getSettlement, readLinePage, readSettlementPage } from '../../settlements/read.ts';
import { settleToday } from '../../settlements/run.ts';
import { settlementsOfMonth, type Statement, statementsOf } from '../../settlements/statement.ts';
import { balanceOf, type Settlement, sumUnsettled } from '../../settlements/store.ts';
import type { Texts } from '../../texts.ts';
import { badge, details, panel, small, tiles } from '../web/elements.ts';
import { downloadButton, submitButton } from '../web/form.ts';
import { type Column, list, pageAfter } from '../web/list.ts';
import type { ActionResult, ConsoleDeps, ConsoleFile, ConsoleRequest, Screen } from '../web/screen.ts';

/** Settlements by day, the newest first, with what is not settled yet. */
export const money: Screen = {
  path: 'money',
  permission: 'view-money',
  actions: [{ path: 'money/settle', submit: settle }],
  show: async (request) => {
    const { deps, merchant, query, t, to, form } = request;
    const own = t.console.money;
    const { query: stored } = deps.database;
    const { items, isLast } = await pageAfter(query, (after) =>
      readSettlementPage(stored, merchant.id, { limit: '31', ...after }),
    );
    const unsettled = await sumUnsettled(stored, merchant.id);
    return {
      title: own.title,
      content: html`${
        unsettled.length === 0
          ? nothing
          : html`${tiles(
              own.unsettled,
              unsettled.map((sums) => ({
                label: own.unsettled,
                value: t.money(netCentsOf(sums), sums.currency),
                hint: fill(own.unsettledHint, { lines: sums.lineCount, fee: t.money(sums.feeCents, sums.currency) }),
              })),
            )}
            ${deps.mode === 'sandbox' ? form('money/settle', submitButton(own.settle)) : nothing}`
      }
      <form method="get" action="${to('money/statement')}" class="filters">
        <label>${own.month} <input type="month" name="month" value="${await currentMonth(request)}" /></label>
        <button class="quiet">${own.showStatement}</button>
      </form>
      ${list(t, {
        caption: own.settlements,
        columns: settlementColumns(request),
        rows: items,
        empty: own.empty,
        next: isLast ? undefined : to('money', { after: items.at(-1)!.id }),
      })}`,
    };
  },
};

/** Returns the current month in the time zone of the merchant, such as `2026-11`. */
async function currentMonth({ deps, merchant, now }: ConsoleRequest): Promise<string> {
  const { timeZone } = await localesOf(deps.database.query, merchant);
  return dateIn(now, timeZone).slice(0, 7);
}

/** Settles what is not settled yet in a sandbox, without waiting for the end of the day. */
async function settle({ deps, merchant, now, to }: ConsoleRequest): Promise<ActionResult> {
  if (deps.mode !== 'sandbox') return undefined;
  const settlements = await settleToday(deps.database, merchant.id, now);
  return { redirect: to('money'), done: settlements.length > 0 ? 'money.settled' : 'money.settledBefore' };
}

function settlementColumns({ t, to }: ConsoleRequest): Column<Settlement>[] {
  const own = t.console.money;
  const amount = amountColumn<Settlement>((cents, { currency }) => t.money(cents, currency));
  return [
    { label: own.day, cell: ({ id, day }) => html`<a href="${to(`money/${id}`)}">${t.date(day)}</a>` },
    { label: own.state, cell: (settlement) => html`${stateOf(settlement, own)} ${small(receivedText(t, settlement))}` },
    amount(own.gross, ({ grossCents }) => grossCents),
    amount(own.fee, ({ feeCents }) => -feeCents),
    amount(own.carried, ({ carriedCents }) => carriedCents),
    amount(own.payout, (settlement) => balanceOf(settlement).payoutCents),
  ];
}

/** Returns a function that makes a column of amounts. */
function amountColumn<Row>(format: (cents: number, row: Row) => string) {
  return (label: string, centsOf: (row: Row) => number): Column<Row> => ({
    label,
    cell: (row) => format(centsOf(row), row),
    isAmount: true,
  });
}

function stateOf(settlement: Settlement, own: ConsoleRequest['t']['console']['money']): Html {
  const { payoutCents } = balanceOf(settlement);
  if (settlement.receivedDifference !== null) return badge(own.differs, 'bad');
  if (settlement.paidOn !== null) return badge(own.paid, 'good');
  return payoutCents === 0 ? badge(own.nothingToPay) : badge(own.unpaid, 'waiting');
}

/** Describes how the latest payout file of the lender differs from a settlement. Returns undefined if it does not. */
function receivedText(t: Texts, settlement: Settlement): string | undefined {
  const { receivedDifference, receivedCents, receivedOn, carriedCents, currency } = settlement;
  if (receivedDifference === null || receivedCents === null || receivedOn === null) return undefined;
  const own = t.console.money;
  return fill(own.differenceText, {
    paid: t.money(payoutOf(carriedCents, receivedCents).payoutCents, currency),
    day: t.date(receivedOn),
    expected: t.money(balanceOf(settlement).payoutCents, currency),
    difference: own.differences[receivedDifference],
  });
}

/** A settlement with its lines, which add up to the payout. */
export const settlement: Screen = {
  path: 'money/:id',
  permission: 'view-money',
  actions: [{ path: 'money/:id/lines.csv', permission: 'export', isSensitive: false, submit: downloadSettlement }],
  show: async (request) => {
    const { deps, merchant, params, query, t, to, can, form } = request;
    const own = t.console.money;
    const found = await getSettlement(deps.database.query, merchant.id, params['id']!);
    const { currency, day, carriedCents, bankReference, paidOn } = found;
    const { items, isLast } = await pageAfter(query, (after) =>
      readLinePage(deps.database.query, found, { limit: '50', ...after }),
    );
    const inCurrency = (cents: number) => t.money(cents, currency);
    const { payoutCents, balanceCents } = balanceOf(found);
    const lines = items.map(presentLine);
    const amount = amountColumn<(typeof lines)[number]>(inCurrency);
    return {
      title: fill(own.settlementOf, { day: t.date(day) }),
      content: html`<p><a href="${to('money')}">${own.back}</a></p>
        ${panel(
          own.summary,
          details([
            [own.state, stateOf(found, own)],
            [own.gross, inCurrency(found.grossCents)],
            [own.fee, inCurrency(-found.feeCents)],
            [own.net, inCurrency(netCentsOf(found))],
            [own.carried, carriedCents === 0 ? undefined : inCurrency(carriedCents)],
            [own.payout, html`<strong>${inCurrency(payoutCents)}</strong>`],
            [own.balance, balanceCents === 0 ? undefined : inCurrency(balanceCents)],
            [own.difference, receivedText(t, found)],
            [own.bankReference, bankReference],
            [own.paidOn, paidOn === null ? undefined : t.date(paidOn)],
          ]),
        )}
        <h2>${own.lines}</h2>
        ${list(t, {
          caption: own.lines,
          columns: [
            {
              label: own.order,
              cell: (line) =>
                html`<a href="${to(`orders/${line.transactionId}`)}">${line.orderRef || line.merchantOrderId || line.transactionId}</a>`,
            },
            { label: own.type, cell: ({ type }) => own.types[type] },
            { label: own.lineDay, cell: (line) => t.date(line.day) },
            amount(own.gross, ({ gross }) => gross),
            amount(own.fee, ({ fee }) => -fee),
            amount(own.net, ({ net }) => net),
          ],
          rows: lines,
          empty: own.noLines,
          download: can('export') ? form(`money/${found.id}/lines.csv`, downloadButton(t.console.layout.csv)) : undefined,
          next: isLast ? undefined : to(`money/${found.id}`, { after: lines.at(-1)!.id }),
        })}`,
    };
  },
};

async function downloadSettlement({ deps, merchant, params }: ConsoleRequest): Promise<ActionResult> {
  const found = await getSettlement(deps.database.query, merchant.id, params['id']!);
  return linesFile(deps, `settlement-${found.day}-${found.currency}`, [found]);
}

/** The statement of a month, to print. */
export const statement: Screen = {
  path: 'money/statement',
  permission: 'view-money',
  actions: [{ path: 'money/statement/lines.csv', permission: 'export', isSensitive: false, submit: downloadStatement }],
  show: async (request) => {
    const { merchant, t, to, can, form } = request;
    const own = t.console.money;
    const found = await readMonth(request);
    if (!found) return undefined;
    const { month, firstDay, settlements } = found;
    const ofMonth = (months: number) => `money/statement?month=${addMonths(firstDay, months).slice(0, 7)}`;
    const statements = statementsOf(settlements);
    return {
      title: fill(own.statementOf, { month: monthName(firstDay, t.language) }),
      content: html`<p class="row unprinted">
          <a href="${to('money')}">${own.back}</a> <a href="${to(ofMonth(-1))}">${own.previous}</a>
          <a href="${to(ofMonth(1))}">${own.following}</a>
        </p>
        <p class="lead" dir="auto">${merchant.name}</p>
        ${
          statements.length === 0
            ? html`<p class="empty">${own.emptyMonth}</p>`
            : html`${statements.map((one) => statementPanel(request, one))}
                <div class="row unprinted">
                  ${can('export') ? form('money/statement/lines.csv', downloadButton(own.linesCsv), { parameters: { month } }) : nothing}
                  ${printButton(own.print)}
                </div>`
        }`,
    };
  },
};

async function downloadStatement(request: ConsoleRequest): Promise<ActionResult> {
  const found = await readMonth(request);
  return found && linesFile(request.deps, `settlements-${found.month}`, found.settlements);
}

/** Reads the settlements of the month in the address, by default the current one. Returns undefined if it is no month. */
async function readMonth(request: ConsoleRequest) {
  const { deps, merchant, query } = request;
  const month = query.get('month') ?? (await currentMonth(request));
  const firstDay: string = `${month}-01`;
  if (!CalendarDate.is(firstDay)) return undefined;
  return { month, firstDay, settlements: await settlementsOfMonth(deps.database.query, merchant.id, firstDay) };
}

function statementPanel(request: ConsoleRequest, one: Statement): Html {
  const { t } = request;
  const own = t.console.money;
  const inCurrency = (cents: number) => t.money(cents, one.currency);
  return panel(
    one.currency,
    html`${details([
      [own.opening, inCurrency(one.openingCents)],
      [own.gross, inCurrency(one.grossCents)],
      [own.fee, inCurrency(-one.feeCents)],
      [own.payouts, inCurrency(-one.payoutCents)],
      [own.closing, html`<strong>${inCurrency(one.closingCents)}</strong>`],
      [own.received, inCurrency(one.paidCents)],
    ])}
    ${list(t, { caption: own.settlements, columns: settlementColumns(request), rows: one.settlements, empty: own.empty })}`,
  );
}

function linesFile(deps: ConsoleDeps, name: string, settlements: readonly Settlement[]): ConsoleFile {
  const file = async function* () {
    yield BYTE_ORDER_MARK;
    yield* csvOfLines(deps.database.query, settlements);
  };
  const body = Readable.from(file(), { objectMode: false });
  return { file: { name: `${name}.csv`, type: 'text/csv; charset=utf-8; header=present', body } };
}

function monthName(firstDay: string, language: string): string {
  const format = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(`${language}-US`, format).format(new Date(`${firstDay}T00:00:00Z`));
}
