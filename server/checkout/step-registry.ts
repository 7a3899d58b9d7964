import type { Session } from './session/session.ts';
import { agreementStep } from './steps/agreement.ts';
import { applicationStep } from './steps/application.ts';
import { cardStep } from './steps/card.ts';
import { detailsStep } from './steps/details/submit.ts';
import { planStep } from './steps/plan.ts';
import type { Step } from './steps/step.ts';

/** The steps of a checkout, in order. To add one, add its file and its line here. */
export const steps: readonly Step[] = [detailsStep, applicationStep, planStep, cardStep, agreementStep];

/** The step whose form starts an application at the cart's link. */
export const firstStep: Step = detailsStep;

export function findStep(name: string): Step | undefined {
  return steps.find((step) => step.name === name);
}

/** Returns the first step that the buyer has not done yet; undefined when the checkout is not at a form. */
export function currentStep(session: Session): Step | undefined {
  return session.state === 'open' || session.state === 'new'
    ? openSteps(session).find((step) => !step.isDone(session))
    : undefined;
}

/** Returns the name of the current step, or the state of a checkout that is not at a form. */
export function positionOf(session: Session): string {
  return currentStep(session)?.name ?? session.state;
}

/** Returns true if the form of a step can be submitted: of the current step, or of one that may be repeated. */
export function canSubmit(session: Session, step: Step): boolean {
  const open = openSteps(session);
  const index = open.indexOf(step);
  return index >= 0 && open.slice(0, index).every((earlier) => earlier.isDone(session));
}

function openSteps(session: Session): Step[] {
  return steps.filter((step) => step.appliesTo(session) && step.isOpen(session));
}
