import { parseLineId, SettlementLinesQuery, SettlementQuery } from '../../../shared/wire/settlement.ts';
import { type Page, pageOf, type Query } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { invalidFilter, parseQuery, type ReceivedQuery } from '../../http/query.ts';
import { isId } from '../../base/ids.ts';
import { csvHeader, csvRows } from '../../base/csv.ts';
import { balanceRow, lineColumns, presentLine } from './present.ts';
import {
  allLines,
  balanceOf,
  findSettlement,
  type LinePosition,
  listLines,
  listSettlements,
  type Settlement,
  type SettlementLine,
} from './store.ts';

const DAY = 'a date such as 2026-03-31';

/** Expected values of the parameters, as error messages describe them. */
const expected = {
  'day[gte]': DAY,
  'day[lt]': DAY,
  limit: 'a whole number from 1 to 200',
  after: 'the id of a settlement',
};
const expectedOfLines = { limit: 'a whole number from 1 to 1000', after: 'the id of a line' };

/** Returns a settlement of the merchant. @throws ServiceError `settlement-not-found` */
export async function getSettlement(query: Query, merchantId: string, id: string): Promise<Settlement> {
  const settlement = isId(id) ? await findSettlement(query, id) : undefined;
  if (settlement?.merchantId === merchantId) return settlement;
  throw new ServiceError('settlement-not-found', `Expected the id of a settlement, but received ${JSON.stringify(id)}.`);
}

/** Returns a page of a merchant's settlements, the newest first. @throws ServiceError `invalid-request` - names the first invalid parameter. */
export async function readSettlementPage(query: Query, merchantId: string, received: ReceivedQuery): Promise<Page<Settlement>> {
  const { limit, after, 'day[gte]': from, 'day[lt]': before } = parseQuery(received, { struct: SettlementQuery, expected });
  const last = after === undefined ? undefined : await requireLast(query, merchantId, after.toLowerCase());
  return pageOf(limit, (count) => listSettlements(query, { merchantId, from, before, after: last, limit: count }));
}

/** Parses the parameters of a page of lines. @throws ServiceError `invalid-request` - names the first invalid parameter. */
export function parseLinesQuery(received: ReceivedQuery): { limit: number; after: LinePosition | undefined } {
  const { limit, after } = parseQuery(received, { struct: SettlementLinesQuery, expected: expectedOfLines });
  const last = after === undefined ? undefined : parseLineId(after);
  if (after !== undefined && !last) throw invalidFilter('after', expectedOfLines.after, JSON.stringify(after));
  return { limit, after: last };
}

/** Returns a page of the lines of a settlement. @throws ServiceError `invalid-request` - names the first invalid parameter. */
export async function readLinePage(query: Query, { id }: Settlement, received: ReceivedQuery): Promise<Page<SettlementLine>> {
  const { limit, after } = parseLinesQuery(received);
  return pageOf(limit, (count) => listLines(query, id, { after, limit: count }));
}

/** Returns the last settlement of the previous page. @throws ServiceError `invalid-request` */
async function requireLast(query: Query, merchantId: string, id: string): Promise<Settlement> {
  const settlement = await findSettlement(query, id);
  if (settlement?.merchantId === merchantId) return settlement;
  throw invalidFilter('after', expected.after, `"${id}"`);
}

/** @yields The lines and the balances of settlements as a CSV file, without holding all of them in memory. */
export async function* csvOfLines(query: Query, settlements: readonly Settlement[]): AsyncGenerator<string> {
  yield csvHeader(lineColumns);
  for (const settlement of settlements) {
    const { carriedCents } = settlement;
    const { balanceCents } = balanceOf(settlement);
    if (carriedCents !== 0) yield csvRows(lineColumns, [balanceRow(settlement, 'carried', carriedCents)]);
    for await (const lines of allLines(query, settlement.id)) {
      yield csvRows(
        lineColumns,
        lines.map((line) => ({ ...presentLine(line), settlement })),
      );
    }
    if (balanceCents !== 0) yield csvRows(lineColumns, [balanceRow(settlement, 'balance', -balanceCents)]);
  }
}
