import { propertyOf } from '../../../shared/objects.ts';
import type { KeyObject } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { ServiceError } from '../../base/errors.ts';
import type { Html } from '../../http/pages/html.ts';
import { type FormTokenStatus, isCrossSite, issueToken, type OwnForms, verifyToken } from '../../http/pages/form-token.ts';
import type { Instant } from '../../base/time.ts';
import { isSessionSecret, sessionHash } from '../session/secret.ts';
import type { CheckoutUrls } from './urls.ts';

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

/** Returns the hidden token of a form, which proves that this service issued it for one session, cart and path. */
export function formToken(key: KeyObject, form: FormIdentity, issuedAt: Instant): string {
  return issueToken(key, identityOf(form), issuedAt);
}

/**
 * Verifies a posted token. A token of another cart, session or path is forged.
 *
 * @param token - Unknown input.
 */
export function verifyFormToken(key: KeyObject, form: FormIdentity, token: unknown, now: Instant): FormTokenStatus {
  return verifyToken(key, identityOf(form), token, now);
}

/** No part contains the separator: ids, secrets and paths. */
function identityOf({ cartId, secret = '', path, nextSecret }: FormIdentity): string[] {
  return [cartId, secret, path, nextSecret];
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

/**
 * Verifies that a posted form was issued for this cart, session and path. A cross-site request is forged even with a valid token,
 * which an attacker gets from a link of their own.
 */
export function verifyForm(
  { key, ownOrigin }: OwnForms,
  { headers, body }: { headers: IncomingHttpHeaders; body?: unknown },
  form: Omit<FormIdentity, 'nextSecret'>,
  now: Instant,
): FormTokenStatus {
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
