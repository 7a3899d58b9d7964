import type { Middleware } from 'koa';
import type { OAuthError } from '../../shared/wire/token.ts';
import type { ErrorCode, ServiceError } from '../errors.ts';
import { BASIC_CHALLENGE } from './merchant-auth.ts';
import { serviceErrorOf, requireAnswered, statusOf } from './merchant-errors.ts';

/** Errors that OAuth has a code for. Any other is an `invalid_request`. */
const errorOf: Partial<Record<ErrorCode, string>> = {
  unauthenticated: 'invalid_client',
  'unsupported-grant-type': 'unsupported_grant_type',
  'invalid-scope': 'invalid_scope',
  'rate-limited': 'temporarily_unavailable',
};

/** Returns the OAuth error code. RFC 6749, 5.2. */
export function oauthErrorOf(code: ErrorCode): string {
  return errorOf[code] ?? 'invalid_request';
}

/** Converts errors thrown by later middleware, and unmatched paths and methods, to OAuth's error body. RFC 6749, 5.2. */
export const oauthErrors: Middleware = async (ctx, next) => {
  try {
    await next();
    requireAnswered(ctx);
  } catch (thrown) {
    const error = serviceErrorOf(thrown);
    ctx.status = error ? statusOf[error.code] : 500;
    ctx.body = oauthBody(error);
    ctx.set('cache-control', 'no-store');
    ctx.set('pragma', 'no-cache');
    if (ctx.status === 401) ctx.set('www-authenticate', BASIC_CHALLENGE);
    if (!error) ctx.app.emit('error', thrown, ctx);
  }
};

/** Returns OAuth's error body. Without a `ServiceError`, it is a generic internal error that reveals no details. */
export function oauthBody(error: ServiceError | undefined): OAuthError {
  if (!error) return { error: 'server_error', error_description: 'Something went wrong on our side.' };
  return { error: oauthErrorOf(error.code), error_description: plain(error.message) };
}

/** Removes the characters that RFC 6749 does not allow in a description. */
function plain(message: string): string {
  return message.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '');
}
