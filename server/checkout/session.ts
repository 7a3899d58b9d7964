import type { Plan } from '../../shared/plan.ts';
import type { Program } from '../../shared/programs/program.ts';
import { buyerOf } from '../applications/contact.ts';
import type { ApplicationRow } from '../applications/store.ts';
import { sheetOf } from '../as-low-as/parsed.ts';
import { optionsOf } from '../carts/carts.ts';
import type { CartRow } from '../carts/store.ts';
import { preselectedShipping } from '../carts/totals.ts';
import type { MerchantRow } from '../merchants/store.ts';
import { dateOf, type Instant } from '../time.ts';
import { type Prices, plansAt } from './prices.ts';
import { type Purchase, purchaseOf } from './purchase.ts';
import { firstStep, type FormStepName, isOpen, type Step, stepReached } from './steps.ts';

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

/** Nothing is known of the buyer yet. */
export interface NewSession extends Known {
  application: undefined;
  reached: ReturnType<typeof firstStep>;
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

/** All there is to know about one checkout link at one moment. What `reached` says tells what it has. */
export type Session = NewSession | StartedSession | CompletedSession;

/** What is stored of a checkout. */
export interface Stored extends Pick<Known, 'cart' | 'merchant' | 'program'> {
  /** Whether the program ended before anything was decided: the link leads nowhere then. */
  isOver: boolean;
  application: ApplicationRow | undefined;
  documentCode: string | undefined;
}

/** What follows from what is stored. */
export function sessionOf({ cart, merchant, program, isOver, application, documentCode }: Stored, now: Instant): Session {
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
  const known = { cart, merchant, program, purchase, prices, parts, plans };

  const link = isOver ? { ...cart, status: 'EXPIRED' as const } : cart;
  if (!application) {
    // Before the buyer has picked how it is shipped, any option may be the one that is financed.
    const withShipping = (options.shippingOptions ?? []).map(({ typeId }) => purchaseOf(options, typeId).totals.totalCents);
    const isFinanceable = plans.length > 0 || withShipping.some((cents) => plansAt(prices, cents).length > 0);
    return { ...known, application, reached: firstStep(link, isFinanceable, now) };
  }
  const reached = stepReached(link, application, plans.length > 0, now);
  if (reached !== 'completed') return { ...known, application, reached };
  return { ...known, application, reached, transactionId: cart.transaction_id!, documentCode };
}

/** What there is at a step with a form: past the details, an application. */
export type SessionAt<Name extends FormStepName> = Name extends 'details' ? NewSession | StartedSession : StartedSession;

/** Whether the buyer may be at a step: it is the one they have reached, or one that may be done again. */
export function isAt<Name extends FormStepName>(session: Session, step: Name): session is SessionAt<Name> {
  return isOpen(step, session.reached, session.parts);
}
