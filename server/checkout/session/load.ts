import {
  type ApplicationRef,
  type Application,
  findApplicationOfCart,
  findSupersededApplication,
} from '../../lending/applications/store.ts';
import type { Query, Tx } from '../../db/database.ts';
import { ServiceError } from '../../base/errors.ts';
import { findProgramOn } from '../../lending/programs/programs.ts';
import { getVersion } from '../../lending/programs/store.ts';
import type { Instant } from '../../base/time.ts';
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
import {
  type CheckoutRows,
  findCheckout,
  findCheckoutByCode,
  findCheckoutOfCart,
  type LinkRows,
  lockCheckout,
  lockLink,
} from './store.ts';

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
  const rows = await findCheckoutByCode(query, code);
  if (!rows) return undefined;
  const { application: current } = rows;
  if (secret === undefined) return linkSession(query, rows, current, now);
  if (current && isSecretOf(secret, current.sessionHash)) return startedSession(query, { ...rows, application: current }, now);
  // Another application replaces a superseded one, so that a cart without a current one has none.
  const earlier = current && (await findSupersededApplication(query, rows.cart.id, sessionHash(secret)));
  return earlier ? startedSession(query, { ...rows, application: earlier }, now) : linkSession(query, rows, current, now);
}

/**
 * Returns the checkout of a cart without checking a session secret, for requests that the merchant authenticated.
 *
 * @throws ServiceError `cart-not-found`
 */
export async function sessionOfCart(query: Query, merchantId: string, cartId: string, now: Instant): Promise<Session> {
  const rows = await findCheckoutOfCart(query, merchantId, cartId);
  if (!rows) throw new ServiceError('cart-not-found', 'Cart ID was invalid');
  const { application } = rows;
  return application ? startedSession(query, { ...rows, application }, now) : linkSession(query, rows, undefined, now);
}

/**
 * Returns the link session of a cart, and locks the cart with all its applications until the database transaction ends.
 *
 * The lock is a separate statement, so that under READ COMMITTED the reads after it include the commits of the previous lock holder.
 *
 * @throws ServiceError `cart-not-found`
 */
export async function lockLinkSession(tx: Tx, code: string, now: Instant): Promise<LinkedCheckout> {
  const rows = await lockLink(tx, code);
  if (!rows) throw new ServiceError('cart-not-found', 'This checkout link is unknown.');
  const current = await findApplicationOfCart(tx, rows.cart.id);
  return { session: await linkSession(tx, rows, current, now), current };
}

/** The link session of a cart, and the current application of the cart, which the link does not show. */
export interface LinkedCheckout {
  session: LinkSession;
  current: Application | undefined;
}

/** Returns the checkout of an application. @throws ServiceError `cart-not-found` */
export async function getSession(query: Query, applicationId: string, now: Instant): Promise<StartedSession | CompletedSession> {
  return startedSession(query, await findCheckout(query, applicationId), now);
}

/** Returns the checkout of an application and locks its cart. @throws ServiceError `cart-not-found` */
export async function lockSession(
  tx: Tx,
  { id, cartId }: Pick<ApplicationRef, 'id' | 'cartId'>,
  now: Instant,
): Promise<StartedSession | CompletedSession> {
  return startedSession(tx, await lockCheckout(tx, cartId, id), now);
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
  requireState(session, rule);
  return session;
}

/** @throws ServiceError `cart-closed` - the checkout is in a state that `rule` does not allow. */
export function requireState(session: StartedSession | CompletedSession, rule: SessionRule): asserts session is StartedSession {
  if (session.state !== 'completed' && rule(session)) return;
  const { state, application } = session;
  throw new ServiceError(
    'cart-closed',
    `Expected a checkout that allows this step, but its state is "${state}" and its application is ${application.status}.`,
  );
}

async function linkSession(query: Query, rows: LinkRows, current: Application | undefined, now: Instant): Promise<LinkSession> {
  return linkSessionOf(await storedCheckout(query, rows, undefined, now), current, now);
}

/** @throws ServiceError `cart-not-found` */
async function startedSession(
  query: Query,
  rows: CheckoutRows | undefined,
  now: Instant,
): Promise<StartedSession | CompletedSession> {
  if (!rows) throw new ServiceError('cart-not-found', 'This checkout is unknown.');
  const { application } = rows;
  return sessionOf(await storedCheckout(query, rows, application, now), application, now);
}

/** Adds the program of a checkout, and whether it ended before a decision. */
async function storedCheckout(
  query: Query,
  { cart, merchant, latestVersion }: LinkRows,
  application: Application | undefined,
  now: Instant,
): Promise<StoredCheckout> {
  const { programId } = cart;
  const version = application?.programVersion;
  const program = version
    ? await getVersion(query, programId, version)
    : await findProgramOn(query, programId, now, latestVersion);
  if (program) return { cart, merchant, program, hasProgramEnded: false };
  return { cart, merchant, program: await getVersion(query, programId, latestVersion), hasProgramEnded: true };
}
