import { is, string, type } from 'superstruct';
import { ErrorBody, PlatformError } from '../wire/errors.ts';
import { CARD_DECLINE, FairtermError, FairtermPlatformError, isKnownCode } from './errors.ts';
import type { Redact } from './options.ts';

/**
 * The effect of a failed attempt. All attempts have the same idempotency key, so the call has at most one effect.
 *
 * - `rejected`: the service rejected the call. No attempt had an effect.
 * - `no-effect`: this attempt had no effect, but an earlier one may have. It was rejected before its key was looked up, lost a
 *   race, or the card gateway was unavailable.
 * - `in-progress`: an earlier attempt holds the key. It is still being processed, or its process crashed.
 * - `unknown`: the attempt may have had its effect.
 */
export type Outcome = 'rejected' | 'no-effect' | 'in-progress' | 'unknown';

/** An error response of the service, and the outcome of the call. */
export interface ErrorResponse {
  error: FairtermError | FairtermPlatformError;
  outcome: Outcome;
}

interface Details {
  status: number;
  requestId: string | undefined;
  idempotencyKey: string | undefined;
}

/** Parses an API's error body. Returns undefined if the value is not an error body. */
export type ParseError = (value: unknown, details: Details, redact: Redact) => ErrorResponse | undefined;

// A newer service may add fields and types.
const MerchantErrorBody = type({ ...ErrorBody.schema, type: string() });
const PlatformErrorBody = type(PlatformError.schema);

export const parseMerchantError: ParseError = (value, details, redact) => {
  if (!is(value, MerchantErrorBody)) return undefined;
  const { description, type: errorType, code } = value;
  const error = new FairtermError(redact(description), { ...details, type: errorType, code });
  return { error, outcome: merchantOutcome(details.status, { description, code }) };
};

/** The platform API only reads, and uses statuses as HTTP defines them. */
export const parsePlatformError: ParseError = (value, { status, requestId }, redact) => {
  if (status < 400 || !is(value, PlatformErrorBody)) return undefined;
  const { message, reason, domain, metadata } = value;
  const redacted = Object.fromEntries(Object.entries(metadata).map(([name, text]) => [name, redact(text)]));
  const details = { status, reason, domain, metadata: redacted, requestId };
  const error = new FairtermPlatformError(redact(message), details);
  if (status === 408 || status === 429) return { error, outcome: 'no-effect' };
  return { error, outcome: status < 500 ? 'rejected' : 'unknown' };
};

/** Returned before the key is looked up, for reasons that may not apply to the next attempt. */
const NO_EFFECT_STATUSES: ReadonlySet<number> = new Set([401, 403, 408, 429]);

export function merchantOutcome(status: number, body: { description: string; code: string | undefined }): Outcome {
  const { code } = body;
  if (code === 'idempotency-key-in-use') return 'in-progress';
  if (code === 'changed-meanwhile' || code === 'card-unavailable' || NO_EFFECT_STATUSES.has(status)) return 'no-effect';
  return status < 500 || isRejection(body) ? 'rejected' : 'unknown';
}

/**
 * Returns true if an error body with a 5xx status is a rejection. Services without version 2 respond with 500 both to most rejections and
 * after internal errors, after which the call may have had its effect.
 */
function isRejection({ description, code }: { description: string; code: string | undefined }): boolean {
  if (code === 'fault' || code === 'database-unavailable') return false;
  if (isKnownCode(code) || description.includes(CARD_DECLINE)) return true;
  return code === undefined && description === INVALID_TRANSACTION_ID;
}

/** @see server/docs/merchant-api.md, "Errors". The only rejection without a code, in version 1. */
const INVALID_TRANSACTION_ID = 'Transaction ID was invalid';

const FIRST_DELAY_MS = 250;
const MAX_DELAY_MS = 8_000;
const MAX_DELAY_IN_PROGRESS_MS = 2_000;

/** Returns true if the same call, with the same key, may succeed later. */
export function isRetryable(outcome: Outcome, status: number | undefined): boolean {
  if (outcome === 'rejected') return false;
  if (outcome === 'in-progress' || status === undefined || status === 408 || status === 429) return true;
  // A concurrent change: `changed-meanwhile`.
  return (outcome === 'no-effect' && status === 409) || status >= 500;
}

/**
 * Returns the delay before the next attempt: exponential backoff with jitter, but at least what the service requests.
 *
 * @param attempts     - Attempts so far, 1 or more.
 * @param random       - From 0 to 1. Subtracts up to half of the delay, so that clients that failed together do not retry together.
 * @param outcome      - Outcome of the previous attempt.
 * @param retryAfterMs - Delay that the service requests.
 */
export function retryDelayMs(attempts: number, random: number, outcome: Outcome, retryAfterMs = 0): number {
  // The earlier attempt will finish soon.
  const maxMs = outcome === 'in-progress' ? MAX_DELAY_IN_PROGRESS_MS : MAX_DELAY_MS;
  const delayMs = Math.min(FIRST_DELAY_MS * 2 ** (attempts - 1), maxMs);
  return Math.max(retryAfterMs, Math.round(delayMs * (1 - random / 2)));
}
