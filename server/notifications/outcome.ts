import { retryAfterMs } from '../../shared/retry-after.ts';
import type { OutboxRow } from './store.ts';

/** How an attempt ended. */
export interface Outcome {
  /** Of the receiver; null when nothing came. */
  statusCode: number | null;
  /** What went wrong, in our words: never the receiver's, and nothing about a person. Empty when it was taken. */
  failure: string;
  /** Trying again would end the same way. */
  isFinal?: boolean;
  /** How long the receiver asks to be left alone. */
  retryAfterMs?: number | undefined;
}

/** Makes one attempt. */
export type Send = (row: OutboxRow) => Promise<Outcome>;

/** A receiver's answer over HTTP. Any 2xx takes it; a redirect is a failure. */
export interface HttpAnswer {
  statusCode: number;
  headers: Record<string, string | string[] | undefined>;
}

/**
 * What an answer means.
 *
 * @param who     - Who answered, as the failure names them.
 * @param isFinal - Whether a status says that trying again is of no use.
 */
export function outcomeOf(
  { statusCode, headers }: HttpAnswer,
  who: string,
  isFinal: (statusCode: number) => boolean,
  nowMs: number,
): Outcome {
  if (statusCode >= 200 && statusCode < 300) return { statusCode, failure: '' };
  const isBusy = statusCode === 429 || statusCode === 503;
  return {
    statusCode,
    failure: `${who} answered ${statusCode}`,
    isFinal: isFinal(statusCode),
    retryAfterMs: isBusy ? retryAfterMs(headers['retry-after'], nowMs) : undefined,
  };
}

/** Names the kind of fault only: messages of the network stack can hold addresses and what a receiver sent. */
export function outcomeOfFault(thrown: unknown, timeoutMs: number): Outcome {
  const { name, code } = thrown as { name?: string; code?: string };
  const failure =
    name === 'TimeoutError' ? `No answer within ${timeoutMs} ms` : `The request failed: ${code ?? name ?? 'unknown'}`;
  return { statusCode: null, failure };
}
