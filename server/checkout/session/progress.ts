import type { ApplicationRow } from '../../applications/store.ts';
import { isAsked, statusCodes } from '../../applications/lifecycle.ts';
import { cartStateAt } from '../../carts/lifecycle.ts';
import type { CartRow } from '../../carts/store.ts';
import type { Instant } from '../../time.ts';

/** The steps with a form, in the order a buyer takes them. `card` is for those who pay a part by card. */
export const FORM_STEPS = ['details', 'apply', 'plans', 'card', 'agreement'] as const;
export type FormStepName = (typeof FORM_STEPS)[number];

/**
 * Where a checkout can be: at a form; waiting for what a lender says; asked to do something first; or at one of its ends.
 * `excluded`: nothing is sold where the buyer says they live. `superseded`: the checkout was started again, with another application.
 */
export type Step =
  | FormStepName
  | 'waiting'
  | 'needs-action'
  | 'unavailable'
  | 'excluded'
  | 'declined'
  | 'cancelled'
  | 'expired'
  | 'superseded'
  | 'completed';

/** Ends without a purchase after which nothing is left to read. The buyer is redirected to `errorUrl`; a denial shows its notice first. */
const FAILED: readonly string[] = ['unavailable', 'cancelled', 'expired'];

export function hasFailed({ reached }: { reached: string }): boolean {
  return FAILED.includes(reached);
}

/** What decides where a checkout is, beside the cart. */
type Progress = Pick<ApplicationRow, 'status' | 'status_code' | 'expires_at' | 'superseded_at'>;

/**
 * What a cart's link shows, which is the same to everyone: its first form while there is no application; otherwise whether an
 * application is `in-progress`, `signed`, or `bought`. How a lender decided, or whether the buyer has canceled, is not shown.
 */
export type LinkStep = 'details' | 'unavailable' | 'expired' | 'in-progress' | 'signed' | 'bought';

/**
 * The step that a cart's link shows.
 *
 * @param application - The cart's current one.
 * @param isFinanceable - Whether the program sells any plan for what the cart may come to.
 */
export function linkStep(
  cart: CartRow,
  application: Pick<Progress, 'status'> | undefined,
  isFinanceable: boolean,
  now: Instant,
): LinkStep {
  if (application?.status === 'CHECKOUT_COMPLETED') return 'bought';
  if (application?.status === 'ATTEMPTED_CHECKOUT') return 'signed';
  if (cartStateAt(cart, now) !== 'OPEN') return 'expired';
  if (application) return 'in-progress';
  return isFinanceable ? 'details' : 'unavailable';
}

/**
 * The step a checkout has reached. The pages lead there, wherever a buyer comes from: a second window, the back
 * button, a page opened twice.
 *
 * @param isFinanceable - Whether the program sells any plan for this amount in the buyer's state.
 */
export function stepReached(cart: CartRow, application: Progress, isFinanceable: boolean, now: Instant): Step {
  if (application.superseded_at !== null) return 'superseded';
  if (application.status === 'CHECKOUT_COMPLETED') return 'completed';
  const ended = endReached(application);
  if (ended) return ended;
  if (cartStateAt(cart, now) !== 'OPEN') return 'expired';
  if (application.status_code === statusCodes.INELIGIBLE['no-plan-in-state']) return 'excluded';
  if (application.expires_at <= now) return 'expired';
  return stepOfOpen(application, isFinanceable);
}

/** What no time changes any more. What was signed in time is not over because the lender has not answered yet. */
function endReached({ status, status_code }: Progress): Step | undefined {
  if (status === 'DENIED') return 'declined';
  if (status === 'INELIGIBLE') return status_code === statusCodes.INELIGIBLE.plain ? 'unavailable' : undefined;
  if (status === 'CANCELLED') return status_code === statusCodes.CANCELLED['by-buyer'] ? 'cancelled' : 'expired';
  if (status === 'EXPIRED') return 'expired';
  if (status === 'ATTEMPTED_CHECKOUT') return 'waiting';
  return undefined;
}

function stepOfOpen(application: Progress, isFinanceable: boolean): Step {
  if (application.status === 'STARTED') {
    if (isAsked(application)) return 'waiting';
    return isFinanceable ? 'apply' : 'excluded';
  }
  if (application.status === 'NEEDS_ACTION') return 'needs-action';
  if (application.status === 'APPROVED') return 'plans';
  return application.status === 'ATTEMPTED_PREPARE_CHECKOUT' ? 'card' : 'agreement';
}

/** Which forms are open beside the one that is reached: what is not decided or signed can be changed. */
const REOPENED: Partial<Record<Step | LinkStep, readonly FormStepName[]>> = {
  apply: ['details'],
  // They may have meant another state.
  excluded: ['details'],
  'needs-action': ['details', 'apply'],
  card: ['plans'],
  agreement: ['plans', 'card'],
};

/** Whether a buyer may look at a step, or do it again, having reached another. */
export function isOpen(step: FormStepName, reached: Step | LinkStep, { cardCents }: { cardCents: number }): boolean {
  if (step === reached) return true;
  return (REOPENED[reached]?.includes(step) ?? false) && (step !== 'card' || cardCents > 0);
}

export function isFormStep(step: string): step is FormStepName {
  return (FORM_STEPS as readonly string[]).includes(step);
}
