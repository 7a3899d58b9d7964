import type { Middleware } from 'koa';
import type { OAuthError } from '../../shared/wire/token.ts';
import type { Refusal, ServiceError } from '../errors.ts';
import { BASIC_CHALLENGE } from './merchant-auth.ts';
import { refusalIn, requireAnswered, statusOf } from './merchant-errors.ts';

/** What OAuth has a word for; everything else is an invalid request. */
const errorOf: Partial<Record<Refusal, string>> = {
  unauthenticated: 'invalid_client',
  'unsupported-grant-type': 'unsupported_grant_type',
  'invalid-scope': 'invalid_scope',
  'rate-limited': 'temporarily_unavailable',
};

/** What a refusal is called. RFC 6749, 5.2. */
export function oauthErrorOf(refusal: Refusal): string {
  return errorOf[refusal] ?? 'invalid_request';
}

/** Converts errors thrown by later middleware, and unmatched paths and methods, to OAuth's error body. RFC 6749, 5.2. */
export const oauthErrors: Middleware = async (ctx, next) => {
  try {
    await next();
    requireAnswered(ctx);
  } catch (thrown) {
    const refusal = refusalIn(thrown);
    ctx.status = refusal ? statusOf[refusal.refusal] : 500;
    ctx.body = oauthBody(refusal);
    ctx.set('cache-control', 'no-store');
    ctx.set('pragma', 'no-cache');
    if (ctx.status === 401) ctx.set('www-authenticate', BASIC_CHALLENGE);
    if (!refusal) ctx.app.emit('error', thrown, ctx);
  }
};

/** Returns OAuth's error body. Without a `ServiceError`, it is a generic internal error that reveals no details. */
export function oauthBody(refusal: ServiceError | undefined): OAuthError {
  if (!refusal) return { error: 'server_error', error_description: 'Something went wrong on our side.' };
  return { error: oauthErrorOf(refusal.refusal), error_description: plain(refusal.message) };
}

/** The characters that RFC 6749 lets stand in a description. */
function plain(message: string): string {
  return message.replaceAll('"', "'").replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '');
}
