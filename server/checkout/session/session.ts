import type { Plan } from '../../../shared/plans.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { buyerOf } from '../../applications/contact.ts';
import type { ApplicationRow } from '../../applications/store.ts';
import { rateSheetOf } from '../../as-low-as/programs.ts';
import { optionsOf } from '../../carts/carts.ts';
import type { CartRow } from '../../carts/store.ts';
import { preselectedShipping } from '../../carts/totals.ts';
import type { MerchantRow } from '../../merchants/store.ts';
import { dateOf, type Instant } from '../../time.ts';
import { plansAt, type Prices, type Purchase, purchaseOf } from './purchase.ts';
import { linkState, type LinkState, type State, stateOf } from './state.ts';

/** Fields that every checkout has. */
interface Known {
  cart: CartRow;
  /** With its registered origins. */
  merchant: MerchantRow & { origins: string[] };
  /** The version that the lender decides about; before a request, the one that is in effect today. */
  program: Program;
  purchase: Purchase;
  prices: Prices;
  /** The financed part of the total, and the part that is paid by card: all and nothing before a decision. */
  parts: { financedCents: number; cardCents: number };
  /** The plans that the buyer is approved for, the lowest monthly payment first; all plans before a decision. */
  plans: Plan[];
}

/** What a cart's link shows to everyone: nothing about a buyer. */
export interface LinkSession extends Known {
  application: undefined;
  state: LinkState;
}

/** A checkout with an application. */
export interface StartedSession extends Known {
  application: ApplicationRow;
  state: Exclude<State, 'completed'>;
}

/** A checkout with a transaction. */
export interface CompletedSession extends Known {
  application: ApplicationRow;
  state: 'completed';
  transactionId: string;
  /** Code of the link to the buyer's document; undefined for agreements without one. */
  documentCode: string | undefined;
}

/** A checkout at one moment, as far as the requesting browser may see it. Discriminated by `application` and `state`. */
export type Session = LinkSession | StartedSession | CompletedSession;

/** The stored rows of a checkout. */
export interface Stored extends Pick<Known, 'cart' | 'merchant' | 'program'> {
  /** Whether the program ended before a decision: the link has expired then. */
  isOver: boolean;
}

/** Returns what the cart's link shows. Only the status of the current application is used. */
export function linkSessionOf(stored: Stored, current: Pick<ApplicationRow, 'status'> | undefined, now: Instant): LinkSession {
  const known = knownOf(stored, undefined, now);
  const { purchase, plans, prices } = known;
  const { options } = purchase;
  // Any shipping option may be chosen.
  const withShipping = (options.shippingOptions ?? []).map(({ typeId }) => purchaseOf(options, typeId).totals.totalCents);
  const isFinanceable = plans.length > 0 || withShipping.some((cents) => plansAt(prices, cents).length > 0);
  return { ...known, application: undefined, state: linkState(cartNow(stored), current, isFinanceable, now) };
}

/** Returns the checkout of an application. */
export function sessionOf(
  stored: Stored,
  application: ApplicationRow,
  documentCode: string | undefined,
  now: Instant,
): StartedSession | CompletedSession {
  const known = knownOf(stored, application, now);
  const state = stateOf(cartNow(stored), application, known.plans.length > 0, now);
  if (state !== 'completed') return { ...known, application, state };
  return { ...known, application, state, transactionId: stored.cart.transaction_id!, documentCode };
}

/** Returns the checkout after its application was saved, without reading it again. */
export function sessionAfter(
  { cart, merchant, program }: Session,
  application: ApplicationRow,
  now: Instant,
): StartedSession | CompletedSession {
  return sessionOf({ cart, merchant, program, isOver: false }, application, undefined, now);
}

function cartNow({ cart, isOver }: Stored): CartRow {
  return isOver ? { ...cart, status: 'EXPIRED' } : cart;
}

function knownOf({ cart, merchant, program }: Stored, application: ApplicationRow | undefined, now: Instant): Known {
  const options = optionsOf(cart);
  const shippingTypeId = application ? application.shipping_type_id : preselectedShipping(options)?.typeId;
  const purchase = purchaseOf(options, shippingTypeId);
  const { totalCents } = purchase.totals;
  const prices = {
    sheet: rateSheetOf(program, application && buyerOf(application).state),
    pricedOn: application?.approved_on ?? dateOf(now),
  };
  const financedCents = application?.financed_cents ?? totalCents;
  const parts = { financedCents, cardCents: totalCents - financedCents };
  const plans = plansAt(prices, financedCents, application?.tier_id);
  return { cart, merchant, program, purchase, prices, parts, plans };
}
