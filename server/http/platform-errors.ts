import type { Middleware } from 'koa';
import type { PlatformError } from '../../shared/wire/platform-error.ts';
import type { ServiceError } from '../errors.ts';
import { BASIC_CHALLENGE } from './merchant-auth.ts';
import { refusalIn, requireAnswered, statusOf } from './merchant-errors.ts';

const DOMAIN = 'platform.fairterm';

/** How long to wait for an issuer of tokens that did not answer. */
const RETRY_SECONDS = '5';

/** Converts errors thrown by later middleware, and unmatched paths and methods, to the platform API's error body (decisions/0028). */
export const platformErrors: Middleware = async (ctx, next) => {
  try {
    await next();
    requireAnswered(ctx);
  } catch (thrown) {
    const refusal = refusalIn(thrown);
    const status = refusal ? statusOf[refusal.refusal] : 500;
    ctx.status = status;
    ctx.body = platformBody(refusal);
    if (status === 401) ctx.set('www-authenticate', challengeOf(refusal!));
    if (status === 403 && refusal!.refusal === 'scope-missing') ctx.set('www-authenticate', challengeOf(refusal!));
    if (status === 503) ctx.set('retry-after', RETRY_SECONDS);
    if (!refusal) ctx.app.emit('error', thrown, ctx);
  }
};

/** Returns the platform API's error body. Without a `ServiceError`, it is a generic internal error that reveals no details. */
export function platformBody(refusal: ServiceError | undefined): PlatformError {
  if (!refusal) return { message: 'Something went wrong on our side.', reason: 'FAULT', domain: DOMAIN, metadata: {} };
  const { message, details } = refusal;
  return { message, reason: reasonOf(refusal), domain: DOMAIN, metadata: { ...details } };
}

/** `token-expired` as `TOKEN_EXPIRED`. */
export function reasonOf({ refusal }: Pick<ServiceError, 'refusal'>): string {
  return refusal.toUpperCase().replaceAll('-', '_');
}

/** Returns a Basic challenge where a key pair is expected. A Bearer challenge without a token has no error code. RFC 6750, 3. */
function challengeOf({ refusal, message, details }: ServiceError): string {
  if (refusal === 'unauthenticated') return BASIC_CHALLENGE;
  const realm = 'Bearer realm="fairterm"';
  if (refusal === 'token-missing') return realm;
  const error = refusal === 'scope-missing' ? `insufficient_scope", scope="${details['expected']}` : 'invalid_token';
  return `${realm}, error="${error}", error_description="${message.replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '')}"`;
}
