import { type RawBuilder, sql } from 'kysely';
import type { Query } from '../db/database.ts';
import type { TransactionEventRow } from './store.ts';

/**
 * What the journal of a transaction must come to, as it is stored, whatever that is: each amount is a number, or its digits where
 * it is too large for one, `adjusted` is a list of pieces, or the text that should have been one.
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
  /** What a card pays of the total. No part of the journal, which never changes it. */
  cardCents: number | string;
}

/** A row of a journal as it is stored. */
export type AuditedEvent = Omit<TransactionEventRow, 'amount_cents'> & { amount_cents: number };

/** As text, since an amount that is no safe integer would end the whole query. */
const digits = (column: string): RawBuilder<string> => sql<string>`cast(${sql.ref(column)} as text)`;

const audited = (query: Query) =>
  query
    .selectFrom('transactions')
    .select(['id', 'revision', 'status', 'status_since', 'adjusted_quantities_json'])
    .select([
      digits('total_cents').as('total'),
      digits('adjusted_total_cents').as('adjusted_total'),
      digits('canceled_cents').as('canceled'),
      digits('refunded_cents').as('refunded'),
      digits('card_cents').as('card'),
    ]);

type Selected = Awaited<ReturnType<ReturnType<typeof audited>['executeTakeFirstOrThrow']>>;

/** The next transactions of all merchants in the order of their ids, those after `id`. */
export async function transactionsAfter(query: Query, id: string, limit: number): Promise<AuditedRow[]> {
  const rows = await audited(query).where('id', '>', id).orderBy('id').limit(limit).execute();
  return rows.map(rowOf);
}

/** Returns the transaction, or undefined if it does not exist. */
export async function auditedRow(query: Query, id: string): Promise<AuditedRow | undefined> {
  const row = await audited(query).where('id', '=', id).executeTakeFirst();
  return row && rowOf(row);
}

/**
 * The next rows of journals in the order of ids and sequences.
 *
 * @param after - Where those before ended. Without a sequence, the whole journal of that id is behind.
 * @param lastId - The last id that counts; undefined when all do.
 */
export async function eventsBetween(
  query: Query,
  after: { id: string; sequence?: number },
  lastId: string | undefined,
  limit: number,
): Promise<AuditedEvent[]> {
  let events = query
    .selectFrom('transaction_events')
    .select(['transaction_id', 'sequence', 'type', 'lines_json', 'at', digits('amount_cents').as('amount')])
    .orderBy('transaction_id')
    .orderBy('sequence')
    .limit(limit);
  const { id, sequence } = after;
  if (sequence === undefined) events = events.where('transaction_id', '>', id);
  else events = events.where((row) => row(row.refTuple('transaction_id', 'sequence'), '>', row.tuple(id, sequence)));
  if (lastId !== undefined) events = events.where('transaction_id', '<=', lastId);
  return (await events.execute()).map(({ amount, ...event }) => ({ ...event, amount_cents: Number(amount) }));
}

function rowOf(row: Selected): AuditedRow {
  return {
    id: row.id,
    revision: row.revision,
    status: row.status,
    statusSince: row.status_since,
    total: amountOf(row.total),
    adjustedTotal: amountOf(row.adjusted_total),
    canceled: amountOf(row.canceled),
    refunded: amountOf(row.refunded),
    adjusted: parsed(row.adjusted_quantities_json),
    cardCents: amountOf(row.card),
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
