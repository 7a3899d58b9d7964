import type { Outlet } from '../../notifications/outbox.ts';
import type { Session } from '../session/session.ts';
import { alreadyCompleted } from './completed.ts';
import { declined } from './declined.ts';
import { inProgress, signedOrBought, startedAgain } from './link.ts';
import { expired, type Outcome, unavailable } from './outcomes.ts';
import { cancelledByBuyer, needsAction, waiting } from './pending.ts';
import type { View } from '../web/view.ts';

/** How a checkout that has no form left presents itself. */
export function endPage(session: Session, outlet: Outlet, view: View): Outcome {
  const { reached } = session;
  if (reached === 'in-progress') return inProgress(session, view);
  if (reached === 'signed' || reached === 'bought') return signedOrBought(session, view);
  if (reached === 'superseded') return startedAgain(session, view);
  if (reached === 'waiting') return waiting(session, view);
  if (reached === 'needs-action') return needsAction(session, view);
  if (reached === 'declined') return declined(session, outlet, view);
  if (reached === 'cancelled') return cancelledByBuyer(session, view);
  if (reached === 'unavailable' || reached === 'excluded') return unavailable(session, view);
  return reached === 'completed' ? alreadyCompleted(session, outlet, view) : expired(session, view);
}
