/** The codes of refusals that this version knows. They never change their meaning; README.md says when each comes. */
export type KnownRefusalCode =
  | 'https-required'
  | 'unauthenticated'
  | 'invalid-request'
  | 'unknown-path'
  | 'method-not-allowed'
  | 'body-too-large'
  | 'unsupported-encoding'
  | 'request-timeout'
  | 'headers-too-large'
  | 'expectation-failed'
  | 'program-not-found'
  | 'cart-not-found'
  | 'cart-closed'
  | 'wrong-state'
  | 'amount-too-large'
  | 'quantity-too-large'
  | 'line-items-in-use'
  | 'card-declined'
  | 'not-approved'
  | 'not-configured'
  | 'changed-meanwhile'
  | 'idempotency-key-in-use'
  | 'idempotency-key-reused';

/** A known code, or one of a newer service. */
export type RefusalCode = KnownRefusalCode | (string & {});

export interface RefusalDetails {
  status: number;
  type: string;
  code: RefusalCode | undefined;
  requestId: string | undefined;
}

/**
 * The service said no. The message is the service's own description: what was refused, what it expected, what came.
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
  /** Absent for a transaction id that does not exist, or is another merchant's. */
  readonly code: RefusalCode | undefined;
  /** Names this exchange in the service's log. */
  readonly requestId: string | undefined;

  constructor(description: string, { status, type, code, requestId }: RefusalDetails) {
    super(description);
    this.description = description;
    this.status = status;
    this.type = type;
    this.code = code;
    this.requestId = requestId;
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
const CARD_DECLINE = "There's an issue with authorizing the credit card portion";

export interface NoAnswerDetails {
  attempts: number;
  status?: number | undefined;
  requestId?: string | undefined;
  idempotencyKey?: string | undefined;
  cause?: unknown;
}

/**
 * The service could not be reached, did not answer in time, or what answered is not the service.
 *
 * Whether a writing call took place is not known. Making it again with the same `idempotencyKey` is safe.
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
