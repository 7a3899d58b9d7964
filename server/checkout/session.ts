import type { Plan } from '../../shared/plan.ts';
import { plansFor } from '../../shared/plans.ts';
import type { CivilDate } from '../../shared/dates.ts';
import type { Program } from '../../shared/programs/program.ts';
import type { RateSheet } from '../../shared/programs/rate-sheet.ts';
import type { CartOptions, ShippingOption } from '../../shared/wire/cart.ts';
import { buyerOf } from '../applications/contact.ts';
import { type ApplicationRow, findApplicationOfCart } from '../applications/store.ts';
import { sheetOf } from '../as-low-as/parsed.ts';
import { findProgramOn, latestVersion } from '../as-low-as/programs.ts';
import { getVersion } from '../as-low-as/store.ts';
import { optionsOf } from '../carts/carts.ts';
import { type CartRow, findCartByCode, getCartOf } from '../carts/store.ts';
import { type CartTotals, cartTotals, preselectedShipping } from '../carts/totals.ts';
import type { Query } from '../db/database.ts';
import { ServiceError } from '../errors.ts';
import { getMerchant, type MerchantRow, originsOf } from '../merchants/store.ts';
import { dateOf, type Instant } from '../time.ts';
import type { PaymentAgreement } from './agreement.ts';
import { findDocumentCode } from './documents/store.ts';
import { type FormStepName, isOpen, type Step, stepReached } from './steps.ts';

/** All there is to know about one checkout link at one moment. */
export interface Session {
  cart: CartRow;
  options: CartOptions;
  merchant: MerchantRow;
  /** The merchant's registered origins. */
  origins: string[];
  /** The version the lender is asked about, or has decided about; before, the one that is sold on the day. */
  program: Program;
  application: ApplicationRow | undefined;
  shipping: ShippingOption | undefined;
  totals: CartTotals;
  /** What is lent of the total, and what is paid by card; all and nothing before a decision. */
  financedCents: number;
  cardCents: number;
  /** What the plans are worked out from, for the buyer's state once it is known. */
  sheet: RateSheet;
  /** The day of the prices: that of the approval, which holds its plans for as long as it lasts. */
  pricedOn: CivilDate;
  reached: Step;
  /** What the link to the buyer's copy ends with; undefined until they have signed, or when it was signed without one. */
  documentCode: string | undefined;
}

/** The checkout behind a link, or undefined when there is no such link. */
export async function findSession(query: Query, code: string, now: Instant): Promise<Session | undefined> {
  const found = await findCartByCode(query, code);
  if (!found) return undefined;
  const application = await findApplicationOfCart(query, found.id);
  // Outside a database transaction the checkout may have been completed between the two reads.
  const isLate = application?.status === 'CHECKOUT_COMPLETED' && found.status !== 'COMPLETED';
  const cart = isLate ? await getCartOf(query, found.id) : found;
  const merchant = await getMerchant(query, cart.merchant_id);
  const origins = await originsOf(query, merchant.id);
  const { program, isOver } = await programOf(query, cart, application, dateOf(now));
  const options = optionsOf(cart);
  const shipping = application
    ? options.shippingOptions?.find(({ typeId }) => typeId === application.shipping_type_id)
    : preselectedShipping(options);
  const totals = cartTotals(options, shipping);
  const buyer = application && buyerOf(application);
  const sheet = sheetOf(program, buyer?.state);
  const pricedOn = application?.approved_on ?? dateOf(now);
  const financedCents = application?.financed_cents ?? totals.totalCents;
  const cardCents = totals.totalCents - financedCents;
  const amounts = application ? [financedCents] : possibleTotals(options, totals);
  const isFinanceable = amounts.some((cents) => plansFor(sheet, cents, pricedOn).length > 0);
  const reached = stepReached(isOver ? { ...cart, status: 'EXPIRED' } : cart, application, isFinanceable, now);
  return {
    cart,
    options,
    merchant,
    origins,
    program,
    application,
    shipping,
    totals,
    financedCents,
    cardCents,
    sheet,
    pricedOn,
    reached,
    documentCode: reached === 'completed' && application ? await findDocumentCode(query, application.id) : undefined,
  };
}

/** What a cart may come to, in cents, before the buyer has picked how it is shipped. */
function possibleTotals(options: CartOptions, { totalCents }: CartTotals): number[] {
  return [totalCents, ...(options.shippingOptions ?? []).map((shipping) => cartTotals(options, shipping).totalCents)];
}

/** @throws ServiceError `cart-not-found` */
export async function getSession(query: Query, code: string, now: Instant): Promise<Session> {
  const session = await findSession(query, code, now);
  if (!session) throw new ServiceError('cart-not-found', 'This checkout link is unknown.');
  return session;
}

/** The program of a checkout, and whether it has ended before anything was decided: the link leads nowhere then. */
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

/**
 * The checkout behind a link, which must be open at `step`.
 *
 * @throws ServiceError `cart-not-found`, `cart-closed`
 */
export async function sessionAt(query: Query, code: string, step: FormStepName, now: Instant): Promise<Session> {
  const session = await getSession(query, code, now);
  if (!isOpen(step, session)) {
    throw new ServiceError('cart-closed', `This checkout is at the step "${session.reached}", not at "${step}".`);
  }
  return session;
}

/** The plans this buyer was approved for, the lowest monthly payment first; all of the program's before a decision. */
export function plansOf({ financedCents, application, sheet, pricedOn }: Session): Plan[] {
  const tierId = application?.tier_id;
  return plansFor(sheet, financedCents, pricedOn).filter((plan) => !tierId || plan.tierId === tierId);
}

/** The application of a checkout that is past its first step. @throws Error - it is not. */
export function applicationOf({ application, reached }: Pick<Session, 'application' | 'reached'>): ApplicationRow {
  if (!application) throw new Error(`A checkout without an application is at the step "${reached}".`);
  return application;
}

/** Whether anything is sold for the cart with this shipping to residents of a state. */
export function isSoldTo({ options, program, pricedOn }: Session, state: string, shippingTypeId: string | null): boolean {
  const shipping = options.shippingOptions?.find(({ typeId }) => typeId === shippingTypeId);
  return plansFor(sheetOf(program, state), cartTotals(options, shipping).totalCents, pricedOn).length > 0;
}

/** The plan the buyer chose last. */
export function chosenPlan(session: Session): Plan | undefined {
  return plansOf(session).find(({ offerId }) => offerId === session.application?.offer_id);
}

/** What the buyer signed, once they have. */
export function signedAgreement({ application }: Pick<Session, 'application'>): PaymentAgreement | undefined {
  return (JSON.parse(application?.payment_agreements_json ?? '[]') as PaymentAgreement[])[0];
}

/** Where a buyer goes when there is no financing: the merchant's `errorUrl` as it was written, or its store. */
export function errorUrlOf({ options, merchant }: Session): string {
  return options.errorUrl ?? merchant.store_url;
}

export function completeUrlOf({ options, merchant }: Session): string {
  return options.completeUrl ?? merchant.store_url;
}
