import type { Plan } from '../../../shared/plan.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { buyerOf } from '../../applications/contact.ts';
import type { ApplicationRow } from '../../applications/store.ts';
import { sheetOf } from '../../as-low-as/parsed.ts';
import { optionsOf } from '../../carts/carts.ts';
import type { CartRow } from '../../carts/store.ts';
import { preselectedShipping } from '../../carts/totals.ts';
import type { MerchantRow } from '../../merchants/store.ts';
import { dateOf, type Instant } from '../../time.ts';
import { type Prices, plansAt } from './prices.ts';
import { type Purchase, purchaseOf } from './purchase.ts';
import { type FormStepName, isOpen, linkStep, type LinkStep, type Step, stepReached } from './progress.ts';

/** What is known of every checkout. */
interface Known {
  cart: CartRow;
  /** With its registered origins. */
  merchant: MerchantRow & { origins: string[] };
  /** The version the lender is asked about, or has decided about; before, the one that is sold on the day. */
  program: Program;
  purchase: Purchase;
  prices: Prices;
  /** What is lent of the total, and what is paid by card; all and nothing before a decision. */
  parts: { financedCents: number; cardCents: number };
  /** The plans this buyer was approved for, the lowest monthly payment first; all of the program's before a decision. */
  plans: Plan[];
}

/** What everyone who has the cart's link may see: nothing of a buyer, whether there is one or not. */
export interface LinkSession extends Known {
  application: undefined;
  reached: LinkStep;
}

/** The buyer has said who they are. */
export interface StartedSession extends Known {
  application: ApplicationRow;
  reached: Exclude<Step, 'completed'>;
}

/** There is a transaction. */
export interface CompletedSession extends Known {
  application: ApplicationRow;
  reached: 'completed';
  transactionId: string;
  /** What the link to the buyer's copy ends with; undefined when it was signed without one. */
  documentCode: string | undefined;
}

/** A checkout at one moment, as far as the browser that asks may see it. What `reached` says tells what it has. */
export type Session = LinkSession | StartedSession | CompletedSession;

/** What is stored of a cart's checkout, with an application or without. */
export interface Stored extends Pick<Known, 'cart' | 'merchant' | 'program'> {
  /** Whether the program ended before anything was decided: the link leads nowhere then. */
  isOver: boolean;
}

/** What the cart's link shows. Of the current application, only the status counts. */
export function linkSessionOf(stored: Stored, current: Pick<ApplicationRow, 'status'> | undefined, now: Instant): LinkSession {
  const known = knownOf(stored, undefined, now);
  const { purchase, plans, prices } = known;
  const { options } = purchase;
  // Before the buyer has picked how it is shipped, any option may be the one that is financed.
  const withShipping = (options.shippingOptions ?? []).map(({ typeId }) => purchaseOf(options, typeId).totals.totalCents);
  const isFinanceable = plans.length > 0 || withShipping.some((cents) => plansAt(prices, cents).length > 0);
  return { ...known, application: undefined, reached: linkStep(cartNow(stored), current, isFinanceable, now) };
}

/** The checkout of an application. */
export function sessionOf(
  stored: Stored,
  application: ApplicationRow,
  documentCode: string | undefined,
  now: Instant,
): StartedSession | CompletedSession {
  const known = knownOf(stored, application, now);
  const reached = stepReached(cartNow(stored), application, known.plans.length > 0, now);
  if (reached !== 'completed') return { ...known, application, reached };
  return { ...known, application, reached, transactionId: stored.cart.transaction_id!, documentCode };
}

/** The same checkout after its application was saved, without reading it again. */
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

/** What follows from what is stored. */
function knownOf({ cart, merchant, program }: Stored, application: ApplicationRow | undefined, now: Instant): Known {
  const options = optionsOf(cart);
  const shippingTypeId = application ? application.shipping_type_id : preselectedShipping(options)?.typeId;
  const purchase = purchaseOf(options, shippingTypeId);
  const { totalCents } = purchase.totals;
  const prices = {
    sheet: sheetOf(program, application && buyerOf(application).state),
    pricedOn: application?.approved_on ?? dateOf(now),
  };
  const financedCents = application?.financed_cents ?? totalCents;
  const parts = { financedCents, cardCents: totalCents - financedCents };
  const plans = plansAt(prices, financedCents, application?.tier_id);
  return { cart, merchant, program, purchase, prices, parts, plans };
}

/** What there is at a step with a form: past the details, an application. */
export type SessionAt<Name extends FormStepName> = Name extends 'details' ? LinkSession | StartedSession : StartedSession;

/** Whether the buyer may be at a step: it is the one they have reached, or one that may be done again. */
export function isAt<Name extends FormStepName>(session: Session, step: Name): session is SessionAt<Name> {
  return isOpen(step, session.reached, session.parts);
}
