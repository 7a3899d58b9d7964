import { propertyOf } from '../../../shared/objects.ts';
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { ServiceError } from '../../errors.ts';
import type { Html } from '../../http/html.ts';
import { DAY_MS, epochMs, type Instant } from '../../time.ts';
import { isSessionSecret, sessionHash } from '../session/secret.ts';
import type { CheckoutUrls } from './urls.ts';

/** Time in which a form can be submitted after it was shown. */
export const FORM_TOKEN_MS = DAY_MS;

/** `expired`: issued for this form, but too old. */
export type FormTokenVerdict = 'valid' | 'expired' | 'forged';

/** The form that a token is issued for. */
export interface FormIdentity {
  cartId: string;
  /** Secret of the session whose page shows the form; undefined at the cart's link. */
  secret: string | undefined;
  /** Path to which the form is posted, below the address of the session: a step or an action. */
  path: string;
  /** The secret that the checkout continues under once the form is accepted; empty if it does not change. */
  nextSecret: string;
}

/**
 * Returns the hidden token of a form, which proves that this service issued it for one session, cart and path: the second of issue and
 * the base64url of an HMAC-SHA256 over the form's identity and that second, `1795255200.…`.
 */
export function formToken(key: KeyObject, form: FormIdentity, issuedAt: Instant): string {
  const seconds = String(Math.floor(epochMs(issuedAt) / 1_000));
  return `${seconds}.${macOf(key, form, seconds).toString('base64url')}`;
}

/**
 * Verifies a posted token. A token of another cart, session or path is forged.
 *
 * @param token - Unknown input.
 */
export function verifyFormToken(key: KeyObject, form: FormIdentity, token: unknown, now: Instant): FormTokenVerdict {
  const parts = typeof token === 'string' ? TOKEN.exec(token) : null;
  if (!parts) return 'forged';
  const [, seconds, sent] = parts;
  if (!timingSafeEqual(macOf(key, form, seconds!), Buffer.from(sent!, 'base64url'))) return 'forged';
  // The clock of a sandbox may have been set back since.
  const ageMs = Math.abs(epochMs(now) - Number(seconds) * 1_000);
  return ageMs <= FORM_TOKEN_MS ? 'valid' : 'expired';
}

/** 32 bytes have one encoding of 43 base64url characters: the last one holds four bits. */
const TOKEN = /^(\d{1,12})\.([\w-]{42}[AEIMQUYcgkosw048])$/;

/** No part contains the separator: ids, secrets, paths and digits. */
function macOf(key: KeyObject, { cartId, secret = '', path, nextSecret }: FormIdentity, seconds: string): Buffer {
  return createHmac('sha256', key).update([cartId, secret, path, nextSecret, seconds].join('|')).digest();
}

/**
 * Renders a form that is posted to `path` below the checkout's URL. It has `novalidate`, because the server validates it and responds in
 * the language of the page.
 *
 * @param options.isPolled - Whether the client script submits the form repeatedly until the response is another page.
 * @param options.renewsSecret - Whether the checkout continues under a new secret once the form is accepted.
 */
export function postForm(urls: CheckoutUrls, path: string, content: Html, { isPolled = false, renewsSecret = false } = {}): Html {
  const { formToken: token, nextSecret } = urls.signForm(path, renewsSecret);
  return html`<form method="post" action="${urls.to(path)}" novalidate data-polls="${isPolled ? '' : nothing}">
    <input type="hidden" name="formToken" value="${token}" />
    ${nextSecret && html`<input type="hidden" name="nextSecret" value="${nextSecret}" />`}
    ${content}
  </form>`;
}

/** Key and origin with which posted forms are verified. */
export interface OwnForms {
  key: KeyObject;
  /** Origin of this service, `https://pay.example`. */
  ownOrigin: string;
}

/**
 * Verifies that a posted form was issued for this cart, session and path. A cross-site request is forged even with a valid token,
 * which an attacker gets from a link of their own.
 */
export function verifyForm(
  { key, ownOrigin }: OwnForms,
  { headers, body }: { headers: IncomingHttpHeaders; body?: unknown },
  form: Omit<FormIdentity, 'nextSecret'>,
  now: Instant,
): FormTokenVerdict {
  if (isCrossSite(headers, ownOrigin)) return 'forged';
  return verifyFormToken(key, { ...form, nextSecret: nextSecretIn(body) ?? '' }, propertyOf(body, 'formToken'), now);
}

/** Returns the secret for the checkout to continue under. Trust it only with a valid token. */
export function nextSecretIn(body: unknown): string | undefined {
  const nextSecret = propertyOf(body, 'nextSecret');
  return isSessionSecret(nextSecret) ? nextSecret : undefined;
}

/** Returns the hash of the secret that the checkout continues under. @throws ServiceError `invalid-request` */
export function nextSessionHash(body: unknown): string {
  const secret = nextSecretIn(body);
  if (secret === undefined) throw new ServiceError('invalid-request', 'nextSecret: expected 22 letters, but received none');
  return sessionHash(secret);
}

/**
 * Returns true if the headers are from a browser on a page of another site. Requests without these headers are from other clients or
 * old browsers.
 *
 * Pages without a referrer and sandboxed frames send `Origin: null`. Only `Sec-Fetch-Site`, which pages cannot set, distinguishes them.
 *
 * @param ownOrigin - Public origin of the service, `https://pay.example`. Does not use `Host`, which proxies may change.
 */
export function isCrossSite({ origin, ...headers }: IncomingHttpHeaders, ownOrigin: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return origin !== undefined && origin !== 'null' && origin !== ownOrigin;
}
