/** Error codes of the merchant API in this version. Their meaning never changes; `/docs` describes each. */
const knownCodes = [
  'https-required',
  'unauthenticated',
  'invalid-request',
  'unknown-path',
  'method-not-allowed',
  'body-too-large',
  'unsupported-encoding',
  'request-timeout',
  'headers-too-large',
  'expectation-failed',
  'program-not-found',
  'cart-not-found',
  'cart-closed',
  'recipient-opted-out',
  'event-not-found',
  'webhook-not-found',
  'settlement-not-found',
  'transaction-not-found',
  'wrong-state',
  'amount-mismatch',
  'amount-too-large',
  'quantity-too-large',
  'line-items-in-use',
  'card-declined',
  'card-unavailable',
  'not-approved',
  'not-configured',
  'changed-meanwhile',
  'idempotency-key-in-use',
  'idempotency-key-reused',
  // The call may have had its effect.
  'database-unavailable',
  // An internal error of the service.
  'fault',
] as const;

export type KnownErrorCode = (typeof knownCodes)[number];

/** A known code, or a code of a newer service. */
export type ErrorCode = KnownErrorCode | (string & {});

const knownCodeSet: ReadonlySet<string | undefined> = new Set<string | undefined>(knownCodes);

export function isKnownCode(code: ErrorCode | undefined): code is KnownErrorCode {
  return knownCodeSet.has(code);
}

/** Error reasons of the platform API in this version. Their meaning never changes; `/docs` describes each. */
export type KnownPlatformReason =
  | 'HTTPS_REQUIRED'
  | 'UNAUTHENTICATED'
  | 'INVALID_REQUEST'
  | 'UNKNOWN_PATH'
  | 'METHOD_NOT_ALLOWED'
  | 'BODY_TOO_LARGE'
  | 'UNSUPPORTED_ENCODING'
  | 'INVALID_PARAMETER'
  | 'TOKEN_MISSING'
  | 'TOKEN_MALFORMED'
  | 'TOKEN_ALGORITHM_REFUSED'
  | 'TOKEN_KEY_UNKNOWN'
  | 'TOKEN_SIGNATURE_WRONG'
  | 'TOKEN_ISSUER_UNKNOWN'
  | 'TOKEN_AUDIENCE_WRONG'
  | 'TOKEN_EXPIRED'
  | 'TOKEN_NOT_YET_VALID'
  | 'TOKEN_CLAIM_INVALID'
  | 'TOKEN_TENANT_REFUSED'
  | 'ISSUER_UNAVAILABLE'
  | 'APPLICATION_NOT_FOUND'
  | 'SCOPE_MISSING'
  | 'MERCHANT_CONFLICT'
  | 'DATABASE_UNAVAILABLE'
  // An internal error of the service.
  | 'FAULT';

/** A known reason, or a reason of a newer service. */
export type PlatformReason = KnownPlatformReason | (string & {});

/** @see server/docs/merchant-api.md, "Errors": clients recognize a decline by this text. */
export const CARD_DECLINE = "There's an issue with authorizing the credit card portion";

/** The fields of an error that its constructor does not derive from the message. */
type Details<Thrown extends Error> = Omit<Thrown, keyof Error | 'description' | 'isCardDecline'>;

/**
 * The service rejected the call, which had no effect. The message is the service's description: the path, and the expected and
 * received values.
 *
 * @see server/docs/merchant-api.md, "Errors".
 */
export class FairtermError extends Error {
  override readonly name = 'FairtermError';
  readonly description: string;
  /** HTTP status. */
  readonly status: number;
  /** `INTERNAL_ERROR` for every error; use `code` to distinguish them. */
  readonly type: string;
  /** Absent if an earlier release of the service does not know a transaction. */
  readonly code: ErrorCode | undefined;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** The idempotency key of the call; absent for a read. Retry a corrected call with a new key. */
  readonly idempotencyKey: string | undefined;

  constructor(description: string, { status, type, code, requestId, idempotencyKey }: Details<FairtermError>) {
    super(description);
    this.description = description;
    this.status = status;
    this.type = type;
    this.code = code;
    this.requestId = requestId;
    this.idempotencyKey = idempotencyKey;
  }

  /**
   * True if the card that pays the remainder was declined. After an authorization, the transaction is still PENDING: cancel it, and ask the
   * buyer to use another card. After a settlement, it is still AUTHORIZED: cancel the card portion by `amount`, and settle the loan.
   */
  get isCardDecline(): boolean {
    return this.code === 'card-declined' || this.description.includes(CARD_DECLINE);
  }
}

/** The platform API rejected the call. The message is the service's: the parameter, and the expected and received values. */
export class FairtermPlatformError extends Error {
  override readonly name = 'FairtermPlatformError';
  /** HTTP status. */
  readonly status: number;
  /** Error code, for example `INVALID_PARAMETER`. */
  readonly reason: PlatformReason;
  /** Namespace of the reasons, `platform.fairterm`. */
  readonly domain: string;
  /** Details that depend on the reason: `parameter`, `claim`, `expected`, `received`. */
  readonly metadata: Readonly<Record<string, string>>;
  /** Identifies the request in the service's log. */
  readonly requestId: string | undefined;

  constructor(message: string, { status, reason, domain, metadata, requestId }: Details<FairtermPlatformError>) {
    super(message);
    this.status = status;
    this.reason = reason;
    this.domain = domain;
    this.metadata = metadata;
    this.requestId = requestId;
  }
}

/**
 * The outcome of the call is unknown: the service was unreachable, too slow or still processing the call, had an internal error,
 * or something else responded. If the service sent an error, it is the `cause`: a `FairtermError` or a `FairtermPlatformError`.
 *
 * A write may have had its effect. Repeat it with the same `idempotencyKey`; with a new key, it may happen twice.
 */
export class UnknownOutcomeError extends Error {
  override readonly name = 'UnknownOutcomeError';
  readonly attempts: number;
  /** HTTP status of the last response, if there was one. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  /** The idempotency key of the call; absent for a read. */
  readonly idempotencyKey: string | undefined;

  constructor(
    message: string,
    details: Pick<UnknownOutcomeError, 'attempts'> & Partial<Details<UnknownOutcomeError>> & { cause?: unknown },
  ) {
    const { attempts, status, requestId, idempotencyKey, cause } = details;
    super(message, cause === undefined ? undefined : { cause });
    this.attempts = attempts;
    this.status = status;
    this.requestId = requestId;
    this.idempotencyKey = idempotencyKey;
  }
}
