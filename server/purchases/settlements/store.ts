import { type Selectable, sql } from 'kysely';
import type { CivilDate } from '../../../shared/dates.ts';
import { type SettledAmounts, netCentsOf, payoutOf } from '../../../shared/settlement.ts';
import { pagesOf, type Query, type Tx } from '../../db/database.ts';
import { type Period, sumByPeriod } from '../../db/periods.ts';
import { prepared } from '../../db/prepared.ts';
import type { SettlementLineTable, SettlementTable } from '../../db/schema.ts';
import type { Instant } from '../../base/time.ts';

type StoredLine = Selectable<SettlementLineTable>;

/** The payout to a merchant for the purchases of a day in one currency. */
export type Settlement = Selectable<SettlementTable>;

/** The part of a payout that a change of a transaction adds. */
export type NewLine = Omit<StoredLine, 'currency' | 'settlementId'>;

/** A line with what identifies its purchase. */
export type SettlementLine = StoredLine & { orderRef: string; merchantOrderId: string; cardReference: string };

export type LinePosition = Pick<StoredLine, 'transactionId' | 'sequence' | 'type'>;

/** Adds a line, in the database transaction of its cause. Its currency is that of the application. */
export async function addLine(tx: Tx, line: NewLine, applicationId: string): Promise<void> {
  const { transactionId, sequence, type, merchantId, grossCents, feeCents, day, at } = line;
  await insertLine(tx, transactionId, sequence, type, merchantId, grossCents, feeCents, day, at, applicationId);
}

const insertLine = prepared(
  (
    query,
    transactionId: string,
    sequence: number,
    type: StoredLine['type'],
    merchantId: string,
    grossCents: number,
    feeCents: number,
    day: CivilDate,
    at: Instant,
    applicationId: string,
  ) =>
    query.insertInto('settlement_lines').values({
      transactionId,
      sequence,
      type,
      merchantId,
      currency: query.selectFrom('applications').select('currency').where('id', '=', applicationId),
      grossCents,
      feeCents,
      day,
      at,
      settlementId: null,
    }),
);

/** The balance of a merchant in one currency. */
export type Account = Pick<Settlement, 'merchantId' | 'currency'>;

/**
 * Returns accounts with lines through a day that are not in a settlement, sorted.
 *
 * @param after - Last account of the previous page; undefined for the first page.
 */
export function listUnsettled(
  query: Query,
  {
    through,
    merchantId,
    after,
    limit,
  }: { through: CivilDate; merchantId?: string | undefined; after?: Account | undefined; limit: number },
): Promise<Account[]> {
  let lines = query
    .selectFrom('settlement_lines')
    .select(['merchantId', 'currency'])
    .distinct()
    .where('settlementId', 'is', null)
    .where('day', '<=', through);
  if (merchantId !== undefined) lines = lines.where('merchantId', '=', merchantId);
  if (after)
    lines = lines.where((row) => row(row.refTuple('merchantId', 'currency'), '>', row.tuple(after.merchantId, after.currency)));
  return lines.orderBy('merchantId').orderBy('currency').limit(limit).execute();
}

/** Lines of a currency that are in no settlement yet. */
export interface Unsettled extends Totals {
  currency: string;
}

/** Returns the sums of a merchant's lines that are in no settlement, by currency. */
export function sumUnsettled(query: Query, merchantId: string): Promise<Unsettled[]> {
  return query
    .selectFrom('settlement_lines')
    .select(['currency', ...sums])
    .where('settlementId', 'is', null)
    .where('merchantId', '=', merchantId)
    .groupBy('currency')
    .orderBy('currency')
    .execute();
}

/** Returns the sum of a merchant's refunds in each period: of their financed parts, because card gateways refund the others. */
export async function sumRefunds(query: Query, merchantId: string, periods: readonly Period[]): Promise<number[]> {
  // A literal type, so that the partial index can be used.
  const refunds = {
    table: 'settlement_lines',
    condition: sql`merchant_id = ${merchantId} and type = 'refunded'`,
    time: 'at',
  } as const;
  return (await sumByPeriod(query, refunds, 'grossCents', periods)).map(({ sum }) => 0 - sum);
}

export function findLatest(query: Query, { merchantId, currency }: Account): Promise<Settlement | undefined> {
  return query
    .selectFrom('settlements')
    .selectAll()
    .where('merchantId', '=', merchantId)
    .where('currency', '=', currency)
    .orderBy('day', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Returns the first day, after `after` and through `through`, with lines that are not in a settlement. */
export async function findUnsettledDay(
  query: Query,
  { merchantId, currency }: Account,
  { after, through }: { after?: CivilDate | undefined; through: CivilDate },
): Promise<CivilDate | undefined> {
  let lines = query
    .selectFrom('settlement_lines')
    .select('day')
    .where('settlementId', 'is', null)
    .where('merchantId', '=', merchantId)
    .where('currency', '=', currency)
    .where('day', '<=', through);
  if (after !== undefined) lines = lines.where('day', '>', after);
  return (await lines.orderBy('day').limit(1).executeTakeFirst())?.day;
}

/** Adds a settlement with all lines of its account through its day that are in none. The caller has locked the merchant. */
export async function addSettlement(
  tx: Tx,
  settlement: Omit<Settlement, 'lineCount' | keyof SettledAmounts | keyof Receipt>,
): Promise<Settlement> {
  const { id, merchantId, currency, day } = settlement;
  await tx
    .insertInto('settlements')
    .values({ ...settlement, ...NO_LINES, ...NOT_RECEIVED })
    .execute();
  await tx
    .updateTable('settlement_lines')
    .set({ settlementId: id })
    .where('settlementId', 'is', null)
    .where('merchantId', '=', merchantId)
    .where('currency', '=', currency)
    .where('day', '<=', day)
    .execute();
  const totals = (await sumLines(tx, [id])).get(id) ?? NO_LINES;
  await tx.updateTable('settlements').set(totals).where('id', '=', id).execute();
  return { ...settlement, ...totals, ...NOT_RECEIVED };
}

/** Sums of the lines of a settlement. */
export type Totals = Pick<Settlement, 'lineCount' | keyof SettledAmounts>;

export const NO_LINES: Totals = { lineCount: 0, grossCents: 0, feeCents: 0 };

const sums = [
  sql<number>`cast(count(*) as bigint)`.as('lineCount'),
  sql<number>`cast(sum(gross_cents) as bigint)`.as('grossCents'),
  sql<number>`cast(sum(fee_cents) as bigint)`.as('feeCents'),
] as const;

/** Returns the sums of the lines of settlements by their ids, without settlements that have no lines. */
export async function sumLines(query: Query, ids: readonly string[]): Promise<Map<string, Totals>> {
  const rows = await query
    .selectFrom('settlement_lines')
    .select(['settlementId', ...sums])
    .where('settlementId', 'in', ids)
    .groupBy('settlementId')
    .execute();
  return new Map(rows.map(({ settlementId, ...totals }) => [settlementId ?? '', totals]));
}

/** Returns the sums of the lines of settlements by currency and type. */
export function sumLinesByType(
  query: Query,
  ids: readonly string[],
): Promise<(SettledAmounts & Pick<StoredLine, 'currency' | 'type'>)[]> {
  if (ids.length === 0) return Promise.resolve([]);
  return query
    .selectFrom('settlement_lines')
    .select(['currency', 'type', ...sums])
    .where('settlementId', 'in', ids)
    .groupBy(['currency', 'type'])
    .execute();
}

export interface SettlementFilter {
  merchantId?: string | undefined;
  /** First day, and the day after the last one. */
  from?: CivilDate | undefined;
  before?: CivilDate | undefined;
  /** The last settlement of the previous page. */
  after?: Pick<Settlement, 'day' | 'id'> | undefined;
  limit: number;
}

/** Returns settlements, the newest first. */
export function listSettlements(
  query: Query,
  { merchantId, from, before, after, limit }: SettlementFilter,
): Promise<Settlement[]> {
  let page = query.selectFrom('settlements').selectAll();
  if (merchantId !== undefined) page = page.where('merchantId', '=', merchantId);
  if (from !== undefined) page = page.where('day', '>=', from);
  if (before !== undefined) page = page.where('day', '<', before);
  if (after) page = page.where((row) => row(row.refTuple('day', 'id'), '<', row.tuple(after.day, after.id)));
  return page.orderBy('day', 'desc').orderBy('id', 'desc').limit(limit).execute();
}

/** The settlements of a month in one currency. */
export interface SettledMonth extends SettledAmounts {
  currency: string;
  /** `2026-11` */
  month: string;
}

/** Returns the sums of a merchant's settlements since a day, by currency and month. */
export function sumByMonth(query: Query, merchantId: string, from: CivilDate): Promise<SettledMonth[]> {
  const month = sql<string>`substr(day, 1, 7)`;
  return query
    .selectFrom('settlements')
    .select(['currency', month.as('month'), sums[1], sums[2]])
    .where('merchantId', '=', merchantId)
    .where('day', '>=', from)
    .groupBy(['currency', month])
    .orderBy('currency')
    .orderBy(month)
    .execute();
}

export function findSettlement(query: Query, id: string): Promise<Settlement | undefined> {
  return query.selectFrom('settlements').selectAll().where('id', '=', id).executeTakeFirst();
}

const lines = (query: Query) =>
  query
    .selectFrom('settlement_lines')
    .innerJoin('transactions', 'transactions.id', 'settlement_lines.transactionId')
    .selectAll('settlement_lines')
    .select(['transactions.orderRef', 'transactions.merchantOrderId', 'transactions.cardReference']);

/**
 * Returns lines of a settlement, by purchase in the order of checkouts, and within one in the order of its changes.
 *
 * @param after - Last line of the previous page; undefined for the first page.
 */
export function listLines(
  query: Query,
  settlementId: string,
  { after, limit }: { after?: LinePosition | undefined; limit: number },
): Promise<SettlementLine[]> {
  let page = lines(query).where('settlementId', '=', settlementId);
  if (after) {
    const { transactionId, sequence, type } = after;
    page = page.where((row) =>
      row(
        row.refTuple('settlement_lines.transactionId', 'settlement_lines.sequence', 'settlement_lines.type'),
        '>',
        row.tuple(transactionId, sequence, type),
      ),
    );
  }
  return page
    .orderBy('settlement_lines.transactionId')
    .orderBy('settlement_lines.sequence')
    .orderBy('settlement_lines.type')
    .limit(limit)
    .execute();
}

const LINES_PER_PAGE = 1_000;

/** Yields all lines of a settlement in pages, so that they are not in memory at once. */
export function allLines(query: Query, settlementId: string): AsyncGenerator<readonly SettlementLine[]> {
  return pagesOf(LINES_PER_PAGE, (after) => listLines(query, settlementId, { after, limit: LINES_PER_PAGE }));
}

/** Returns the lines of transactions, in the order of their changes. */
export async function listLinesOf(query: Query, transactionIds: readonly string[]): Promise<StoredLine[]> {
  if (transactionIds.length === 0) return [];
  return query
    .selectFrom('settlement_lines')
    .selectAll()
    .where('transactionId', 'in', transactionIds)
    .orderBy('transactionId')
    .orderBy('sequence')
    .orderBy('type')
    .execute();
}

/** Returns settlements by account, in the order of their days. @param after - Last settlement of the previous page. */
export function listByAccount(query: Query, after: Settlement | undefined, limit: number): Promise<Settlement[]> {
  let page = query.selectFrom('settlements').selectAll();
  if (after) {
    const { merchantId, currency, day } = after;
    page = page.where((row) => row(row.refTuple('merchantId', 'currency', 'day'), '>', row.tuple(merchantId, currency, day)));
  }
  return page.orderBy('merchantId').orderBy('currency').orderBy('day').limit(limit).execute();
}

/** The statements of payout files about a settlement. */
export type Receipt = Pick<Settlement, 'bankReference' | 'paidOn' | 'receivedCents' | 'receivedOn' | 'receivedDifference'>;

export const NOT_RECEIVED: Receipt = {
  bankReference: null,
  paidOn: null,
  receivedCents: null,
  receivedOn: null,
  receivedDifference: null,
};

/** Returns settlements that were paid by transfers with bank references, of all merchants. */
export function listPaidBy(query: Query, bankReferences: readonly string[]): Promise<Settlement[]> {
  return query.selectFrom('settlements').selectAll().where('bankReference', 'in', bankReferences).execute();
}

/** Saves what a payout file states about a settlement. Returns false if it has meanwhile another payment than `before`. */
export async function saveReceipt(
  tx: Tx,
  before: Pick<Settlement, 'id' | 'bankReference' | 'paidOn'>,
  receipt: Receipt,
): Promise<boolean> {
  const { id, bankReference, paidOn } = before;
  const { numUpdatedRows } = await tx
    .updateTable('settlements')
    .set(receipt)
    .where('id', '=', id)
    .where('bankReference', bankReference === null ? 'is' : '=', bankReference)
    .where('paidOn', paidOn === null ? 'is' : '=', paidOn)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Returns what a settlement pays, and the negative balance that it leaves to the next one. */
export function balanceOf(settlement: Settlement): ReturnType<typeof payoutOf> {
  return payoutOf(settlement.carriedCents, netCentsOf(settlement));
}
