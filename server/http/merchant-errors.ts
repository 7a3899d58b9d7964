import type { Context, Middleware } from 'koa';
import { StructError } from 'superstruct';
import type { ErrorBody } from '../../shared/wire/errors.ts';
import { describeValue } from '../../shared/wire/fields.ts';
import { type ErrorCode, ServiceError } from '../errors.ts';

/**
 * HTTP status of each error code. Rows marked * are not in the interface (decisions/0002).
 */
export const statusOf = {
  unauthenticated: 401,
  'https-required': 403, // *
  'origin-not-registered': 403, // * storefront only
  'invalid-request': 400, // * shown only for order ids and carts
  'unknown-path': 404, // *
  'method-not-allowed': 405, // *
  'body-too-large': 413, // *
  'unsupported-encoding': 415, // *
  'idempotency-key-reused': 422, // *
  'idempotency-key-in-use': 409, // *
  'rate-limited': 429, // *
  'request-timeout': 408, // *
  'headers-too-large': 431, // *
  'expectation-failed': 417, // *
  'program-not-found': 400, // *
  'cart-not-found': 404, // *
  'cart-closed': 400, // *
  'transaction-not-found': 500,
  'wrong-state': 500, // *
  'amount-too-large': 500, // *
  'quantity-too-large': 500, // *
  'line-items-in-use': 500, // *
  'card-declined': 500,
  'card-unavailable': 500, // *
  'not-approved': 422, // * sandbox only
  'lender-unavailable': 503, // * checkout only
  'not-configured': 501, // *
  'changed-meanwhile': 500, // *
  // The platform API's alone, which words them in its own way.
  'invalid-parameter': 400, // *
  'token-missing': 401, // *
  'token-malformed': 401, // *
  'token-algorithm-refused': 401, // *
  'token-key-unknown': 401, // *
  'token-signature-wrong': 401, // *
  'token-issuer-unknown': 401, // *
  'token-audience-wrong': 401, // *
  'token-expired': 401, // *
  'token-not-yet-valid': 401, // *
  'token-claim-invalid': 401, // *
  'token-tenant-refused': 403, // *
  'issuer-unavailable': 503, // *
  'scope-missing': 403, // *
  'merchant-conflict': 403, // *
  // RFC 6749, 5.2.
  'unsupported-grant-type': 400,
  'invalid-scope': 400,
} as const satisfies Record<ErrorCode, number>;

/** Errors without a `code`: production clients compare their whole body with the interface's three fields. */
export const BARE: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['transaction-not-found']);

/**
 * Converts errors thrown by later middleware, and unmatched paths and methods, to the merchant API's error body.
 *
 * @see Interface, "Errors": `description`, `error` and `type`; `code` is an addition.
 */
export const merchantErrors: Middleware = async (ctx, next) => {
  try {
    await next();
    requireAnswered(ctx);
  } catch (thrown) {
    const error = serviceErrorOf(thrown);
    const { status, body } = error ? merchantErrorResponse(error) : INTERNAL_ERROR;
    ctx.status = status;
    ctx.body = body;
    if (error?.code === 'idempotency-key-in-use') ctx.set('retry-after', '1');
    if (!error) ctx.app.emit('error', thrown, ctx);
  }
};

/** Returns the error that is shown to the caller; undefined for an internal error. */
export function serviceErrorOf(thrown: unknown): ServiceError | undefined {
  if (thrown instanceof StructError) return new ServiceError('invalid-request', wording(thrown), { cause: thrown });
  return thrown instanceof ServiceError ? thrown : undefined;
}

/** Returns the status and body of an error in the merchant API. */
export function merchantErrorResponse({ code, message }: ServiceError): { status: number; body: ErrorBody } {
  const body: ErrorBody = { description: message, error: true, type: 'INTERNAL_ERROR' };
  return { status: statusOf[code], body: BARE.has(code) ? body : { ...body, code } };
}

/** Does not describe the cause, which is only logged. */
const INTERNAL_ERROR: { status: number; body: ErrorBody } = {
  status: 500,
  body: { description: 'Something went wrong on our side.', error: true, type: 'INTERNAL_ERROR', code: 'fault' },
};

/** @throws ServiceError `unknown-path`, `method-not-allowed` - no route took the path, or none of them the method. */
export function requireAnswered(ctx: Context): void {
  if (isUnknownPath(ctx)) throw new ServiceError('unknown-path', `There is nothing at ${ctx.path}`);
  if (isWrongMethod(ctx)) {
    throw new ServiceError('method-not-allowed', `${ctx.method} is not possible here; allowed: ${ctx.response.get('allow')}`);
  }
}

/** Whether no route took the path. */
export function isUnknownPath({ status, body }: Pick<Context, 'status' | 'body'>): boolean {
  return status === 404 && body === undefined;
}

/** Whether a route took the path, and none of them the method. */
export function isWrongMethod({ status, body }: Pick<Context, 'status' | 'body'>): boolean {
  return (status === 405 || status === 501) && !body;
}

/** Corrects the grammar of superstruct's message and describes the received value, which superstruct prints as nothing for a list. */
function wording({ message, value }: StructError): string {
  const printed = typeof value === 'string' ? JSON.stringify(value) : String(value);
  const isPrinted = message.endsWith(`received: ${printed}`);
  const said = isPrinted ? message.slice(0, message.length - printed.length) + describeValue(value) : message;
  return said.replace(/Expected a (?=integer|array)/, 'Expected an ');
}
