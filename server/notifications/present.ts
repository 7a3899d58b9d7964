import type { Channel } from '../db/schema.ts';
import type { Instant } from '../time.ts';
import { shortened } from './addresses.ts';
import { AT_ONCE, type CardOrder } from './outbox.ts';
import { type AttemptRow, type DeliveryState, type OutboxRow, stateOf } from './store.ts';

/** A delivery as an operator sees it: no secrets, and of a person's address as much as tells it from others. */
export interface ShownDelivery {
  /** Also the `webhook-id` of a callback. */
  id: string;
  merchantId: string;
  channel: Channel;
  to: string;
  state: DeliveryState;
  attempts: number;
  createdAt: Instant;
  deliveredAt: Instant | null;
  /** Null if there is no further attempt, or if the next one is due immediately. */
  nextAttemptAt: Instant | null;
  /** Why the latest attempt failed; empty if it did not. */
  lastFailure: string;
}

export interface ShownAttempt {
  number: number;
  at: Instant;
  /** Milliseconds; null while it is under way, or when the service ended before it did. */
  durationMs: number | null;
  statusCode: number | null;
  failure: string;
}

export function presentDelivery(row: OutboxRow): ShownDelivery {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    channel: row.channel,
    to: toOf(row),
    state: stateOf(row),
    attempts: row.attempts,
    createdAt: row.created_at,
    deliveredAt: row.delivered_at,
    nextAttemptAt: row.due_at === AT_ONCE ? null : row.due_at,
    lastFailure: row.last_failure,
  };
}

/** Of a card, what is to be done for which transaction. */
function toOf({ channel, url, body }: OutboxRow): string {
  if (channel !== 'card') return shortened(url);
  const { type, amountCents } = JSON.parse(body) as CardOrder;
  return `${type}${amountCents > 0 ? ` ${(amountCents / 100).toFixed(2)}` : ''} of ${url.slice('card:'.length)}`;
}

export function presentAttempt(row: AttemptRow): ShownAttempt {
  return {
    number: row.number,
    at: row.started_at,
    durationMs: row.duration_ms,
    statusCode: row.status_code,
    failure: row.failure,
  };
}
