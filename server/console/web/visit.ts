import type { Context, State } from '../../http/context.ts';
import { type Html, seeOther, deniedFeatures } from '../../http/pages/html.ts';
import { isSessionToken } from '../../base/ids.ts';
import {
  type FormOptions,
  type FormTokenStatus,
  issueToken,
  type OwnForms,
  signedForm,
  verifyForm,
} from '../../http/pages/form.ts';
import type { Instant } from '../../base/time.ts';
import { newBrowserToken, type SignedIn } from '../users/sessions.ts';
import { CONFIRMATIONS } from './texts.ts';

/** A request of a browser: its cookies and user. */
export interface Visit {
  /** Identifies the browser, signed in or not; undefined without the cookie. */
  browserToken: string | undefined;
  signedIn: SignedIn | undefined;
  /** The time of the system, which sessions and forms follow. */
  now: Instant;
  /** Of the times on the page; undefined on a page without times. */
  timeZone?: string;
}

export interface ConsoleState extends State {
  visit: Visit;
}

export type ConsoleContext = Context<ConsoleState> & { params: Record<string, string> };

/** The content security policy of all pages. */
export const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

/**
 * Headers of all responses. The cookie is sent with links of other sites, so that links in e-mails and back offices work: forms have
 * tokens, and pages cannot be framed.
 */
export const CONSOLE_HEADERS: Record<string, string> = {
  'content-language': 'en',
  'content-security-policy': CONSOLE_POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': deniedFeatures('publickey-credentials-get'),
};

/** A browser accepts a cookie with the prefix only from this host over https, so that no other site of the domain can set it. */
const cookieName = (name: string, ownOrigin: string): string => `${ownOrigin.startsWith('https:') ? '__Host-' : ''}${name}`;

/** Returns the value of a cookie; undefined without it. */
export function readCookie({ cookies }: Pick<Context, 'cookies'>, ownOrigin: string, name: string): string | undefined {
  return cookies.get(cookieName(name, ownOrigin));
}

/** Sets a cookie of all pages, which scripts cannot read. @param maxAge - In seconds; undefined: until the browser is closed. */
export function setCookie(ctx: Pick<Context, 'append'>, ownOrigin: string, name: string, value: string, maxAge?: number): void {
  const lifetime = maxAge === undefined ? '' : `; Max-Age=${maxAge}`;
  const secure = ownOrigin.startsWith('https:') ? '; Secure' : '';
  ctx.append('set-cookie', `${cookieName(name, ownOrigin)}=${value}${lifetime}; Path=/; HttpOnly; SameSite=Lax${secure}`);
}

const BROWSER_COOKIE = 'fairterm-console';

/** Returns the token of the browser in its cookie. */
export function browserTokenIn(ctx: Pick<Context, 'cookies'>, ownOrigin: string): string | undefined {
  const token = readCookie(ctx, ownOrigin, BROWSER_COOKIE);
  return isSessionToken(token) ? token : undefined;
}

/** Gives the browser a token, until it is closed, and returns it. */
export function setBrowserToken(ctx: ConsoleContext, ownOrigin: string, token: string): string {
  setCookie(ctx, ownOrigin, BROWSER_COOKIE, token);
  ctx.state.visit.browserToken = token;
  return token;
}

/** Renders a form with its token, which is for this browser and address. */
export function ownForm(
  ctx: ConsoleContext,
  { key, ownOrigin }: OwnForms,
  action: string,
  content: Html,
  options?: FormOptions,
): Html {
  const { visit } = ctx.state;
  visit.browserToken ??= setBrowserToken(ctx, ownOrigin, newBrowserToken());
  const [path = ''] = action.split('?');
  return signedForm(action, issueToken(key, identityOf(visit, path), visit.now), content, options);
}

/** Verifies that a posted form was shown to this browser for this address, and that it was not posted by another site. */
export function verifyOwnForm({ request, path, state: { visit } }: ConsoleContext, forms: OwnForms): FormTokenStatus {
  return visit.browserToken === undefined ? 'forged' : verifyForm(forms, request, identityOf(visit, path), visit.now);
}

function identityOf({ browserToken = '' }: Visit, path: string): string[] {
  return ['console', browserToken, path];
}

const DONE_COOKIE = 'fairterm-done';

/** Redirects to an address whose `done` names what an action has done. Its page confirms that once. */
export function confirmAt(ctx: ConsoleContext, ownOrigin: string, address: string): void {
  const done = new URL(address, ownOrigin).searchParams.get('done');
  if (done !== null) setCookie(ctx, ownOrigin, DONE_COOKIE, done);
  seeOther(ctx, address);
}

/** Returns the confirmation that the address names if an action of this browser has led to it, the first time. A link of others confirms nothing. */
export function takeConfirmation(ctx: ConsoleContext, ownOrigin: string): string | undefined {
  const { done } = ctx.query;
  if (typeof done !== 'string' || readCookie(ctx, ownOrigin, DONE_COOKIE) !== done) return undefined;
  setCookie(ctx, ownOrigin, DONE_COOKIE, '', 0);
  return Object.entries(CONFIRMATIONS).find(([key]) => key === done)?.[1];
}

/** Returns the address of the console in a parameter: a path, so that no link leads to another site, without a confirmation (`done`). */
export function ownAddress(value: unknown): string {
  const fallback = '/console';
  if (typeof value !== 'string' || value.length > 2_000) return fallback;
  const url = URL.canParse(value, 'http://console.invalid') ? new URL(value, 'http://console.invalid') : undefined;
  const isOwn = url?.host === 'console.invalid' && /^\/console(\/|$)/.test(url.pathname);
  url?.searchParams.delete('done');
  return isOwn ? url.pathname + url.search : fallback;
}
