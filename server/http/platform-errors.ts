import type { Middleware } from 'koa';
import type { PlatformError } from '../../shared/wire/errors.ts';
import type { ServiceError } from '../errors.ts';
import { BASIC_CHALLENGE } from './merchant-auth.ts';
import { serviceErrorOf, requireAnswered, statusOf } from './merchant-errors.ts';

const DOMAIN = 'platform.fairterm';

/** Value of `Retry-After` while the keys of a token issuer are unavailable. */
const RETRY_SECONDS = '5';

/** Converts errors thrown by later middleware, and unmatched paths and methods, to the platform API's error body (decisions/0028). */
export const platformErrors: Middleware = async (ctx, next) => {
  try {
    await next();
    requireAnswered(ctx);
  } catch (thrown) {
    const error = serviceErrorOf(thrown);
    const status = error ? statusOf[error.code] : 500;
    ctx.status = status;
    ctx.body = platformBody(error);
    if (status === 401) ctx.set('www-authenticate', challengeOf(error!));
    if (status === 403 && error!.code === 'scope-missing') ctx.set('www-authenticate', challengeOf(error!));
    if (status === 503) ctx.set('retry-after', RETRY_SECONDS);
    if (!error) ctx.app.emit('error', thrown, ctx);
  }
};

/** Returns the platform API's error body. Without a `ServiceError`, it is a generic internal error that reveals no details. */
export function platformBody(error: ServiceError | undefined): PlatformError {
  if (!error) return { message: 'Something went wrong on our side.', reason: 'FAULT', domain: DOMAIN, metadata: {} };
  const { message, details } = error;
  return { message, reason: reasonOf(error), domain: DOMAIN, metadata: { ...details } };
}

/** `token-expired` as `TOKEN_EXPIRED`. */
export function reasonOf({ code }: Pick<ServiceError, 'code'>): string {
  return code.toUpperCase().replaceAll('-', '_');
}

/** Returns a Basic challenge where a key pair is expected. A Bearer challenge without a token has no error code. RFC 6750, 3. */
function challengeOf({ code, message, details }: ServiceError): string {
  if (code === 'unauthenticated') return BASIC_CHALLENGE;
  const realm = 'Bearer realm="fairterm"';
  if (code === 'token-missing') return realm;
  const error = code === 'scope-missing' ? `insufficient_scope", scope="${details['expected']}` : 'invalid_token';
  return `${realm}, error="${error}", error_description="${message.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')}"`;
}
