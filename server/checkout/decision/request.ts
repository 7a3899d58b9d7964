import type { Language } from '../../../shared/disclosure/texts.ts';
import { buyerOf } from '../../applications/contact.ts';
import { statusAfter } from '../../applications/lifecycle.ts';
import { type ApplicationRow, saveApplication } from '../../applications/store.ts';
import { ServiceError } from '../../errors.ts';
import { newId } from '../../ids.ts';
import { type Applicant, UnknownOutcome } from '../../lenders/lender.ts';
import { dateOf, type Instant, plusMs } from '../../time.ts';
import { ASKING_MS, awaitOutcome, letOthersAsk } from './await.ts';
import { decideApplication } from './decide.ts';
import type { CheckoutMeans } from '../deps.ts';
import { lockSession, requireShown, requireStep, type Shown } from '../session/load.ts';
import type { StartedSession } from '../session/session.ts';

/**
 * Asks the lender and stores the answer. What the buyer said about themselves goes to the lender and is not kept.
 *
 * That the lender is asked is written first: whatever becomes of the answer, it is known that there may be one. The answer is
 * about the version of the program, and the prices of the day, that the lender was asked about: the application keeps both,
 * whatever is imported meanwhile. While a lender is asked nobody else is, however often the form arrives.
 *
 * @param continued - The language the buyer applies in and the hash of the secret that the checkout continues under; left out, both
 *   stay as they are.
 * @returns Whether it was this application that the lender was asked about, and not one that was under way.
 * @throws ServiceError `cart-closed` - the checkout is not, or no longer, at this step; `lender-unavailable`
 */
export async function applyForCredit(
  means: CheckoutMeans,
  shown: Shown,
  applicant: Applicant,
  now: Instant,
  continued: { language?: Language; session_hash?: string } = {},
): Promise<boolean> {
  const { database, lender } = means;
  const requestId = newId();
  const requested = await database.write(async (tx) => {
    const session = await lockSession(tx, shown, now);
    if (session.reached === 'waiting') return undefined;
    requireShown(session, shown);
    requireStep(session, 'apply');
    return { session, asked: await saveApplication(tx, { ...askedUnder(session, requestId, now), ...continued }) };
  });
  if (!requested) {
    await awaitOutcome(database, shown.id, now);
    return false;
  }
  const { session, asked } = requested;
  try {
    const decision = await lender.decide({
      requestId,
      applicationId: asked.id,
      program: session.program,
      amountCents: session.purchase.totals.totalCents,
      contact: buyerOf(asked),
      applicant,
      language: asked.language,
    });
    await decideApplication(means, asked, requestId, decision, now);
  } catch (thrown) {
    if (thrown instanceof ServiceError && thrown.refusal === 'lender-unavailable') {
      await decideApplication(means, asked, requestId, 'unknown', now);
      throw thrown;
    }
    await letOthersAsk(database, asked, thrown, now);
    // Whether the lender has decided is found out later.
    if (!(thrown instanceof UnknownOutcome)) throw thrown;
  }
  return true;
}

function askedUnder({ application, program }: StartedSession, requestId: string, now: Instant): ApplicationRow {
  return {
    ...application,
    ...statusAfter('ask', application.status, 'lender-asked'),
    request_id: requestId,
    asked_until: plusMs(now, ASKING_MS),
    program_version: program.version,
    approved_on: dateOf(now),
    updated_at: now,
  };
}
