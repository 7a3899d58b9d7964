import type { Program } from '../../shared/programs/program.ts';
import type { CivilDate } from '../../shared/dates.ts';
import { type ApplicationRow, findApplicationOfCart } from '../applications/store.ts';
import { findProgramOn, latestVersion } from '../as-low-as/programs.ts';
import { getVersion } from '../as-low-as/store.ts';
import { type CartRow, findCartByCode, getCartOf, lockCartByCode } from '../carts/store.ts';
import { type Query, together, type Tx } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { getMerchantWithOrigins } from '../merchants/store.ts';
import { dateOf, type Instant } from '../time.ts';
import { findDocumentCode } from './documents/store.ts';
import { isAt, type Session, type SessionAt, sessionOf } from './session.ts';
import type { FormStepName } from './steps.ts';

/** The checkout behind a link, or undefined when there is no such link. */
export async function findSession(query: Query, code: string, now: Instant): Promise<Session | undefined> {
  const cart = await findCartByCode(query, code);
  return cart && loadSession(query, cart, now);
}

/** @throws ServiceError `cart-not-found` */
export async function getSession(query: Query, code: string, now: Instant): Promise<Session> {
  return required(await findSession(query, code, now));
}

/**
 * The checkout behind a link for a change: its cart, and with it everything of this checkout, stays locked until the database
 * transaction ends. The lock is a statement of its own, so that whatever is read after it is what the previous holder committed.
 *
 * @throws ServiceError `cart-not-found`
 */
export async function lockSession(tx: Tx, code: string, now: Instant): Promise<Session> {
  const cart = await lockCartByCode(tx, code);
  return required(cart && (await loadSession(tx, cart, now)));
}

/**
 * The same, for a checkout that must be open at `step`.
 *
 * @throws ServiceError `cart-not-found`, `cart-closed`
 */
export async function lockSessionAt<Name extends FormStepName>(
  tx: Tx,
  code: string,
  step: Name,
  now: Instant,
): Promise<SessionAt<Name>> {
  const session = await lockSession(tx, code, now);
  requireStep(session, step);
  return session;
}

/** @throws ServiceError `cart-closed` - the checkout is at another step, and `step` may not be repeated. */
export function requireStep<Name extends FormStepName>(session: Session, step: Name): asserts session is SessionAt<Name> {
  if (isAt(session, step)) return;
  throw new ServiceError('cart-closed', `This checkout is at the step "${session.reached}", not at "${step}".`);
}

function required(session: Session | undefined): Session {
  if (!session) throw new ServiceError('cart-not-found', 'This checkout link is unknown.');
  return session;
}

async function loadSession(query: Query, found: CartRow, now: Instant): Promise<Session> {
  const [application, merchant] = await together(
    findApplicationOfCart(query, found.id),
    getMerchantWithOrigins(query, found.merchant_id),
  );
  const isCompleted = application?.status === 'CHECKOUT_COMPLETED';
  // Without a lock, the checkout may have been completed between the two reads.
  const cart = isCompleted && found.status !== 'COMPLETED' ? await getCartOf(query, found.id) : found;
  const stored = {
    cart,
    merchant,
    ...(await programOf(query, cart, application, dateOf(now))),
    application,
    documentCode: isCompleted ? await findDocumentCode(query, application.id) : undefined,
  };
  return sessionOf(stored, now);
}

/** The program of a checkout, and whether it has ended before anything was decided. */
async function programOf(
  query: Query,
  { program_id: programId }: CartRow,
  application: ApplicationRow | undefined,
  today: CivilDate,
): Promise<{ program: Program; isOver: boolean }> {
  const decided = application?.program_version;
  if (decided) return { program: await getVersion(query, programId, decided), isOver: false };
  const program = await findProgramOn(query, programId, today);
  return program ? { program, isOver: false } : { program: await latestVersion(query, programId), isOver: true };
}
