import { isAsked } from '../../applications/lifecycle.ts';
import { type ApplicationRow, saveApplication } from '../../applications/store.ts';
import { UnknownOutcome } from '../../lenders/lender.ts';
import { type Instant, plusMs } from '../../time.ts';
import { ASKING_MS, letOthersAsk } from './await.ts';
import { decideApplication } from './decide.ts';
import { type ApplicationName, lockSession } from '../session/load.ts';
import type { CheckoutMeans } from '../deps.ts';
import type { Session } from '../session/session.ts';
import { finishSigned } from '../signing/sign.ts';

/**
 * Finds out what became of a checkout that waits for a lender, unless whoever asked may still be at it: the decision about an
 * application, or whether a signed loan was accepted.
 *
 * @throws ServiceError `cart-not-found`
 */
export async function resolveWaiting(means: CheckoutMeans, name: ApplicationName, now: Instant): Promise<void> {
  const claimed = await claim(means, name, now);
  if (!claimed) return;
  if (claimed.application.status === 'ATTEMPTED_CHECKOUT') {
    await finishSigned(means, claimed.application, now);
    return;
  }

  const requestId = claimed.application.request_id!;
  try {
    const { program, purchase } = claimed.session;
    const answer = await means.lender.decisionOf({ requestId, program, amountCents: purchase.totals.totalCents });
    if (answer === 'undecided') throw new UnknownOutcome('The lender has not decided yet.');
    await decideApplication(means, name, requestId, answer, now);
  } catch (thrown) {
    await letOthersAsk(means.database, claimed.application, thrown, now);
    if (!(thrown instanceof UnknownOutcome)) throw thrown;
  }
}

/** A checkout that nobody else asks a lender about. */
interface Claimed {
  session: Session;
  application: ApplicationRow;
}

/** Keeps everybody else from it for a while, so that a lender is not asked by all at once. */
function claim({ database }: CheckoutMeans, name: ApplicationName, now: Instant): Promise<Claimed | undefined> {
  return database.write(async (tx) => {
    const session = await lockSession(tx, name, now);
    const { application } = session;
    const isWaiting = application.status === 'ATTEMPTED_CHECKOUT' || isAsked(application);
    if (!isWaiting || application.asked_until === null || application.asked_until > now) return undefined;
    return { session, application: await saveApplication(tx, { ...application, asked_until: plusMs(now, ASKING_MS) }) };
  });
}
