import type { EventType } from '../../../shared/wire/event.ts';
import type { Tx } from '../../db/database.ts';
import { idOf } from '../../base/ids.ts';
import { type NewEvent, recordEvent } from '../../messages/webhooks/store.ts';
import type { Transaction, TransactionEvent } from './store.ts';

/** The type of the merchant's event for a row of the journal; null for changes that the merchant made to its own notes. */
const eventTypes = {
  created: 'transaction.created',
  authorized: 'transaction.authorized',
  settled: 'transaction.settled',
  canceled: 'transaction.canceled',
  refunded: 'transaction.refunded',
  expired: 'transaction.expired',
  'card-declined': 'transaction.card_declined',
  'card-capture-failed': 'transaction.card_capture_failed',
  'card-captured': 'transaction.card_captured',
  'order-id-set': null,
  shipped: 'shipment.updated',
} as const satisfies Record<TransactionEvent['type'], EventType | null>;

/**
 * Returns the merchant's event for a row of the journal; undefined without one.
 *
 * @param saved - The transaction after the change.
 */
function merchantEventOf(saved: Transaction, { type: change, amountCents: amount, at }: ChangeFacts): NewEvent | undefined {
  const type = eventTypes[change];
  if (type === null) return undefined;
  const { id: transactionId, merchantId, revision, carrierName } = saved;
  // Deterministic, so that a retried write records the same event.
  const id = idOf(`${transactionId}/event`, revision, at);
  const state = {
    transactionId,
    cartId: saved.cartId,
    orderRef: saved.orderRef,
    merchantOrderId: saved.merchantOrderId,
    status: saved.status,
    total: saved.totalCents,
    adjustedTotal: saved.adjustedTotalCents,
  };
  if (type === 'shipment.updated') return { id, merchantId, type, data: { ...state, carrierName } };
  return { id, merchantId, type, data: { ...state, amount } };
}

type ChangeFacts = Pick<TransactionEvent, 'type' | 'amountCents' | 'at'>;

/** Records the merchant's event for a row of the journal, if there is one. */
export async function recordChange(tx: Tx, saved: Transaction, change: ChangeFacts): Promise<void> {
  const event = merchantEventOf(saved, change);
  if (event) await recordEvent(tx, event);
}
