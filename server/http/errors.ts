import { StructError } from 'superstruct';
import type { ErrorBody, PlatformError } from '../../shared/wire/errors.ts';
import { describeValue } from '../../shared/wire/fields.ts';
import type { OAuthError } from '../../shared/wire/token.ts';
import { type ApiVersion, type ErrorCode, ServiceError, httpStatusOf } from '../base/errors.ts';
import type { Context, Middleware } from './context.ts';

/** `WWW-Authenticate` challenge for requests without a valid key pair. */
export const BASIC_CHALLENGE = 'Basic realm="fairterm", charset="UTF-8"';

/** Errors without a `code` in version 1: production clients compare their whole body with the interface's three fields. */
export const CODELESS: ReadonlySet<string> = new Set<ErrorCode>(['transaction-not-found']);

/**
 * Converts errors thrown by later middleware, and unmatched paths and methods, to an API's error body.
 *
 * @param respond - Sets the body and headers. Without a `ServiceError`, the error is internal and is only logged.
 */
function errorMiddleware(respond: (ctx: Context, error: ServiceError | undefined) => void): Middleware {
  return async (ctx, next) => {
    try {
      await next();
      requireAnswered(ctx);
    } catch (thrown) {
      const error = serviceErrorOf(thrown);
      if (error) setRejection(ctx, error);
      ctx.status = error ? httpStatusOf(error.code) : 500;
      respond(ctx, error);
      if (error) return;
      ctx.state.isFault = true;
      ctx.app.emit('error', thrown, ctx);
    }
  };
}

/** Errors after which the same request may succeed in a few seconds. */
const TEMPORARY: ReadonlySet<ErrorCode> = new Set(['database-unavailable', 'issuer-unavailable']);

const RETRY_SECONDS = '5';

/** Stores the error with which a request was rejected in its context, for the log, and sets `Retry-After` for a temporary one. */
export function setRejection(ctx: Pick<Context, 'state' | 'set'>, { code }: ServiceError): void {
  ctx.state.rejection = code;
  if (TEMPORARY.has(code)) ctx.set('retry-after', RETRY_SECONDS);
}

/**
 * Returns the code of the error with which a request was rejected; undefined if it was not. A page without such an error has its status
 * as code: `http-404`.
 */
export function rejectionOf({ state, status }: Pick<Context, 'state' | 'status'>): string | undefined {
  return state.rejection ?? (status >= 400 && status < 500 ? `http-${status}` : undefined);
}

/** Errors of the merchant API, with the statuses of the version that the request asks for. */
export const merchantErrors = errorMiddleware((ctx, error) => {
  const version = versionOf(ctx);
  if (error) ctx.status = httpStatusOf(error.code, version);
  ctx.body = merchantBody(error, version);
  if (error?.code === 'idempotency-key-in-use') ctx.set('retry-after', '1');
  if (error?.details['retryAfterSeconds']) ctx.set('retry-after', error.details['retryAfterSeconds']);
});

/** Errors of the platform API (decisions/0028). */
export const platformErrors = errorMiddleware((ctx, error) => {
  ctx.body = platformBody(error);
  if (error && (ctx.status === 401 || error.code === 'scope-missing')) ctx.set('www-authenticate', challengeOf(error));
});

/** Errors of the OAuth endpoints. RFC 6749, 5.2. */
export const oauthErrors = errorMiddleware((ctx, error) => {
  ctx.body = oauthBody(error);
  ctx.set('pragma', 'no-cache');
  if (ctx.status === 401) ctx.set('www-authenticate', BASIC_CHALLENGE);
});

/** Returns the error that is shown to the caller; undefined for an internal error. */
export function serviceErrorOf(thrown: unknown): ServiceError | undefined {
  if (thrown instanceof StructError) return new ServiceError('invalid-request', wording(thrown), { cause: thrown });
  return thrown instanceof ServiceError ? thrown : undefined;
}

const INTERNAL_MESSAGE = 'Something went wrong on our side.';

/** @see server/docs/merchant-api.md, "Errors". */
export function merchantBody(error: ServiceError | undefined, version: ApiVersion = 1): ErrorBody {
  const { code = 'fault', message: description = INTERNAL_MESSAGE } = error ?? {};
  const body: ErrorBody = { description, error: true, type: 'INTERNAL_ERROR' };
  return version === 1 && CODELESS.has(code) ? body : { ...body, code };
}

/** Selects the statuses of errors. Services of earlier releases ignore it. */
const VERSION_HEADER = 'fairterm-version';

/** Rejects unknown versions. @throws ServiceError `invalid-request` */
export const requireKnownVersion: Middleware = (ctx, next) => {
  const received = ctx.req.headers[VERSION_HEADER];
  if (received === undefined || received === '1' || received === '2') return next();
  throw new ServiceError('invalid-request', `${VERSION_HEADER}: expected 1 or 2, but received ${describeValue(received)}`);
};

function versionOf({ req }: Pick<Context, 'req'>): ApiVersion {
  return req.headers[VERSION_HEADER] === '2' ? 2 : 1;
}

/** @throws ServiceError `unknown-path`, `method-not-allowed` */
function requireAnswered(ctx: Context): void {
  if (isUnknownPath(ctx)) throw new ServiceError('unknown-path', `There is nothing at ${ctx.path}`);
  if (isWrongMethod(ctx)) {
    throw new ServiceError('method-not-allowed', `${ctx.method} is not possible here; allowed: ${ctx.response.get('allow')}`);
  }
}

/** Returns true if no route matched the path. */
export function isUnknownPath({ status, body }: Pick<Context, 'status' | 'body'>): boolean {
  return status === 404 && body === undefined;
}

/** Returns true if a route matched the path, but not the method: the router then responds 405, or 501 to a method that it does not know. */
export function isWrongMethod({ status, body }: Pick<Context, 'status' | 'body'>): boolean {
  return (status === 405 || status === 501) && !body;
}

/** Corrects the grammar of superstruct's message and describes the received value, which superstruct prints as nothing for a list. */
function wording({ message, value, type, key }: StructError): string {
  // Other unknown fields are dropped, but superstruct looks up names such as `constructor` on the prototype of its fields too.
  if (type === 'never') return `Expected no field named "${key}"`;
  const printed = typeof value === 'string' ? JSON.stringify(value) : String(value);
  const isPrinted = message.endsWith(`received: ${printed}`);
  const described = isPrinted ? message.slice(0, message.length - printed.length) + describeValue(value) : message;
  return described.replace(/Expected a (?=integer|array)/, 'Expected an ');
}

const DOMAIN = 'platform.fairterm';

export function platformBody(error: ServiceError | undefined): PlatformError {
  if (!error) return { message: INTERNAL_MESSAGE, reason: 'FAULT', domain: DOMAIN, metadata: {} };
  const { message, details } = error;
  return { message, reason: reasonOf(error), domain: DOMAIN, metadata: { ...details } };
}

/** Returns the platform API's name of an error code: `TOKEN_EXPIRED` for `token-expired`. */
export function reasonOf({ code }: Pick<ServiceError, 'code'>): string {
  return code.toUpperCase().replaceAll('-', '_');
}

/** Returns a Basic challenge where a key pair is expected. A Bearer challenge without a token has no error code. RFC 6750, 3. */
function challengeOf({ code, message, details }: ServiceError): string {
  if (code === 'unauthenticated') return BASIC_CHALLENGE;
  const realm = 'Bearer realm="fairterm"';
  if (code === 'token-missing') return realm;
  const error = code === 'scope-missing' ? `insufficient_scope", scope="${details['expected']}` : 'invalid_token';
  return `${realm}, error="${error}", error_description="${allowedCharacters(message)}"`;
}

/** Errors that OAuth has a code for. Any other is an `invalid_request`. */
const errorOf: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'invalid_client',
  'unsupported-grant-type': 'unsupported_grant_type',
  'invalid-scope': 'invalid_scope',
  'rate-limited': 'temporarily_unavailable',
  'database-unavailable': 'temporarily_unavailable',
};

/** Returns the OAuth error code. RFC 6749, 5.2. */
export function oauthErrorOf(code: ErrorCode): string {
  return errorOf[code] ?? 'invalid_request';
}

export function oauthBody(error: ServiceError | undefined): OAuthError {
  if (!error) return { error: 'server_error', error_description: INTERNAL_MESSAGE };
  return { error: oauthErrorOf(error.code), error_description: allowedCharacters(error.message.replaceAll('"', "'")) };
}

/** Removes the characters that RFC 6749 and RFC 6750 do not allow in a description. */
function allowedCharacters(message: string): string {
  return message.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '');
}
