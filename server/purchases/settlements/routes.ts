import { Readable } from 'node:stream';
import Router from '@koa/router';
import type { Readable as ReadableDatabase } from '../../db/database.ts';
import type { Context, State } from '../../http/context.ts';
import { merchantOf } from '../../merchants/access/merchant-auth.ts';
import { linkNextPage } from '../../http/query.ts';
import { csvHeader, csvRows } from '../../base/csv.ts';
import { presentLine, presentSettlement, settlementColumns } from './present.ts';
import { csvOfLines, getSettlement, parseLinesQuery, readLinePage, readSettlementPage } from './read.ts';

/** Merchant API for settlements. `app.ts` applies authentication and error mapping. */
export function settlementRoutes({ query }: ReadableDatabase): Router<State> {
  const router = new Router<State>({ prefix: '/settlements' });

  router.get('/', async (ctx) => {
    const { items, isLast } = await readSettlementPage(query, merchantOf(ctx).id, ctx.query);
    const settlements = items.map(presentSettlement);
    if (!isLast) linkNextPage(ctx, { after: settlements.at(-1)!.id });
    if (!wantsCsv(ctx)) ctx.body = { settlements };
    else sendCsv(ctx, 'settlements', [csvHeader(settlementColumns), csvRows(settlementColumns, settlements)]);
  });

  router.get('/:id', async (ctx) => {
    const { id: segment = '' } = ctx.params;
    const id = segment.replace(/\.csv$/, '');
    const settlement = await getSettlement(query, merchantOf(ctx).id, id);
    if (id !== segment || wantsCsv(ctx)) {
      // So that an invalid parameter is an error.
      parseLinesQuery(ctx.query);
      sendCsv(ctx, `settlement-${settlement.day}-${settlement.currency}`, csvOfLines(query, [settlement]));
      return;
    }
    const { items, isLast } = await readLinePage(query, settlement, ctx.query);
    const lines = items.map(presentLine);
    if (!isLast) linkNextPage(ctx, { after: lines.at(-1)!.id });
    ctx.body = { ...presentSettlement(settlement), lines };
  });

  return router;
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
