import { keysOf } from '../../../shared/objects.ts';
import { MIN_CARD_CENTS } from '../../../shared/financing.ts';
import {
  approvalExpiry,
  cancelChanges,
  expiryChanges,
  incompleteExpiry,
  linkExpiry,
  undecidedReason,
} from '../../lending/applications/expiry.ts';
import {
  type ApprovalTerms,
  applicationStatusAfter,
  isDecisionPending,
  NO_LENDER_REQUEST,
} from '../../lending/applications/lifecycle.ts';
import { statusCodes } from '../../../shared/wire/status-codes.ts';
import { offerOf } from '../../lending/applications/offers.ts';
import {
  type ApplicationRef,
  type Application,
  type ApplicationChanges,
  saveApplication,
} from '../../lending/applications/store.ts';
import type { CreditDecision, DecisionFacts as SentFacts, DenialFacts } from '../../lending/lenders/lender.ts';
import type { DecisionContext } from '../../lending/lenders/responses.ts';
import type { NewException } from '../../lending/exceptions/store.ts';
import { newId } from '../../base/ids.ts';
import { type Instant, plusDays, DATABASE_NOW } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { forCoveredBorrower, plansAt, type Session, type StartedSession } from '../session/session.ts';
import { compareBureaus } from './raise-exception.ts';
import { changeStatus, type StatusChange } from './save-status.ts';
import { type DecisionFacts, decisionToStore, factsOf, storedDecision } from './stored-decision.ts';
import { type DenialReason, MAX_DENIAL_REASONS, NO_SOURCES } from '../../lending/applications/decision.ts';

/** The columns that identify a request to a lender, before one is sent. `NO_LENDER_REQUEST` has those of its attempts. */
export const NOT_REQUESTED = {
  requestId: null,
  programVersion: null,
  approvedOn: null,
  isCoveredBorrower: false,
} as const;

/**
 * Stores a lender's decision. If it is `unknown`, the lender does not have the request, and the buyer may apply again. A decision about
 * another request than the current one is ignored. A decision about an application that has ended, or that is past its deadline, is
 * recorded but not applied.
 *
 * @returns The application after the decision; undefined if its status did not change.
 */
export function storeDecision(
  deps: Pick<CheckoutDeps, 'database' | 'approvals' | 'mail' | 'onException'>,
  ref: ApplicationRef,
  requestId: string,
  decision: CreditDecision | 'unknown',
  now: Instant,
): Promise<Application | undefined> {
  const facts = decision === 'unknown' || decision.outcome === 'ineligible' ? {} : decision;
  return changeByLender(deps, ref, facts, now, async (session, tx) => {
    const { application } = session;
    if (application.requestId !== requestId) return undefined;
    if (!isDecisionPending(application)) {
      const recorded = application.decision;
      const isNew = recorded?.requestId !== requestId && recorded?.late?.requestId !== requestId;
      if (decision !== 'unknown' && isNew) await saveApplication(tx, application, late(application, requestId, decision, now));
      return undefined;
    }
    if (decision === 'unknown') return { changes: withoutRequest(session, application), event: null };
    // An invalid approval has no deadline, because it is not denied.
    if (application.expiresAt <= now && application.invalidOutcome !== 'approved') {
      const { changes, ...denied } = overdueDenial(session, application, now);
      return { ...denied, changes: { ...changes, ...late(changes, requestId, decision, now) } };
    }
    return decided(session, application, decision, deps.approvals, now);
  });
}

/** Changes the status by a response of the lender, whose credit bureaus are compared with the one that the pages name. */
async function changeByLender(
  deps: Pick<CheckoutDeps, 'database' | 'mail' | 'onException'>,
  ref: ApplicationRef,
  facts: SentFacts,
  now: Instant,
  changeOf: Parameters<typeof changeStatus>[3],
): Promise<Application | undefined> {
  const exceptionId = newId();
  let raised: NewException | undefined;
  const saved = await changeStatus(deps, ref, now, async (session, tx) => {
    const change = await changeOf(session, tx);
    raised = change && (await compareBureaus(tx, session, facts, { id: exceptionId, now }, deps.mail));
    return change;
  });
  if (raised) deps.onException(raised);
  return saved;
}

/**
 * Denies an application that the lender has not decided, in its name, and reports it to the lender. Does not change any other application.
 */
export async function denyUndecided(
  deps: Pick<CheckoutDeps, 'database' | 'mail'>,
  ref: ApplicationRef,
  reasons: readonly DenialReason[],
  now: Instant,
): Promise<void> {
  await changeStatus(deps, ref, now, ({ application }) =>
    isDecisionPending(application) ? denial(application, reasons, now) : undefined,
  );
}

/**
 * Denies a signed application whose loan the lender has withdrawn. Does not change any other application. Without reasons in the lender's
 * response, the notice states the right to ask for them.
 *
 * @param isReported - Whether the lender receives an event, because it has not responded and a person has recorded the rejection.
 */
export async function withdrawLoan(
  deps: Pick<CheckoutDeps, 'database' | 'mail' | 'onException'>,
  ref: ApplicationRef,
  response: WithdrawalFacts,
  now: Instant,
  isReported = false,
): Promise<void> {
  await changeByLender(deps, ref, response, now, ({ application }) =>
    application.status === 'ATTEMPTED_CHECKOUT' ? withdrawal(application, response, now, isReported) : undefined,
  );
}

/**
 * Denies a signed application whose loan the lender has withdrawn by an invalid response that is not corrected in time. The notice states the
 * right to ask for the reasons, and no score, because it is not known whether one was used. Does not change any other application.
 */
export function withdrawOverdue(
  deps: Pick<CheckoutDeps, 'database' | 'mail'>,
  ref: ApplicationRef,
  now: Instant,
): Promise<Application | undefined> {
  return changeStatus(deps, ref, now, ({ application }) => {
    const { status, invalidOutcome, warnAt } = application;
    const isOverdue = status === 'ATTEMPTED_CHECKOUT' && invalidOutcome === 'denied' && warnAt !== null && warnAt <= now;
    return isOverdue ? { ...withdrawal(application, { scoreUsed: false }, now, true), isInvalid: true } : undefined;
  });
}

type WithdrawalFacts = Pick<DecisionFacts, 'reasons'> & DenialFacts;

function withdrawal(
  application: Application,
  { reasons = ['other'], score, scoreUsed, sources }: WithdrawalFacts,
  now: Instant,
  isReported: boolean,
): StatusChange {
  const status = applicationStatusAfter('withdraw', application.status, 'withdrawn');
  // A response that states nothing about a score is based on the score of the approval, unless it states other sources. `sentHash` remains
  // that of the approval, which the lender may repeat.
  const { score: approved, sentHash } = storedDecision(application);
  const isUsed = scoreUsed !== false && (!sources || sources.reports.some(({ name }) => name === approved?.bureau.name));
  const facts = { reasons, score: score ?? (isUsed ? approved : null), sources, sentHash };
  const decision = decisionToStore(now, facts, application.requestId);
  const event = isReported ? ({ type: 'application-denied', reasons } as const) : null;
  return { changes: { ...status, ...NO_LENDER_REQUEST, decision, updatedAt: DATABASE_NOW }, event };
}

/** Returns the record of a decision that is not applied. */
function late(
  { decision: earlier }: Pick<Application, 'decision'>,
  requestId: string,
  decision: CreditDecision,
  now: Instant,
): Pick<Application, 'decision'> {
  return { decision: { ...(earlier ?? decisionToStore(now, {})), late: { at: now, requestId, decision } } };
}

/** Returns the application without the request, which the lender does not have. It ends if its cart has, unless it is incomplete. */
function withoutRequest({ cart, program, isCartOpen }: Session, application: Application): ApplicationChanges {
  const { status, decision } = application;
  const unanswered = { ...NOT_REQUESTED, ...NO_LENDER_REQUEST, updatedAt: DATABASE_NOW } as const;
  // An application that was decided before could be sent again only because it was incomplete.
  if (decision) {
    return {
      ...unanswered,
      ...applicationStatusAfter('withdrawRequest', status, 'incomplete'),
      expiresAt: incompleteExpiry(program, decision.at),
    };
  }
  const withdrawn = { ...unanswered, submittedAt: null };
  if (!isCartOpen && cart.status === 'EXPIRED') return { ...withdrawn, ...cancelChanges(application, 'by-merchant') };
  if (!isCartOpen) return { ...withdrawn, ...expiryChanges({ status, statusCode: statusCodes.STARTED.plain }) };
  return { ...withdrawn, ...applicationStatusAfter('withdrawRequest', status), expiresAt: linkExpiry(cart) };
}

/**
 * Returns what a lender needs to decide about a checkout, and `parseDecision` to validate the decision.
 *
 * @param cards - Without a card gateway, nothing can pay the part of the order that a lender does not approve.
 */
export function decisionContext(
  { program, pricing, purchase }: Pick<Session, 'program' | 'pricing' | 'purchase'>,
  requestId: string,
  cards: CheckoutDeps['cards'],
): DecisionContext {
  const { totalCents } = purchase.totals;
  return {
    requestId,
    program,
    amountCents: totalCents,
    partialApproval: cards !== undefined,
    hasPlan: (tierId, limitCents) => plansAt(pricing, financedOf(totalCents, limitCents), tierId).length > 0,
  };
}

/**
 * Returns the denial of an application without a valid decision on its last day: 12 CFR 1002.9(a)(1)(i). If the lender has not decided, it has
 * the reason of the program and is not based on a report. If the lender has denied it by an invalid response, the notice states no reason and
 * the right to ask for them: 12 CFR 1002.9(a)(2)(ii).
 */
export function overdueDenial({ program }: Pick<Session, 'program'>, application: Application, now: Instant) {
  if (application.invalidOutcome === 'denied') return { ...denial(application, ['other'], now), isInvalid: true };
  return denial(application, [undecidedReason(program)], now, { sources: NO_SOURCES });
}

/** Returns the denial of an application by the service, or by a person in its name, and the event that reports it to the lender. */
export function denial(
  { status }: Pick<Application, 'status'>,
  reasons: readonly DenialReason[],
  now: Instant,
  { requestId, ...facts }: DecisionFacts & { requestId?: string | null } = {},
) {
  const changes = {
    ...applicationStatusAfter('deny', status, statusReason(reasons[0])),
    ...NO_LENDER_REQUEST,
    approvedOn: null,
    decision: decisionToStore(now, { ...facts, reasons }, requestId),
    updatedAt: DATABASE_NOW,
  };
  return { changes, event: { type: 'application-denied', reasons } } as const;
}

/** Returns the changes of an application by a decision. An approval without a plan that can be sold is a denial because of credit. */
function decided(
  session: StartedSession,
  application: Application,
  decision: CreditDecision,
  approvals: ApprovalTerms,
  now: Instant,
): StatusChange {
  const { cart, purchase, program, isCartOpen } = session;
  const { totals } = purchase;
  const facts = factsOf(decision);
  const { requestId } = application;
  const { currency } = program;
  const { status } = application;
  // Without an event, because the lender has made the decision.
  const byLender = (changes: ApplicationChanges) => ({
    changes: {
      currency,
      decision: decisionToStore(now, facts, requestId),
      ...NO_LENDER_REQUEST,
      updatedAt: DATABASE_NOW,
      ...changes,
    },
    event: null,
  });
  if (decision.outcome === 'denied') {
    return byLender({ approvedOn: null, ...applicationStatusAfter('deny', status, statusReason(decision.reasons[0])) });
  }
  if (decision.outcome === 'needs-action') {
    return byLender({
      ...NOT_REQUESTED,
      ...applicationStatusAfter('requireAction', status, decision.action),
      expiresAt: incompleteExpiry(program, now),
    });
  }
  if (decision.outcome === 'ineligible') {
    return byLender({ approvedOn: null, ...applicationStatusAfter('rejectAmount', status, decision.reason) });
  }

  // A borrower whom the Military Lending Act protects.
  const { coveredBorrower: isCoveredBorrower = false } = decision;
  const pricing = isCoveredBorrower ? forCoveredBorrower(session.pricing) : session.pricing;
  const { totalCents } = totals;
  const financedCents = financedOf(totalCents, decision.limitCents);
  const isPartial = financedCents < totalCents;
  const plans = plansAt(pricing, financedCents, decision.tierId);
  const denied = (reasons: readonly DenialReason[]) => {
    const { changes, event } = denial(application, reasons, now, { ...facts, requestId });
    return { changes: { currency, ...changes }, event };
  };
  // Not enough credit, or a tier without plans, is adverse action: 12 CFR 1002.2(c)(1)(i).
  if (plans.length === 0) {
    const isAboveMilitaryCap = plansAt(session.pricing, financedCents, decision.tierId).length > 0;
    if (isAboveMilitaryCap) return denied(['military-rate-cap']);
    const added = isPartial ? 'limit' : 'tier';
    return denied([...(decision.reasons ?? []).filter((reason) => reason !== added).slice(0, MAX_DENIAL_REASONS - 1), added]);
  }
  const under = { programId: cart.programId, currency };
  const open = isPartial ? 'partial' : 'plain';
  const closed = isPartial ? 'order-closed-partial' : 'order-closed';
  return byLender({
    ...applicationStatusAfter('approve', status, isCartOpen ? open : closed),
    tierId: decision.tierId,
    financedCents,
    isCoveredBorrower,
    expiresAt: isCartOpen ? approvalExpiry(approvals, cart, now) : plusDays(now, approvals.approvalDays),
    offers: plans.map((plan) => offerOf(plan, under)),
  });
}

/** Returns the amount to finance: at most the lender's limit, and low enough that the card portion reaches the minimum. */
function financedOf(totalCents: number, limitCents: number | null): number {
  if (limitCents === null || limitCents >= totalCents) return totalCents;
  return Math.max(0, Math.min(limitCents, totalCents - MIN_CARD_CENTS));
}

/** Returns the reason of the status code: only some reasons have a code, and the others the code without a reason. */
function statusReason(reason: DenialReason | undefined): keyof typeof statusCodes.DENIED {
  return keysOf(statusCodes.DENIED).find((code) => code === reason) ?? 'plain';
}
