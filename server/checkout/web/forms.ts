import { propertyOf } from '../../../shared/objects.ts';
import { ServiceError } from '../../base/errors.ts';
import { hashOfCode } from '../../base/ids.ts';
import type { Instant } from '../../base/time.ts';
import { type FormTokenStatus, type OwnForms, type PostedForm, signedForm, verifyForm } from '../../http/pages/form.ts';
import type { Html } from '../../http/pages/html.ts';
import { isSessionSecret } from '../session/load.ts';
import type { CheckoutUrls } from './urls.ts';

/** A form of one session, cart and path. */
export interface CheckoutForm {
  cartId: string;
  /** Secret of the session whose page shows the form; undefined at the cart's link. */
  secret: string | undefined;
  /** Path to which the form is posted, below the address of the session: a step or an action. */
  path: string;
  /** The secret that the checkout continues under once the form is accepted; empty if it does not change. */
  nextSecret: string;
}

/** Returns the identity for which the token of a form is issued. No part contains the separator: ids, secrets and paths. */
export function identityOf({ cartId, secret = '', path, nextSecret }: CheckoutForm): string[] {
  return [cartId, secret, path, nextSecret];
}

/**
 * Renders a form that is posted to `path` below the checkout's URL.
 *
 * @param options.isPolled - Whether the client script submits the form repeatedly until the response is another page.
 * @param options.renewsSecret - Whether the checkout continues under a new secret once the form is accepted.
 */
export function postForm(urls: CheckoutUrls, path: string, content: Html, { isPolled = false, renewsSecret = false } = {}): Html {
  const { formToken, nextSecret } = urls.signForm(path, renewsSecret);
  return signedForm(urls.to(path), formToken, content, { isPolled, hidden: { nextSecret } });
}

/** Verifies that a posted form was issued for this cart, session and path. */
export function verifyCheckoutForm(
  forms: OwnForms,
  posted: PostedForm,
  form: Omit<CheckoutForm, 'nextSecret'>,
  now: Instant,
): FormTokenStatus {
  return verifyForm(forms, posted, identityOf({ ...form, nextSecret: nextSecretIn(posted.body) ?? '' }), now);
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
  return hashOfCode(secret);
}
