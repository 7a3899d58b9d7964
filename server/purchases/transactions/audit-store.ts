import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { LoanCharges } from '../../../shared/recast.ts';
import type { Query } from '../../db/database.ts';
import type { TransactionTable } from '../../db/schema.ts';
import { openRow, openRows } from '../../db/sealed.ts';
import type { LoanFacts } from './loan-events.ts';
import { chargesOf, type JournalEntry } from './store.ts';

type StoredTransaction = Selectable<TransactionTable>;

/**
 * The stored state of a transaction, for comparison with its journal. Corrupt values do not cause errors: an amount that is not a safe
 * integer is a string of its digits, and `adjusted` is a string if it is not JSON.
 */
export interface AuditedRow {
  id: string;
  revision: number;
  status: string;
  statusSince: string;
  total: number | string;
  adjustedTotal: number | string;
  canceled: number | string;
  refunded: number | string;
  adjusted: unknown;
  cardReduced: number | string;
  /** Card portion of the total. It is not in the journal, because it never changes. */
  cardCents: number | string;
  cardReference: string;
  /** As stored; null if they are not known. */
  charges: LoanCharges | null;
  /**
   * The constant content of the lender's events about its loan, with which the enqueued ones are compared. The merchant's order id may change,
   * and the journal does not have it.
   */
  loan: LoanFacts & Pick<StoredTransaction, 'applicationId' | 'requestId'>;
}

/** Returns what the ends of loans are recalculated from. Leaves damaged rows out. */
export async function listAuditedLoans(query: Query, ids: readonly string[]) {
  const rows = await query
    .selectFrom('transactions')
    .select(['id', 'merchantId', 'cartId', 'applicationId', 'sealed'])
    .select(['revision', 'status', 'timeZone', 'loanEndsOn'])
    .select([asText('totalCents').as('total'), asText('cardCents').as('card')])
    .where('id', 'in', ids)
    .execute();
  const opened = await openRows(query, rows, (row) => openRow(query, 'transactions', row));
  return opened.map(({ total, card, ...row }) => ({ ...row, totalCents: Number(total), cardCents: Number(card) }));
}

/** The columns of a journal row that determine the state of its transaction. */
export type AuditedEntry = Omit<JournalEntry, 'lines' | 'requestedCents' | 'actor'> & { lines: unknown };

/** Selects a column as text, because a number that is not a safe integer would fail the whole query. */
const asText = (column: string): RawBuilder<string> => sql<string>`cast(${sql.ref(column)} as text)`;

const audited = (query: Query) =>
  query
    .selectFrom('transactions')
    .select(['id', 'revision', 'status', 'statusSince', 'adjustedQuantitiesJson', 'applicationId', 'requestId'])
    .select(['orderRef', 'merchantOrderId', 'timeZone', 'merchantDiscountBps', 'cardReference', 'loanFeeCents', 'loanAprBps'])
    .select([
      asText('totalCents').as('total'),
      asText('adjustedTotalCents').as('adjustedTotal'),
      asText('canceledCents').as('canceled'),
      asText('refundedCents').as('refunded'),
      asText('cardReducedCents').as('cardReduced'),
      asText('cardCents').as('card'),
      asText('merchantDiscountCents').as('merchantDiscount'),
    ]);

type Selected = Awaited<ReturnType<ReturnType<typeof audited>['executeTakeFirstOrThrow']>>;

/** Returns the transactions after `id`, sorted by id. */
export async function listAudited(query: Query, id: string, limit: number): Promise<AuditedRow[]> {
  const rows = await audited(query).where('id', '>', id).orderBy('id').limit(limit).execute();
  return rows.map(rowOf);
}

/** Returns the transaction, or undefined if it does not exist. */
export async function findAudited(query: Query, id: string): Promise<AuditedRow | undefined> {
  const row = await audited(query).where('id', '=', id).executeTakeFirst();
  return row && rowOf(row);
}

/**
 * Returns journal rows, sorted by transaction id and sequence.
 *
 * @param after - End of the previous page. Without a sequence, starts after the whole journal of that id.
 * @param lastId - Last id to include; undefined for all.
 */
export async function listAuditedEntries(
  query: Query,
  after: { id: string; sequence?: number },
  lastId: string | undefined,
  limit: number,
): Promise<AuditedEntry[]> {
  let entries = query
    .selectFrom('transaction_entries')
    .select(['transactionId', 'sequence', 'type', 'linesJson', 'reason', 'reference', 'at'])
    .select([asText('amountCents').as('amount'), asText('cardCents').as('card')])
    .orderBy('transactionId')
    .orderBy('sequence')
    .limit(limit);
  const { id, sequence } = after;
  if (sequence === undefined) entries = entries.where('transactionId', '>', id);
  else entries = entries.where((row) => row(row.refTuple('transactionId', 'sequence'), '>', row.tuple(id, sequence)));
  if (lastId !== undefined) entries = entries.where('transactionId', '<=', lastId);
  return (await entries.execute()).map(({ amount, card, linesJson, ...entry }) => ({
    ...entry,
    amountCents: Number(amount),
    cardCents: Number(card),
    lines: parsed(linesJson),
  }));
}

function rowOf(row: Selected): AuditedRow {
  return {
    id: row.id,
    revision: row.revision,
    status: row.status,
    statusSince: row.statusSince,
    total: amountOf(row.total),
    adjustedTotal: amountOf(row.adjustedTotal),
    canceled: amountOf(row.canceled),
    refunded: amountOf(row.refunded),
    adjusted: parsed(row.adjustedQuantitiesJson),
    cardReduced: amountOf(row.cardReduced),
    cardCents: amountOf(row.card),
    cardReference: row.cardReference,
    charges: chargesOf(row),
    loan: {
      transactionId: row.id,
      applicationId: row.applicationId,
      requestId: row.requestId,
      orderRef: row.orderRef,
      merchantOrderId: row.merchantOrderId,
      timeZone: row.timeZone,
      merchantDiscount: { bps: row.merchantDiscountBps, fixedCents: Number(row.merchantDiscount) },
    },
  };
}

function amountOf(text: string): number | string {
  return Number.isSafeInteger(Number(text)) ? Number(text) : text;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
