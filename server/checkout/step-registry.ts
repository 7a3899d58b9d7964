import type { Instant } from '../time.ts';
import { awaitDecision } from './decision/await.ts';
import type { CheckoutDeps } from './session/deps.ts';
import type { CompletedSession, LinkSession, Session, StartedSession } from './session/session.ts';
import type { SigningClient } from '../agreements/agreement.ts';
import { resolveWaiting } from './signing/sign.ts';
import type { CheckoutUrls } from './web/urls.ts';
import { agreementStep } from './steps/agreement/submit.ts';
import { applicationStep } from './steps/application/submit.ts';
import { cardStep } from './steps/card/submit.ts';
import { detailsStep } from './steps/details/submit.ts';
import { planStep } from './steps/plan/submit.ts';
import type { Step, Submitted } from './steps/step.ts';

/** The steps of a checkout, in order. To add one, add its folder and its line here. */
export const steps: readonly Step[] = [detailsStep, applicationStep, planStep, cardStep, agreementStep];

export function findStep(name: string): Step | undefined {
  return steps.find((step) => step.name === name);
}

/** Returns the first step that the buyer has not done yet; undefined when the checkout is not at a form. */
export function currentStep(session: Session): Step | undefined {
  return session.state === 'open' ? openSteps(session).find((step) => !step.isDone(session)) : undefined;
}

/** Returns the name of the current step, or the state of a checkout that is not at a form. */
export function positionOf(session: Session): string {
  return currentStep(session)?.name ?? session.state;
}

/** Returns true if the buyer can take a step: it is the current one, or one that may be repeated. */
export function canTake(session: Session, step: Step): session is LinkSession | StartedSession {
  const open = openSteps(session);
  const index = open.indexOf(step);
  return index >= 0 && open.slice(0, index).every((earlier) => earlier.isDone(session));
}

function openSteps(session: Session): Step[] {
  return steps.filter((step) => step.appliesTo(session) && step.isOpen(session));
}

/**
 * Submits the form of a step, if the buyer can take it. A form that is submitted again while the lender decides waits for the decision;
 * an agreement that is signed again leads to the same page as the first signature.
 *
 * @returns `not-open` if the form was not submitted.
 */
export async function submitForm(
  deps: CheckoutDeps,
  session: StartedSession | CompletedSession,
  step: Step,
  body: unknown,
  now: Instant,
  urls: CheckoutUrls,
  client: SigningClient,
): Promise<Submitted | 'not-open'> {
  const isRepeated = session.state === 'waiting' && step.awaitsLender === true;
  if (isRepeated) await resolveWaiting(deps, session.application, now);
  const settled = isRepeated ? await awaitDecision(deps.database, session.application.id, now) : session;
  if (settled.state === 'completed' && step.resubmit) return step.resubmit(deps, settled, now, urls);
  if (isRepeated || session.state === 'completed' || !canTake(session, step)) return 'not-open';
  return step.submit(deps, session, body, now, urls, client);
}
