import type { Context } from '../../http/context.ts';
import { idOfToken, issueToken, type OwnForms, verifyToken } from '../../http/pages/form.ts';
import type { Instant } from '../../base/time.ts';
import { cookieName, setCookie } from '../web/visit.ts';

const DEVICE_COOKIE = 'fairterm-device';
const YEAR_SECONDS = 31_536_000;

/**
 * Stores in a cookie that a person has signed in with this browser, for whom a number of links is reserved. It proves nothing else: it signs
 * no one in.
 */
export function rememberDevice(ctx: Pick<Context, 'append'>, { key, ownOrigin }: OwnForms, email: string, now: Instant): void {
  const value = issueToken(key, identityOf(email), now);
  setCookie(ctx, ownOrigin, `${cookieName(DEVICE_COOKIE, ownOrigin)}=${value}; Max-Age=${YEAR_SECONDS}`);
}

/** Returns the id of a browser with which the person with this e-mail address has signed in; undefined for other browsers. */
export function deviceOf(
  ctx: Pick<Context, 'cookies'>,
  { key, ownOrigin }: OwnForms,
  email: string,
  now: Instant,
): string | undefined {
  const value = ctx.cookies.get(cookieName(DEVICE_COOKIE, ownOrigin)) ?? '';
  // The browser deletes the cookie after a year; a form would have expired before.
  return verifyToken(key, identityOf(email), value, now) === 'forged' ? undefined : idOfToken(value);
}

function identityOf(email: string): string[] {
  return ['device', email.trim().toLowerCase()];
}
