import type { PlatformReason } from './platform-reasons.ts';
import type { RefusalCode } from './refusal-codes.ts';

export interface RefusalDetails {
  status: number;
  type: string;
  code: RefusalCode | undefined;
  requestId: string | undefined;
  idempotencyKey: string | undefined;
}

/**
 * The service rejected the call, which had no effect. The message is the service's description: the path, and the expected and
 * received values.
 *
 * @see Interface, "Errors".
 */
export class FairtermError extends Error {
  override readonly name = 'FairtermError';
  readonly description: string;
  /** HTTP status. */
  readonly status: number;
  /** `INTERNAL_ERROR`, whatever it was; `code` tells them apart. */
  readonly type: string;
  /** Absent for a transaction id that does not exist, or belongs to another merchant. */
  readonly code: RefusalCode | undefined;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** The idempotency key of the call; absent for a read. Retry a corrected call with a new key. */
  readonly idempotencyKey: string | undefined;

  constructor(description: string, { status, type, code, requestId, idempotencyKey }: RefusalDetails) {
    super(description);
    this.description = description;
    this.status = status;
    this.type = type;
    this.code = code;
    this.requestId = requestId;
    this.idempotencyKey = idempotencyKey;
  }

  /**
   * Whether the card that pays the part which is not financed was declined. The transaction is still PENDING: cancel it
   * and tell the buyer to use another card.
   */
  get isCardDecline(): boolean {
    return this.code === 'card-declined' || this.description.includes(CARD_DECLINE);
  }
}

/** @see Interface, "Errors", rule 2: clients know a decline by these words. */
export const CARD_DECLINE = "There's an issue with authorizing the credit card portion";

export interface PlatformRefusalDetails {
  status: number;
  reason: PlatformReason;
  domain: string;
  metadata: Readonly<Record<string, string>>;
  requestId: string | undefined;
}

/** The platform API rejected the call. The message is the service's: the parameter, and the expected and received values. */
export class FairtermPlatformError extends Error {
  override readonly name = 'FairtermPlatformError';
  /** HTTP status. */
  readonly status: number;
  /** Which refusal it is: `INVALID_PARAMETER`. */
  readonly reason: PlatformReason;
  /** Whose reasons these are: `platform.fairterm`. */
  readonly domain: string;
  /** More of it where there is more: `parameter`, `claim`, `expected`, `received`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(message: string, { status, reason, domain, metadata, requestId }: PlatformRefusalDetails) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.domain = domain;
    this.metadata = metadata;
    this.requestId = requestId;
  }
}

export interface NoAnswerDetails {
  attempts: number;
  status?: number | undefined;
  requestId?: string | undefined;
  idempotencyKey?: string | undefined;
  cause?: unknown;
}

/**
 * The service could not be reached, did not answer in time, is still busy with the call or has a fault; or what answered is
 * not the service. Its own words, where it had some, are the `cause`, a `FairtermError` or a `FairtermPlatformError`.
 *
 * Whether a writing call took place is not known. Making it again is safe with the same `idempotencyKey`; with a new one it may
 * happen twice.
 */
export class NoAnswerError extends Error {
  override readonly name = 'NoAnswerError';
  /** How often it was tried. */
  readonly attempts: number;
  /** HTTP status of the last answer, if there was one. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** The key of the call; absent for a reading call. */
  readonly idempotencyKey: string | undefined;

  constructor(message: string, { attempts, status, requestId, idempotencyKey, cause }: NoAnswerDetails) {
    super(message, cause === undefined ? undefined : { cause });
    this.attempts = attempts;
    this.status = status;
    this.requestId = requestId;
    this.idempotencyKey = idempotencyKey;
  }
}
