import { formatMoney } from '../../shared/money.ts';
import type { Database, Query } from '../db/database.ts';
import type { Channel } from '../db/schema.ts';
import { ServiceError } from '../base/errors.ts';
import type { Instant } from '../base/time.ts';
import { maskedAddress } from './addresses.ts';
import { cardOperationIn, DUE_AT_ONCE, DUE_NOW } from './outbox.ts';
import {
  type DeliveryAttempt,
  type DeliveryFilter,
  type DeliveryState,
  findDelivery,
  listAttempts,
  type OutboxEntry,
  restartDelivery,
  restartFailedDeliveries,
  deliveryState,
} from './store.ts';

/** The columns that operators see as they are. */
type ShownColumns = 'id' | 'merchantId' | 'channel' | 'attempts' | 'createdAt' | 'deliveredAt' | 'lastFailure';

/** A delivery as shown to operators, without secrets and with masked personal addresses. */
export interface PresentedDelivery extends Pick<OutboxEntry, ShownColumns> {
  to: string;
  state: DeliveryState;
  /** Null if there is no further attempt, or if the next one is due immediately. */
  nextAttemptAt: Instant | null;
}

export type PresentedAttempt = Omit<DeliveryAttempt, 'deliveryId' | 'startedAt'> & { at: Instant };

/** @param currencies - Currencies of the transactions of card operations. */
export function presentDelivery(row: OutboxEntry, currencies: ReadonlyMap<string, string>): PresentedDelivery {
  return {
    id: row.id,
    merchantId: row.merchantId,
    channel: row.channel,
    to: recipientOf(row, currencies),
    state: deliveryState(row),
    attempts: row.attempts,
    createdAt: row.createdAt,
    deliveredAt: row.deliveredAt,
    nextAttemptAt: nextAttemptOf(row),
    lastFailure: row.lastFailure,
  };
}

/** Returns the masked address of a message, or the type, amount and transaction of a card operation. */
function recipientOf({ channel, url, body }: OutboxEntry, currencies: ReadonlyMap<string, string>): string {
  if (channel !== 'card') return maskedAddress(url);
  const { type, amountCents } = cardOperationIn(body);
  const transactionId = url.slice('card:'.length);
  const currency = currencies.get(transactionId);
  const amount = amountCents > 0 && currency !== undefined ? ` ${formatMoney(amountCents, currency)}` : '';
  return `${type}${amount} of ${transactionId}`;
}

/** Returns the ids of the transactions of card operations. */
export function cardTransactionIds(rows: readonly OutboxEntry[]): string[] {
  return rows.flatMap(({ channel, url }) => (channel === 'card' ? [url.slice('card:'.length)] : []));
}

/** Returns the time of the next attempt. Null if there is no further attempt, or if the next one is due immediately. */
export function nextAttemptOf({ dueAt }: Pick<OutboxEntry, 'dueAt'>): Instant | null {
  return dueAt !== null && dueAt <= DUE_NOW ? null : dueAt;
}

export function presentAttempt({ number, startedAt: at, durationMs, statusCode, failure }: DeliveryAttempt): PresentedAttempt {
  return { number, at, durationMs, statusCode, failure };
}

/** Returns the state and the attempts of a delivery, or undefined if the id is unknown. */
export async function readAttempts(
  query: Query,
  id: string,
): Promise<{ createdAt: Instant; state: DeliveryState; attempts: PresentedAttempt[] } | undefined> {
  const row = await findDelivery(query, id);
  return (
    row && { createdAt: row.createdAt, state: deliveryState(row), attempts: (await listAttempts(query, id)).map(presentAttempt) }
  );
}

/** The conditions that events without a due time wait for. */
const WAITING_EVENTS: Partial<Record<Channel, string>> = {
  lender: 'the lender has received the earlier ones of its application',
  webhook: 'its webhook has accepted a test event',
};

/** The reasons for which messages are stored and never sent. */
const NOT_SENT: Partial<Record<DeliveryState, string>> = {
  recorded: 'The sandbox records messages and does not send them.',
  paper: 'The buyer has withdrawn the consent to electronic documents, and the lender sends this notice on paper.',
};

/**
 * Schedules a delivery again, in any state. Its retry schedule restarts; its id does not change.
 *
 * @throws ServiceError `invalid-request` - the id is unknown, the event waits for its turn, or the message is only stored.
 */
export function redeliver(database: Database, id: string): Promise<void> {
  return database.write(async (tx) => {
    const row = await findDelivery(tx, id);
    if (!row) throw new ServiceError('invalid-request', `Expected the id of a delivery, but received "${id}"`);
    const waitsFor = WAITING_EVENTS[row.channel];
    // It was not attempted since it was enqueued, or since the last redelivery.
    if (waitsFor && row.deliveredAt === null && row.dueAt === null && row.attempts === row.replayedAfter) {
      throw new ServiceError('invalid-request', `The event waits until ${waitsFor}.`);
    }
    const reason = NOT_SENT[deliveryState(row)];
    if (reason !== undefined) throw new ServiceError('invalid-request', reason);
    // A webhook may have an open circuit, for which a request of a person does not wait.
    await restartDelivery(tx, id, row.channel === 'webhook' ? DUE_AT_ONCE : DUE_NOW);
  });
}

/** Reschedules all failed deliveries of one merchant or one channel, or all of them. Returns their number. */
export function redeliverFailed(database: Database, which: Pick<DeliveryFilter, 'merchantId' | 'channel'>): Promise<number> {
  return database.write((tx) => restartFailedDeliveries(tx, which, DUE_NOW));
}
