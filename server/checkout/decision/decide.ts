import { keysOf } from '../../../shared/objects.ts';
import { aprFraction } from '../../../shared/as-low-as.ts';
import { MIN_CARD_CENTS } from '../../../shared/financing.ts';
import type { Plan } from '../../../shared/plans.ts';
import type { Offer } from '../../../shared/wire/application.ts';
import { approvalExpiry } from '../../applications/expiry.ts';
import { statusAfter, statusCodes } from '../../applications/lifecycle.ts';
import type { Application } from '../../applications/store.ts';
import { newId } from '../../ids.ts';
import type { CreditDecision, CreditRequest } from '../../lenders/lender.ts';
import { type Instant, WRITE_TIME } from '../../time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { type ApplicationRef, lockSession } from '../session/load.ts';
import { type Session, forCoveredBorrower, plansAt } from '../session/session.ts';
import { saveAndEmail } from './decision-email.ts';
import { decisionToStore, factsOf } from './stored-decision.ts';
import { type DenialReason, MAX_DENIAL_REASONS } from '../../applications/decision.ts';

/** The columns of a request to a lender before one is sent. */
export const NOT_REQUESTED = {
  requestId: null,
  requestLeasedUntil: null,
  programVersion: null,
  approvedOn: null,
  isCoveredBorrower: false,
} as const;

/**
 * Stores a lender's decision. If it is `unknown`, the lender does not have the request, and the buyer may apply again. A decision about
 * another request than the current one is ignored.
 *
 * @returns The application with the decision; undefined when the decision was ignored.
 */
export async function storeDecision(
  { database, approvals, mail }: Pick<CheckoutDeps, 'database' | 'approvals' | 'mail'>,
  ref: ApplicationRef,
  requestId: string,
  decision: CreditDecision | 'unknown',
  now: Instant,
): Promise<Application | undefined> {
  const emailId = newId();
  return database.write(async (tx) => {
    const session = await lockSession(tx, ref, now);
    const { application } = session;
    if (application.status !== 'STARTED' || application.requestId !== requestId) return undefined;
    const until = approvalExpiry(approvals, session.cart, now);
    const decidedRow =
      decision === 'unknown' ? withoutRequest(application) : decided(session, application, decision, { until, now });
    const after = { ...decidedRow, requestLeasedUntil: null, updatedAt: WRITE_TIME };
    return saveAndEmail(tx, session, application, after, mail, emailId);
  });
}

function withoutRequest(application: Application): Application {
  return { ...application, ...statusAfter('withdrawRequest', application.status), ...NOT_REQUESTED };
}

/**
 * Returns what `parseDecision` requires to validate a decision about a checkout.
 *
 * @param cards - Without a card gateway, nothing can pay the part of the order that a lender does not approve.
 */
export function saleRules(
  { pricing, purchase }: Pick<Session, 'pricing' | 'purchase'>,
  cards: CheckoutDeps['cards'],
): Pick<CreditRequest, 'partialApproval' | 'hasPlan'> {
  const { totalCents } = purchase.totals;
  return {
    partialApproval: cards !== undefined,
    hasPlan: (tierId, limitCents) => plansAt(pricing, financedOf(totalCents, limitCents), tierId).length > 0,
  };
}

/** Returns the application after a decision. An approval without a plan that can be sold is a denial because of credit. */
function decided(
  session: Session,
  application: Application,
  decision: CreditDecision,
  { until, now }: { until: Instant; now: Instant },
): Application {
  const { cart, purchase, program } = session;
  const { totals } = purchase;
  const common = {
    ...application,
    currency: program.currency,
    decision: decisionToStore(now, factsOf(decision)),
  };
  const { status } = application;
  const unapproved = { ...common, approvedOn: null };
  const denied = (reasons: readonly DenialReason[]) => ({
    ...unapproved,
    ...statusAfter('deny', status, statusReason(reasons[0])),
    decision: decisionToStore(now, { ...factsOf(decision), reasons }),
  });
  if (decision.outcome === 'denied') return denied(decision.reasons);
  if (decision.outcome === 'needs-action') {
    return { ...unapproved, ...NOT_REQUESTED, ...statusAfter('requireAction', status, decision.action) };
  }
  if (decision.outcome === 'ineligible') return { ...unapproved, ...statusAfter('rejectAmount', status, decision.reason) };

  const { coveredBorrower: isCoveredBorrower = false } = decision;
  const pricing = isCoveredBorrower ? forCoveredBorrower(session.pricing) : session.pricing;
  const { totalCents } = totals;
  const financedCents = financedOf(totalCents, decision.limitCents);
  const approved = {
    ...common,
    ...statusAfter('approve', status, financedCents < totalCents ? 'partial' : 'plain'),
    tierId: decision.tierId,
    financedCents,
    isCoveredBorrower,
    expiresAt: until,
  };
  const plans = plansAt(pricing, financedCents, decision.tierId);
  // Not enough credit, or a tier without plans, is adverse action: 12 CFR 1002.2(c)(1)(i).
  if (plans.length === 0) {
    const isAboveMilitaryCap = plansAt(session.pricing, financedCents, decision.tierId).length > 0;
    if (isAboveMilitaryCap) return denied(['military-rate-cap']);
    const added = financedCents < totalCents ? 'limit' : 'tier';
    return denied([...(decision.reasons ?? []).filter((reason) => reason !== added).slice(0, MAX_DENIAL_REASONS - 1), added]);
  }
  const under = { programId: cart.programId, currency: program.currency };
  return { ...approved, offers: plans.map((plan) => presentOffer(plan, under)) };
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

/**
 * Returns a plan as the platform API presents it, without a card portion. Applications store it in this form (decisions/0030).
 *
 * @param under.programId - The platform API's `programID`.
 * @param under.currency - ISO 4217 code.
 */
export function presentOffer(plan: Plan, { programId, currency }: { programId: string; currency: string }): Offer {
  const { offerId, termLength, aprBps, financing, schedule, financeChargeCents } = plan;
  const money = (value: number) => ({ currency, value });
  return {
    id: offerId,
    programID: programId,
    termLength,
    termInterval: 'Month',
    apr: aprFraction(aprBps),
    monthly: money(schedule.levelPaymentCents),
    amountFinanced: money(financing.amountFinancedCents),
    totalOfPayments: money(schedule.totalOfPaymentsCents),
    financeCharge: money(financeChargeCents),
  };
}
