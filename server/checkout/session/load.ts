import type { Program } from '../../../shared/programs/program.ts';
import {
  type ApplicationRef,
  type Application,
  findApplication,
  findApplicationOfCart,
  findSupersededApplication,
} from '../../applications/store.ts';
import { type Cart, findCartByCode, getCartById, lockCartByCode, lockCartById } from '../../carts/store.ts';
import { type Query, together, type Tx } from '../../db/database.ts';
import { ServiceError } from '../../errors.ts';
import { getMerchantWithOrigins, type MerchantWithOrigins } from '../../merchants/store.ts';
import { findProgramOn, latestVersion } from '../../programs/programs.ts';
import { getVersion } from '../../programs/store.ts';
import type { Instant } from '../../time.ts';
import { isSecretOf, sessionHash } from './secret.ts';
import {
  type CompletedSession,
  type LinkSession,
  linkSessionOf,
  type Session,
  sessionOf,
  type StartedSession,
  type StoredCheckout,
} from './session.ts';

export type { ApplicationRef };

/** The application that a page was rendered for. Its forms may change only this application, while the session secret is unchanged. */
export type ShownApplication = ApplicationRef & Pick<Application, 'sessionHash'>;

/**
 * Returns the checkout of the application, current or superseded, whose session secret is `secret`. Otherwise returns the link session
 * of the cart, which everyone can see. Undefined if the code is unknown.
 */
export async function findSession(
  query: Query,
  code: string,
  secret: string | undefined,
  now: Instant,
): Promise<Session | undefined> {
  const cart = await findCartByCode(query, code);
  if (!cart) return undefined;
  const current = await findApplicationOfCart(query, cart.id);
  if (secret !== undefined && current && isSecretOf(secret, current.sessionHash))
    return startedSession(query, current, now, cart);
  const earlier = secret === undefined ? undefined : await findSupersededApplication(query, cart.id, sessionHash(secret));
  if (earlier) return startedSession(query, earlier, now, cart);
  return linkSessionOf(await storedCheckout(query, cart, undefined, now), current, now);
}

/** Returns the checkout of a cart without checking a session secret, for requests that the merchant authenticated. */
export async function sessionOfCart(query: Query, cart: Cart, now: Instant): Promise<Session> {
  const current = await findApplicationOfCart(query, cart.id);
  if (current) return startedSession(query, current, now, cart);
  return linkSessionOf(await storedCheckout(query, cart, undefined, now), current, now);
}

/**
 * Returns the link session of a cart, and locks the cart with all its applications until the database transaction ends.
 *
 * The lock is a separate statement, so that under READ COMMITTED the reads after it include the commits of the previous lock holder.
 *
 * @throws ServiceError `cart-not-found`
 */
export async function lockLinkSession(tx: Tx, code: string, now: Instant): Promise<LinkedCheckout> {
  return linkSession(tx, await lockCartByCode(tx, code), now);
}

/** The link session of a cart, and the current application of the cart, which the link does not show. */
export interface LinkedCheckout {
  session: LinkSession;
  current: Application | undefined;
}

async function linkSession(query: Query, cart: Cart | undefined, now: Instant): Promise<LinkedCheckout> {
  if (!cart) throw new ServiceError('cart-not-found', 'This checkout link is unknown.');
  const [current, stored] = await together(findApplicationOfCart(query, cart.id), storedCheckout(query, cart, undefined, now));
  return { session: linkSessionOf(stored, current, now), current };
}

/** Returns the checkout of an application. @throws ServiceError `cart-not-found` */
export async function getSession(query: Query, applicationId: string, now: Instant): Promise<StartedSession | CompletedSession> {
  const application = await findApplication(query, applicationId);
  if (!application) throw new ServiceError('cart-not-found', 'This checkout is unknown.');
  return startedSession(query, application, now);
}

/** Returns the checkout of an application and locks its cart. @throws ServiceError `cart-not-found` */
export async function lockSession(
  tx: Tx,
  { id, cartId, merchantId }: ApplicationRef,
  now: Instant,
): Promise<StartedSession | CompletedSession> {
  const [cart, application, merchant] = await together(
    lockCartById(tx, cartId),
    findApplication(tx, id),
    getMerchantWithOrigins(tx, merchantId),
  );
  if (!application) throw new ServiceError('cart-not-found', 'This checkout is unknown.');
  return startedSession(tx, application, now, cart, merchant);
}

/**
 * Locks the checkout of an application that the browser was shown.
 *
 * @throws ServiceError `cart-not-found`, or `cart-closed` - the checkout has continued in another browser, which replaced the secret.
 */
export async function lockShownSession(
  tx: Tx,
  shown: ShownApplication,
  now: Instant,
): Promise<StartedSession | CompletedSession> {
  const session = await lockSession(tx, shown, now);
  requireShown(session, shown);
  return session;
}

/** @throws ServiceError `cart-closed` - the checkout has continued in another browser, which replaced the secret. */
export function requireShown({ application }: StartedSession | CompletedSession, shown: ShownApplication): void {
  if (application.sessionHash === shown.sessionHash) return;
  throw new ServiceError('cart-closed', 'This checkout has continued in another browser.');
}

/** Returns true if a change of the checkout is allowed. */
export type SessionRule = (session: StartedSession) => boolean;

/**
 * Locks the checkout of an application that the browser was shown, and requires that `rule` allows the change.
 *
 * @throws ServiceError `cart-closed`
 */
export async function lockSessionIf(tx: Tx, shown: ShownApplication, rule: SessionRule, now: Instant): Promise<StartedSession> {
  const session = await lockShownSession(tx, shown, now);
  requireSession(session, rule);
  return session;
}

/** @throws ServiceError `cart-closed` - the checkout is in a state that `rule` does not allow. */
export function requireSession(session: StartedSession | CompletedSession, rule: SessionRule): asserts session is StartedSession {
  if (session.state !== 'completed' && rule(session)) return;
  const { state, application } = session;
  throw new ServiceError(
    'cart-closed',
    `Expected a checkout that allows this step, but its state is "${state}" and its application is ${application.status}.`,
  );
}

async function startedSession(
  query: Query,
  application: Application,
  now: Instant,
  loadedCart?: Cart,
  merchant?: MerchantWithOrigins,
): Promise<StartedSession | CompletedSession> {
  const isCompleted = application.status === 'CHECKOUT_COMPLETED';
  // Outside a database transaction, the cart may have been completed between the two reads.
  const isCurrent = loadedCart && (!isCompleted || loadedCart.status === 'COMPLETED');
  const cart = isCurrent ? loadedCart : await getCartById(query, application.cartId);
  const stored = await storedCheckout(query, cart, application, now, merchant);
  return sessionOf(stored, application, now);
}

async function storedCheckout(
  query: Query,
  cart: Cart,
  application: Application | undefined,
  now: Instant,
  loadedMerchant?: MerchantWithOrigins,
): Promise<StoredCheckout> {
  const [merchant, program] = await together(
    loadedMerchant ? Promise.resolve(loadedMerchant) : getMerchantWithOrigins(query, cart.merchantId),
    programOf(query, cart, application, now),
  );
  return { cart, merchant, ...program };
}

/** Returns the program of a checkout, and whether it ended before a decision. */
async function programOf(
  query: Query,
  { programId }: Cart,
  application: Application | undefined,
  now: Instant,
): Promise<{ program: Program; hasProgramEnded: boolean }> {
  const version = application?.programVersion;
  if (version) return { program: await getVersion(query, programId, version), hasProgramEnded: false };
  const program = await findProgramOn(query, programId, now);
  return program
    ? { program, hasProgramEnded: false }
    : { program: await latestVersion(query, programId), hasProgramEnded: true };
}
