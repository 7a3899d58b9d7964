import type { ApplicationRow } from '../applications/store.ts';
import { cartStateAt } from '../carts/lifecycle.ts';
import type { CartRow } from '../carts/store.ts';
import type { Instant } from '../time.ts';

/** The steps with a form, in the order a buyer takes them. */
export const FORM_STEPS = ['details', 'apply', 'plans', 'agreement'] as const;
export type FormStepName = (typeof FORM_STEPS)[number];

/** Where a checkout can be: at a form, or at one of its ends. `excluded`: nothing is sold where the buyer says they live. */
export type Step = FormStepName | 'unavailable' | 'excluded' | 'declined' | 'expired' | 'completed';

/**
 * The step a checkout has reached. The pages lead there, wherever a buyer comes from: a second device, the back
 * button, a link opened twice.
 *
 * @param isFinanceable - Whether the program sells any plan for this amount, in the buyer's state once it is known.
 */
export function stepReached(cart: CartRow, application: ApplicationRow | undefined, isFinanceable: boolean, now: Instant): Step {
  const cartState = cartStateAt(cart, now);
  if (cartState === 'COMPLETED') return 'completed';
  if (application?.status === 'DENIED') return 'declined';
  if (application?.status === 'INELIGIBLE') return 'unavailable';
  if (cartState === 'EXPIRED') return 'expired';
  if (!application) return isFinanceable ? 'details' : 'unavailable';
  if (application.status === 'STARTED') return isFinanceable ? 'apply' : 'excluded';
  if (application.expires_at <= now) return 'expired';
  return application.status === 'APPROVED' ? 'plans' : 'agreement';
}

/**
 * Whether a buyer may look at a step, or do it again, having reached another: what is not decided or signed can be changed. An
 * excluded buyer may have meant another state.
 */
export function isOpen(step: FormStepName, reached: Step): boolean {
  if (step === reached) return true;
  return (step === 'details' && (reached === 'apply' || reached === 'excluded')) || (step === 'plans' && reached === 'agreement');
}

export function isFormStep(step: string): step is FormStepName {
  return (FORM_STEPS as readonly string[]).includes(step);
}
