import type { Language } from '../../../shared/languages/index.ts';
import { applicationConsents, consentsAt, consentsHash } from '../../agreements/consents.ts';
import { decisionDeadline } from '../../lending/applications/expiry.ts';
import { applicationStatusAfter } from '../../lending/applications/lifecycle.ts';
import {
  type ApplicationChanges,
  type Application,
  recentApplications,
  saveApplication,
} from '../../lending/applications/store.ts';
import type { BuyerClient } from '../../lending/applications/signature.ts';
import { ServiceError } from '../../base/errors.ts';
import { networksOf } from '../../http/rate-limit.ts';
import { newId } from '../../base/ids.ts';
import type { Applicant } from '../../lending/lenders/lender.ts';
import { uncountAttempts } from '../../http/attempts.ts';
import { texts } from '../../base/texts.ts';
import { type Instant, plusDays, DATABASE_NOW, dateIn } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { lockSession, requireShown, type ShownApplication } from '../session/load.ts';
import type { StartedSession } from '../session/session.ts';
import { canApply, hasDetails } from '../session/state.ts';
import { decisionContext, storeDecision } from '../decision/decide.ts';
import { countApplication, countSubmission, uncountSubmission } from '../decision/limits.ts';
import { askWithLease } from './lease.ts';
import { sent } from './lifecycle.ts';
import { awaitOutcome } from './look-up.ts';
import { lenderOrder } from './requests.ts';

export interface Submission {
  /** The language of the application and the hash of the next session secret; omitted values are not changed. */
  changes?: { language?: Language; sessionHash?: string };
  /** `consentsHash` of the page that was submitted; undefined without a page. */
  shownConsents?: string | undefined;
  /** The browser; null without one. */
  client?: BuyerClient | null;
}

/**
 * Requests a decision from the lender and stores it. The applicant's data is sent to the lender and not stored.
 *
 * The request is saved before it is sent, so that its decision can be retrieved later if the response is lost. The application stores
 * the program version and the day of its rates, so that a program imported meanwhile does not change them. Only one request is sent at
 * a time, however often the form is submitted.
 *
 * @returns The application with the decision. Undefined if another request was in progress, whose outcome was awaited instead, or if the
 *   outcome is still unknown.
 * @throws ServiceError `cart-closed` - the buyer cannot apply now; `rate-limited` - too many requests in this cart, from this client, about
 *   this person or for this recipient; `lender-unavailable` - the lender does not have the request; `not-configured` - the down payment
 *   cannot be collected; `changed-meanwhile` - the consents differ from what was shown, and must be shown again.
 */
export async function requestDecision(
  deps: CheckoutDeps,
  shown: ShownApplication,
  applicant: Applicant,
  now: Instant,
  { changes = {}, shownConsents, client = null }: Submission = {},
): Promise<Application | undefined> {
  const { database, lender, cards } = deps;
  const requestId = newId();
  const requested = await database.write(async (tx) => {
    const session = await lockSession(tx, shown, now);
    if (session.state === 'waiting') return undefined;
    requireShown(session, shown, (each) => canApply(each) && hasDetails(each.application));
    // Nothing would collect the down payment, so the lender is not asked, which could be an inquiry.
    if (!cards && session.portions.downPaymentCents > 0) {
      throw new ServiceError('not-configured', 'The program has a down payment, but no card gateway is configured.');
    }
    const language = changes.language ?? session.application.language;
    const shownNow = applicationConsents(session, texts[language]);
    if (shownConsents !== undefined && shownConsents !== consentsHash(shownNow)) {
      throw new ServiceError('changed-meanwhile', 'The consents of the application have changed since they were shown.');
    }
    const consents = consentsAt(shownNow, now);
    await countSubmission(tx, session.cart);
    const buyer = session.application.billingContact;
    const networks = client ? networksOf(client.ipAddress) : [];
    const counted = await countApplication(tx, deps, buyer, applicant, networks, now);
    // The lender receives the times at which the buyer applied in the last 24 hours.
    const earlierApplications = await recentApplications(tx, session.application, plusDays(now, -1));
    const application = await saveApplication(tx, session.application, {
      ...requestChanges(session, requestId, now),
      ...changes,
      consents,
    });
    return { session, counted, consents, application, earlierApplications };
  });
  if (!requested) {
    await awaitOutcome(database, shown.id, now);
    return undefined;
  }
  const { session, application, counted, consents, earlierApplications } = requested;
  const result = await askWithLease(deps, application, now, async () => {
    try {
      const decision = await lender.decide({
        ...decisionContext(session, requestId, cards),
        applicationId: application.id,
        contact: application.billingContact,
        applicant,
        language: application.language,
        consents,
        ...lenderOrder({ ...session, application }),
        client,
        earlierApplications,
      });
      return await storeDecision(deps, application, requestId, decision, now);
    } catch (thrown) {
      if (!(thrown instanceof ServiceError && thrown.code === 'lender-unavailable')) throw thrown;
      await storeDecision(deps, application, requestId, 'unknown', now);
      await uncountSubmission(database, application.cartId);
      await uncountAttempts(database, counted, now);
      // Returned, because storing the outcome has ended the lease, which `askWithLease` would release after an error.
      return thrown;
    }
  });
  if (result instanceof ServiceError) throw result;
  return result;
}

function requestChanges({ application, program }: StartedSession, requestId: string, now: Instant): ApplicationChanges {
  return {
    ...applicationStatusAfter('requestDecision', application.status, 'decision-pending'),
    requestId,
    submittedAt: application.submittedAt ?? now,
    ...sent(application, now),
    ...decisionDeadline(program, now),
    programVersion: program.version,
    approvedOn: dateIn(now, program.timeZone),
    updatedAt: DATABASE_NOW,
  };
}
