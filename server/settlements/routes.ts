import { Readable } from 'node:stream';
import Router from '@koa/router';
import { parseLineId, SettlementLinesQuery, SettlementQuery } from '../../shared/wire/settlement.ts';
import type { Query, Readable as ReadableDatabase } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import type { Context, State } from '../http/context.ts';
import { merchantOf } from '../http/merchant-auth.ts';
import { invalidFilter, linkNextPage, parseQuery } from '../http/query.ts';
import { isId } from '../ids.ts';
import { csvHeader, csvRows } from './csv.ts';
import { lineColumns, presentLine, presentSettlement, settlementColumns } from './present.ts';
import { findSettlement, listLines, listSettlements, type LinePosition, type Settlement } from './store.ts';

const DAY = 'a date such as 2026-03-31';

/** Expected values of the parameters, as error messages describe them. */
const expected = {
  'day[gte]': DAY,
  'day[lt]': DAY,
  limit: 'a whole number from 1 to 200',
  after: 'the id of a settlement',
};
const expectedOfLines = { limit: 'a whole number from 1 to 1000', after: 'the id of a line' };

/** Lines of a CSV file that are read at a time. */
const LINES_PER_READ = 1_000;

/** Merchant API for settlements. `app.ts` applies authentication and error mapping. */
export function settlementRoutes({ query }: ReadableDatabase, publicUrl: string): Router<State> {
  const router = new Router<State>({ prefix: '/settlements' });

  router.get('/', async (ctx) => {
    const merchantId = merchantOf(ctx).id;
    const { limit, after, 'day[gte]': from, 'day[lt]': before } = parseQuery(ctx.query, { struct: SettlementQuery, expected });
    const last = after === undefined ? undefined : await requireLast(query, merchantId, after.toLowerCase());
    // Selects one more than the limit to find out whether there is another page.
    const rows = await listSettlements(query, { merchantId, from, before, after: last, limit: limit + 1 });
    const settlements = rows.slice(0, limit).map(presentSettlement);
    if (rows.length > limit) linkNextPage(ctx, `${publicUrl}/settlements`, { after: settlements.at(-1)!.id });
    if (!wantsCsv(ctx)) ctx.body = { settlements };
    else sendCsv(ctx, 'settlements', [csvHeader(settlementColumns), csvRows(settlementColumns, settlements)]);
  });

  router.get('/:id', async (ctx) => {
    const { id: segment = '' } = ctx.params;
    const id = segment.replace(/\.csv$/, '');
    const settlement = await getSettlement(query, merchantOf(ctx).id, id);
    const { limit, after } = parseQuery(ctx.query, { struct: SettlementLinesQuery, expected: expectedOfLines });
    if (id !== segment || wantsCsv(ctx)) {
      sendCsv(ctx, `settlement-${settlement.day}-${settlement.currency}`, csvOf(query, settlement));
      return;
    }
    const rows = await listLines(query, id, { after: after === undefined ? undefined : requireLine(after), limit: limit + 1 });
    const lines = rows.slice(0, limit).map(presentLine);
    if (rows.length > limit) linkNextPage(ctx, `${publicUrl}/settlements/${id}`, { after: lines.at(-1)!.id });
    ctx.body = { ...presentSettlement(settlement), lines };
  });

  return router;
}

/** @throws ServiceError `settlement-not-found` */
async function getSettlement(query: Query, merchantId: string, id: string): Promise<Settlement> {
  const settlement = isId(id) ? await findSettlement(query, id) : undefined;
  if (settlement?.merchantId === merchantId) return settlement;
  throw new ServiceError('settlement-not-found', `Expected the id of a settlement, but received ${JSON.stringify(id)}.`);
}

/** Returns the last settlement of the previous page. @throws ServiceError `invalid-request` */
async function requireLast(query: Query, merchantId: string, id: string): Promise<Settlement> {
  const settlement = await findSettlement(query, id);
  if (settlement?.merchantId === merchantId) return settlement;
  throw invalidFilter('after', expected.after, `"${id}"`);
}

/** @throws ServiceError `invalid-request` */
function requireLine(id: string): LinePosition {
  const position = parseLineId(id);
  if (position) return position;
  throw invalidFilter('after', expectedOfLines.after, JSON.stringify(id));
}

function wantsCsv(ctx: Context): boolean {
  return ctx.accepts('json', 'text/csv') === 'text/csv';
}

/** Sends a file without holding all of its rows in memory. */
function sendCsv(ctx: Context, name: string, rows: Iterable<string> | AsyncIterable<string>): void {
  ctx.attachment(`${name}.csv`);
  ctx.type = 'text/csv; charset=utf-8; header=present';
  ctx.body = Readable.from(rows, { objectMode: false });
}

async function* csvOf(query: Query, settlement: Settlement): AsyncGenerator<string> {
  const columns = lineColumns(settlement);
  yield csvHeader(columns);
  let after: LinePosition | undefined;
  for (;;) {
    const lines = await listLines(query, settlement.id, { after, limit: LINES_PER_READ });
    if (lines.length > 0) yield csvRows(columns, lines.map(presentLine));
    if (lines.length < LINES_PER_READ) return;
    after = lines.at(-1);
  }
}
