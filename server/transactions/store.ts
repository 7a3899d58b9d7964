import type { Insertable, Selectable } from 'kysely';
import type { Query, Tx } from '../db/database.ts';
import { prepared, preparedInsert } from '../db/prepared.ts';
import type { TransactionEventTable, TransactionTable } from '../db/schema.ts';
import { ServiceError } from '../errors.ts';
import { isId } from '../ids.ts';

export type TransactionRow = Selectable<TransactionTable>;

/** What the journal says about one change. */
export type TransactionEvent = Omit<Insertable<TransactionEventTable>, 'transaction_id' | 'sequence'>;

/** The merchant's transaction. @throws ServiceError `transaction-not-found` - also when it is another merchant's. */
export async function getTransaction(query: Query, merchantId: string, id: string): Promise<TransactionRow> {
  const [row] = isId(id) ? await transactionById(query, merchantId, id) : [];
  if (!row) throw new ServiceError('transaction-not-found', 'Transaction ID was invalid');
  return row;
}

const transactionById = prepared((query, merchantId: string, id: string) =>
  query.selectFrom('transactions').selectAll().where('id', '=', id).where('merchant_id', '=', merchantId),
);

const insertTransaction = preparedInsert('transactions');
const insertEvent = preparedInsert('transaction_events');

/** Stores a new transaction with the first row of its journal. */
export async function addTransaction(tx: Tx, row: TransactionRow): Promise<void> {
  await insertTransaction(tx, row);
  await appendEvent(tx, row.id, row.revision, { type: 'created', amount_cents: row.total_cents, at: row.created_at });
}

/**
 * Saves what may change on a transaction, if nobody saved it since it was read, and appends to its journal.
 *
 * The revision in the `where` is what makes two requests at the same moment safe on every engine: one row matches
 * once. The journal's sequence is that revision, so a fork of the history could not be stored either.
 *
 * @throws ServiceError `changed-meanwhile`
 */
export async function saveTransaction(tx: Tx, row: TransactionRow, event: TransactionEvent): Promise<TransactionRow> {
  const saved = { ...row, updated_at: event.at, revision: row.revision + 1 };
  const { numUpdatedRows } = await tx
    .updateTable('transactions')
    .set({
      status: saved.status,
      merchant_order_id: saved.merchant_order_id,
      line_items_json: saved.line_items_json,
      updated_at: saved.updated_at,
      revision: saved.revision,
    })
    .where('id', '=', row.id)
    .where('revision', '=', row.revision)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) {
    throw new ServiceError('changed-meanwhile', `Transaction ${row.id} was changed by another request; please retry.`);
  }
  await appendEvent(tx, row.id, saved.revision, event);
  return saved;
}

async function appendEvent(tx: Tx, transactionId: string, sequence: number, event: TransactionEvent): Promise<void> {
  await insertEvent(tx, { ...event, transaction_id: transactionId, sequence });
}
