import { timingSafeEqual } from 'node:crypto';
import { type ApplicationRef, type Application, findSupersededApplication } from '../../lending/applications/store.ts';
import type { Query, Tx } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { hashOfCode, isCode } from '../../base/ids.ts';
import type { Instant } from '../../base/time.ts';
import { type Session, sessionOf, type StartedSession } from './session.ts';
import { type CheckoutRows, findCheckout, findCheckoutByCode, findCheckoutOfCart, lockCheckout } from './store.ts';

/** The application that a page was rendered for. Its forms may change only this application, while the session secret is unchanged. */
export type ShownApplication = ApplicationRef & Pick<Application, 'sessionHash'>;

/** Returns true if a change of the checkout is allowed. */
export type SessionRule = (session: StartedSession) => boolean;

/**
 * Returns the checkout of the application, current or superseded, whose session secret is one of `secrets`. Otherwise returns the link
 * session of the cart, which everyone can see. Undefined if the code is unknown.
 */
export async function findSession(
  query: Query,
  code: string,
  secrets: readonly string[],
  now: Instant,
): Promise<Session | undefined> {
  const rows = await findCheckoutByCode(query, code);
  if (!rows) return undefined;
  const { application: current } = rows;
  if (current && secrets.some((secret) => isSecretOf(secret, current.sessionHash))) return sessionOf(query, rows, 'buyer', now);
  // A superseded application has a successor, so that a cart without a current application has no superseded one.
  for (const secret of current ? secrets : []) {
    const application = await findSupersededApplication(query, rows.cart.id, hashOfCode(secret));
    if (application) return sessionOf(query, { ...rows, application }, 'buyer', now);
  }
  return sessionOf(query, rows, 'everyone', now);
}

/**
 * Returns the checkout of a cart's current application without checking a session secret. The caller verifies another one.
 *
 * @param code - Code of the cart's link: unknown input.
 */
export async function findCurrentSession(query: Query, code: string, now: Instant): Promise<StartedSession | undefined> {
  const rows = await findCheckoutByCode(query, code);
  const session = rows && (await sessionOf(query, rows, 'buyer', now));
  return session?.application && session;
}

/**
 * Returns the checkout of a cart without checking a session secret, for requests that the merchant authenticated.
 *
 * @throws ServiceError `cart-not-found`
 */
export async function sessionOfCart(query: Query, merchantId: string, cartId: string, now: Instant): Promise<Session> {
  const rows = await findCheckoutOfCart(query, merchantId, cartId);
  if (!rows) throw new ServiceError('cart-not-found', 'Cart ID was invalid');
  return sessionOf(query, rows, 'buyer', now);
}

/** Returns the checkout of an application. @throws ServiceError `cart-not-found` */
export async function getSession(query: Query, applicationId: string, now: Instant): Promise<StartedSession> {
  return startedSession(query, await findCheckout(query, applicationId), now);
}

/** Returns the checkout of an application and locks its cart. @throws ServiceError `cart-not-found` */
export async function lockSession(
  tx: Tx,
  { id, cartId }: Pick<ApplicationRef, 'id' | 'cartId'>,
  now: Instant,
): Promise<StartedSession> {
  return startedSession(tx, await lockCheckout(tx, cartId, id), now);
}

/**
 * Locks the checkout of an application that the browser was shown, and requires that `rule` allows the change.
 *
 * @throws ServiceError `cart-not-found`, or as `requireShown`
 */
export async function lockShownSession(
  tx: Tx,
  shown: ShownApplication,
  now: Instant,
  rule?: SessionRule,
): Promise<StartedSession> {
  const session = await lockSession(tx, shown, now);
  requireShown(session, shown, rule);
  return session;
}

/**
 * @throws ServiceError `cart-closed` - the checkout has continued in another browser, which replaced the secret, or is in a state that
 *   `rule` does not allow.
 */
export function requireShown(session: StartedSession, shown: ShownApplication, rule: SessionRule = () => true): void {
  const { state, application } = session;
  if (application.sessionHash !== shown.sessionHash) {
    throw new ServiceError('cart-closed', 'This checkout has continued in another browser.');
  }
  if (rule(session)) return;
  throw new ServiceError(
    'cart-closed',
    `Expected a checkout that allows this step, but its state is "${state}" and its application is ${application.status}.`,
  );
}

/** @throws ServiceError `cart-not-found` */
async function startedSession(query: Query, rows: CheckoutRows | undefined, now: Instant): Promise<StartedSession> {
  const session = rows && (await sessionOf(query, rows, 'buyer', now));
  if (!session?.application) throw new ServiceError('cart-not-found', 'This checkout is unknown.');
  return session;
}

/**
 * Returns true for a session secret. After a form with personal data, the checkout continues at an address with a secret of 128 random
 * bits, which only the response to that form contains. The database stores its hash.
 *
 * @see server/decisions/0008-checkout-links.md
 */
export function isSessionSecret(text: unknown): text is string {
  return typeof text === 'string' && isCode(text);
}

/**
 * Returns true if a secret is that of a session. Compares in constant time.
 *
 * @param hash - The stored hash; empty when no browser has the session.
 */
export function isSecretOf(secret: string, hash: string): boolean {
  const given = Buffer.from(hashOfCode(secret));
  const stored = Buffer.from(hash);
  return given.length === stored.length && timingSafeEqual(given, stored);
}
