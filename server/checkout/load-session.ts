import type { Program } from '../../shared/programs/program.ts';
import type { CivilDate } from '../../shared/dates.ts';
import { type ApplicationRow, findApplicationOfCart } from '../applications/store.ts';
import { findProgramOn, latestVersion } from '../as-low-as/programs.ts';
import { getVersion } from '../as-low-as/store.ts';
import { type CartRow, findCartByCode, getCartOf } from '../carts/store.ts';
import type { Query } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { getMerchant, originsOf } from '../merchants/store.ts';
import { dateOf, type Instant } from '../time.ts';
import { findDocumentCode } from './documents/store.ts';
import { isAt, type Session, type SessionAt, sessionOf } from './session.ts';
import type { FormStepName } from './steps.ts';

/** The checkout behind a link, or undefined when there is no such link. */
export async function findSession(query: Query, code: string, now: Instant): Promise<Session | undefined> {
  const found = await findCartByCode(query, code);
  if (!found) return undefined;
  const application = await findApplicationOfCart(query, found.id);
  const isCompleted = application?.status === 'CHECKOUT_COMPLETED';
  // Outside a database transaction the checkout may have been completed between the two reads.
  const cart = isCompleted && found.status !== 'COMPLETED' ? await getCartOf(query, found.id) : found;
  const merchant = await getMerchant(query, cart.merchant_id);
  const origins = await originsOf(query, merchant.id);
  const stored = {
    cart,
    merchant: { ...merchant, origins },
    ...(await programOf(query, cart, application, dateOf(now))),
    application,
    documentCode: isCompleted ? await findDocumentCode(query, application.id) : undefined,
  };
  return sessionOf(stored, now);
}

/** @throws ServiceError `cart-not-found` */
export async function getSession(query: Query, code: string, now: Instant): Promise<Session> {
  const session = await findSession(query, code, now);
  if (!session) throw new ServiceError('cart-not-found', 'This checkout link is unknown.');
  return session;
}

/**
 * The checkout behind a link, which must be open at `step`.
 *
 * @throws ServiceError `cart-not-found`, `cart-closed`
 */
export async function sessionAt<Name extends FormStepName>(
  query: Query,
  code: string,
  step: Name,
  now: Instant,
): Promise<SessionAt<Name>> {
  const session = await getSession(query, code, now);
  if (isAt(session, step)) return session;
  throw new ServiceError('cart-closed', `This checkout is at the step "${session.reached}", not at "${step}".`);
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
