import type { CivilDate } from '../../../shared/dates.ts';
import { type Plan, plansFor } from '../../../shared/plans.ts';
import type { Program } from '../../../shared/programs/program.ts';
import type { RateSheet } from '../../../shared/programs/rate-sheet.ts';
import { extendedExpiry } from '../../lending/applications/expiry.ts';
import { type ApprovalTerms, isOpenApplication } from '../../lending/applications/lifecycle.ts';
import type { Application } from '../../lending/applications/store.ts';
import { cartStatusAt } from '../../purchases/carts/carts.ts';
import type { Cart } from '../../purchases/carts/store.ts';
import { preselectedShipping, type Purchase, purchaseOf } from '../../purchases/carts/totals.ts';
import { findProgramOn, rateSheetOf } from '../../lending/programs/programs.ts';
import { getVersion } from '../../lending/programs/store.ts';
import type { Query } from '../../db/database.ts';
import { type Instant, dateIn } from '../../base/time.ts';
import type { CurrentLoan } from '../../purchases/transactions/loan.ts';
import { type Portions, portionsOf } from './portions.ts';
import type { CheckoutRows } from './store.ts';
import { canSign, linkState, type LinkState, type State, checkoutState } from './state.ts';

/** The rows of a checkout, and the values that are derived from them. */
interface Checkout extends Omit<CheckoutRows, 'application'> {
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

/**
 * A checkout at an instant, with what the requesting browser may see. Its `state` tells the kinds apart, except `unavailable` and `expired`,
 * which a link and an application can be.
 */
export type Session = LinkSession | StartedSession;

/** A checkout as its cart's link shows it to everyone, without data of a buyer. */
export type LinkSession = Checkout & { state: LinkState; application: undefined };

/** A checkout with an application, for the browser of its buyer. */
export type StartedSession = Checkout & { application: Application } & (
    | { state: Exclude<State, 'completed'> }
    | {
        state: 'completed';
        transactionId: string;
        /** The loan after changes of the order. Read for pages. */
        loan?: CurrentLoan;
      }
  );

export type CompletedSession = Extract<StartedSession, { state: 'completed' }>;

/** Rates and day for which plans are calculated. */
export interface Pricing {
  /** Rate sheet for the buyer's state; for all states before it is known. */
  sheet: RateSheet;
  /** Day of the approval, so that its plans do not change; today, in the program's time zone, if there is no approval. */
  pricedOn: CivilDate;
}

/**
 * Returns the session of a checkout.
 *
 * @param viewer - `everyone`: what the cart's link shows, for which only the state of the application is used; `buyer`: all of it.
 */
export async function sessionOf(query: Query, rows: CheckoutRows, viewer: 'everyone' | 'buyer', now: Instant): Promise<Session> {
  const { cart, latestVersion } = rows;
  const { options, programId } = cart;
  const application = viewer === 'everyone' ? undefined : rows.application;
  const version = application?.programVersion;
  const sold = version ? await getVersion(query, programId, version) : await findProgramOn(query, programId, now, latestVersion);
  const program = sold ?? (await getVersion(query, programId, latestVersion));
  // If the program ended before a decision, the link has expired.
  const current: Cart = sold ? cart : { ...cart, status: 'EXPIRED' };
  const isCartOpen = cartStatusAt(current, now) === 'OPEN';

  const purchase = purchaseOf(options, application ? application.shippingTypeId : preselectedShipping(options)?.typeId);
  const regular = {
    sheet: rateSheetOf(program, application?.billingContact.state),
    pricedOn: application?.approvedOn ?? dateIn(now, program.timeZone),
  };
  const pricing = application?.isCoveredBorrower ? forCoveredBorrower(regular) : regular;
  const plans = plansAt(pricing, application?.financedCents ?? purchase.totals.totalCents, application?.tierId);
  const portions = portionsOf({ program, purchase }, application);
  const checkout = { ...rows, program, purchase, pricing, portions, plans, isCartOpen };

  if (!application) {
    // Any shipping option may be chosen.
    const withShipping = (options.shippingOptions ?? []).map(({ typeId }) => purchaseOf(options, typeId).totals.totalCents);
    const isFinanceable = plans.length > 0 || withShipping.some((cents) => plansAt(pricing, cents).length > 0);
    return { ...checkout, application, state: linkState(current, rows.application, isFinanceable, now) };
  }
  const state = checkoutState(current, application, plans.length > 0, now);
  if (state !== 'completed') return { ...checkout, application, state };
  return { ...checkout, application, state, transactionId: cart.transactionId! };
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
