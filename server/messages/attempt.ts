import { propertyOf } from '../../shared/objects.ts';
import { failureOf } from '../base/errors.ts';
import { retryAfterMs } from '../../shared/retry-after.ts';
import type { Tx } from '../db/database.ts';
import type { OutboxEntry } from './store.ts';

/** Outcome of a delivery attempt. */
export interface Outcome {
  /** Status of the receiver's response; null without a response. */
  statusCode: number | null;
  /** Description of the failure, without text from the receiver and without personal data. Empty after a success. */
  failure: string;
  /** True if a retry cannot succeed. */
  isPermanent?: boolean;
  /** Wait that the receiver requested. */
  retryAfterMs?: number | undefined;
  /** The longest wait before the next attempt, however many have failed. */
  maxWaitMs?: number | undefined;
  /**
   * Calls `save`, and saves what follows from the outcome in the same database transaction. Rows of other features are locked before
   * `save`, which locks the delivery.
   *
   * @param save - Saves the outcome. Returns false if it does not count: the delivery was scheduled again meanwhile.
   * @param isLast - Whether no attempt follows.
   */
  saveWith?: (tx: Tx, save: () => Promise<boolean>, isLast: boolean) => Promise<void>;
}

/** Makes one attempt. Never rejects because of the receiver. */
export type Send = (row: OutboxEntry) => Promise<Outcome>;

interface HttpResponse {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
}

/**
 * Converts an HTTP response to an outcome. Any 2xx is a success; redirects are failures.
 *
 * @param who - Name of the receiver in the description of a failure.
 * @param isPermanent - Returns true for statuses after which a retry cannot succeed.
 */
export function outcomeOf(
  { statusCode, headers }: HttpResponse,
  who: string,
  isPermanent: (statusCode: number) => boolean,
  nowMs: number,
): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { statusCode, failure: '' };
  const isBusy = statusCode === 429 || statusCode === 503;
  return {
    statusCode,
    failure: `${who} responded with ${statusCode}`,
    isPermanent: isPermanent(statusCode),
    retryAfterMs: isBusy ? retryAfterMs(headers['retry-after'], nowMs) : undefined,
  };
}

/** Describes only the type of an error: messages of the network stack can contain addresses and data from the receiver. */
export function outcomeOfError(thrown: unknown, timeoutMs: number): Outcome {
  const isTimeout = propertyOf(thrown, 'name') === 'TimeoutError';
  const failure = isTimeout ? `No response within ${timeoutMs} ms` : `The request failed: ${failureOf(thrown)}`;
  return { statusCode: null, failure };
}
