import type { Tx } from '../db/database.ts';
import { idOf } from '../ids.ts';
import { enqueueCardOrder } from '../notifications/outbox.ts';
import { type CardState, cardMoveOf } from './card-part.ts';
import { saveTransaction, type TransactionEvent, type TransactionRow } from './store.ts';

/**
 * Saves a change of a transaction, and promises with it what the change asks of the card.
 *
 * @throws ServiceError `changed-meanwhile`
 */
export async function save(
  tx: Tx,
  before: TransactionRow,
  after: TransactionRow,
  event: TransactionEvent,
): Promise<TransactionRow> {
  const saved = await saveTransaction(tx, after, event);
  const move = cardMoveOf(cardStateOf(before), cardStateOf(after));
  if (!move) return saved;
  const { id: transactionId, merchant_id: merchantId, card_reference: reference, revision: sequence } = saved;
  // The change may be written again after a conflict: the promise keeps its id then.
  const id = idOf(transactionId, sequence, event.at);
  await enqueueCardOrder(tx, { id, merchantId, transactionId, sequence, reference, createdAt: event.at, ...move });
  return saved;
}

function cardStateOf(row: TransactionRow): CardState {
  return { status: row.status, leftCents: row.adjusted_total_cents, cardCents: row.card_cents };
}
