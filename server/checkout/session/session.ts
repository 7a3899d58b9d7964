import { type CivilDate, dateIn } from '../../../shared/dates.ts';
import { type Plan, plansFor } from '../../../shared/plans.ts';
import type { Program } from '../../../shared/programs/program.ts';
import type { RateSheet } from '../../../shared/programs/rate-sheet.ts';
import { extendedExpiry } from '../../lending/applications/expiry.ts';
import { type ApprovalTerms, isOpenApplication } from '../../lending/applications/lifecycle.ts';
import type { Application } from '../../lending/applications/store.ts';
import { cartStatusAt } from '../../purchases/carts/carts.ts';
import type { Cart } from '../../purchases/carts/store.ts';
import { preselectedShipping, type Purchase, purchaseOf } from '../../purchases/carts/totals.ts';
import type { Merchant } from '../../merchants/store.ts';
import { rateSheetOf } from '../../lending/programs/programs.ts';
import type { Instant } from '../../base/time.ts';
import type { CurrentLoan } from '../../purchases/transactions/loan.ts';
import { type Portions, portionsOf } from './portions.ts';
import { canSign, linkState, type LinkState, type State, checkoutState } from './state.ts';

/** Fields that every checkout has. */
interface SessionBase {
  cart: Cart;
  /** With its registered origins. */
  merchant: Merchant & { origins: string[] };
  /** The version of the request to the lender; before a request, the version in effect today. */
  program: Program;
  purchase: Purchase;
  pricing: Pricing;
  portions: Portions;
  /** The plans that the buyer is approved for, the lowest monthly payment first; all plans before a decision. */
  plans: Plan[];
  /** False if the cart has ended, so that nothing can be signed: the merchant expired it, its last day or its program has ended. */
  isCartOpen: boolean;
}

/** Rates and day for which plans are calculated. */
export interface Pricing {
  /** Rate sheet for the buyer's state; for all states before it is known. */
  sheet: RateSheet;
  /** Day of the approval, so that its plans do not change; today, in the program's time zone, if there is no approval. */
  pricedOn: CivilDate;
}

/** A checkout as its cart's link shows it to everyone, without data of a buyer. */
export interface LinkSession extends SessionBase {
  application: undefined;
  state: LinkState;
}

/** A checkout with an application. */
export interface StartedSession extends SessionBase {
  application: Application;
  state: Exclude<State, 'completed'>;
}

/** A checkout with a transaction. */
export interface CompletedSession extends SessionBase {
  application: Application;
  state: 'completed';
  transactionId: string;
  /** The loan after changes of the order. Read for pages. */
  loan?: CurrentLoan;
}

/** A checkout at an instant, with the data that the requesting browser may see. Discriminated by `application` and `state`. */
export type Session = LinkSession | StartedSession | CompletedSession;

/** The stored rows of a checkout. */
export interface StoredCheckout extends Pick<SessionBase, 'cart' | 'merchant' | 'program'> {
  /** True if the program ended before a decision. The link has then expired. */
  hasProgramEnded: boolean;
}

/** Returns what the cart's link shows. Only the state of the current application is used. */
export function linkSessionOf(stored: StoredCheckout, current: Application | undefined, now: Instant): LinkSession {
  const base = sessionBase(stored, undefined, now);
  const { purchase, plans, pricing } = base;
  const { options } = purchase;
  // Any shipping option may be chosen.
  const withShipping = (options.shippingOptions ?? []).map(({ typeId }) => purchaseOf(options, typeId).totals.totalCents);
  const isFinanceable = plans.length > 0 || withShipping.some((cents) => plansAt(pricing, cents).length > 0);
  return { ...base, application: undefined, state: linkState(currentCart(stored), current, isFinanceable, now) };
}

export function sessionOf(stored: StoredCheckout, application: Application, now: Instant): StartedSession | CompletedSession {
  const base = sessionBase(stored, application, now);
  const state = checkoutState(currentCart(stored), application, base.plans.length > 0, now);
  if (state !== 'completed') return { ...base, application, state };
  return { ...base, application, state, transactionId: stored.cart.transactionId! };
}

/** Returns the checkout after its application was saved, without reading it again. */
export function sessionAfter(
  { cart, merchant, program }: Session,
  application: Application,
  now: Instant,
): StartedSession | CompletedSession {
  return sessionOf({ cart, merchant, program, hasProgramEnded: false }, application, now);
}

function currentCart({ cart, hasProgramEnded }: StoredCheckout): Cart {
  return hasProgramEnded ? { ...cart, status: 'EXPIRED' } : cart;
}

function sessionBase(stored: StoredCheckout, application: Application | undefined, now: Instant): SessionBase {
  const { cart, merchant, program } = stored;
  const { options } = cart;
  const shippingTypeId = application ? application.shippingTypeId : preselectedShipping(options)?.typeId;
  const purchase = purchaseOf(options, shippingTypeId);
  const { totalCents } = purchase.totals;
  const regular = {
    sheet: rateSheetOf(program, application && application.billingContact.state),
    pricedOn: application?.approvedOn ?? dateIn(now, program.timeZone),
  };
  const pricing = application?.isCoveredBorrower ? forCoveredBorrower(regular) : regular;
  const approvedCents = application?.financedCents ?? totalCents;
  const portions = portionsOf({ program, purchase }, application);
  const plans = plansAt(pricing, approvedCents, application?.tierId);
  const isCartOpen = cartStatusAt(currentCart(stored), now) === 'OPEN';
  return { cart, merchant, program, purchase, pricing, portions, plans, isCartOpen };
}

/** Returns the pricing for a covered borrower, whose loans are always limited to a military APR of 36 %: 10 USC 987(b). */
export function forCoveredBorrower(pricing: Pricing): Pricing {
  const { caps } = pricing.sheet;
  if (caps.maprCapBps !== null) return pricing;
  return { ...pricing, sheet: { ...pricing.sheet, caps: { ...caps, maprCapBps: 3_600 } } };
}

/**
 * Returns the plans for an amount, the lowest monthly payment first.
 *
 * @param tierId - The tier that the buyer was approved for; if omitted, plans of all tiers.
 */
export function plansAt({ sheet, pricedOn }: Pricing, amountCents: number, tierId?: string | null): Plan[] {
  return plansFor(sheet, amountCents, pricedOn).filter((plan) => !tierId || plan.tierId === tierId);
}

/** Returns true if the buyer can cancel the application. */
export function isCancellable(session: Session): session is StartedSession {
  const { application, state } = session;
  return application !== undefined && state !== 'expired' && state !== 'closed' && isOpenApplication(application);
}

/** Returns until when the buyer can extend the approval, or undefined if they cannot. */
export function extendableUntil(session: Session, approvals: ApprovalTerms, now: Instant): Instant | undefined {
  const { application, cart } = session;
  return application && canSign(session) ? extendedExpiry(application, approvals, cart, now) : undefined;
}
