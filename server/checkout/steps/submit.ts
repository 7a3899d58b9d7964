import type { ApplicationRow } from '../../applications/store.ts';
import type { Instant } from '../../time.ts';
import { awaitOutcome } from '../decision/await.ts';
import { completed } from '../signing/complete.ts';
import { afterSigning, formSteps, type Submitted } from './index.ts';
import type { CheckoutMeans } from '../deps.ts';
import { resolveWaiting } from '../decision/resolve.ts';
import { type CompletedSession, isAt, type StartedSession } from '../session/session.ts';
import type { FormStepName } from '../session/progress.ts';
import type { Way } from '../web/way.ts';

/**
 * Takes a form that was posted to a step, if that step is open. Whoever sends again what a lender is being asked about waits for what
 * that leads to, and whoever signs again is led where the first signature led.
 *
 * @param body - As received: anything.
 * @returns `not-open` when the form was not taken.
 */
export async function submitForm(
  means: CheckoutMeans,
  session: StartedSession | CompletedSession,
  step: FormStepName,
  body: unknown,
  now: Instant,
  way: Way,
): Promise<Submitted | 'not-open'> {
  const isSentAgain = session.reached === 'waiting' && (step === 'apply' || step === 'agreement');
  const at = isSentAgain ? await outcomeOf(means, session.application, now) : session;
  if (step === 'agreement' && at.reached === 'completed') {
    return { leaveFor: afterSigning(completed(at, at.transactionId), means.mail, way) };
  }
  if (isSentAgain || !isAt(session, step)) return 'not-open';
  return formSteps[step].submit(means, session, body, now, way);
}

async function outcomeOf(means: CheckoutMeans, application: ApplicationRow, now: Instant) {
  await resolveWaiting(means, application, now);
  return awaitOutcome(means.database, application.id, now);
}
