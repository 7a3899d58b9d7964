import { buyerOf } from '../../applications/contact.ts';
import { approvalExpiry } from '../../applications/expiry.ts';
import { statusAfter } from '../../applications/lifecycle.ts';
import { type ApplicationRow, saveApplication } from '../../applications/store.ts';
import { MIN_CARD_CENTS } from '../../../shared/financing.ts';
import type { Tx } from '../../db/database.ts';
import { newId } from '../../ids.ts';
import type { CreditDecision, DenialReason } from '../../lenders/lender.ts';
import { enqueueMessage } from '../../notifications/outbox.ts';
import type { Instant } from '../../time.ts';
import type { CheckoutDeps, EmailOptions } from '../deps.ts';
import { type ApplicationRef, lockSession } from '../session/load.ts';
import { presentOffer } from '../session/present.ts';
import { plansAt } from '../session/purchase.ts';
import type { Session } from '../session/session.ts';
import { texts } from '../texts/index.ts';
import { adverseActionEmail, noticeOf } from './adverse-action.ts';

/** The columns of a request to a lender before one is sent. */
export const NOT_REQUESTED = { request_id: null, request_leased_until: null, program_version: null, approved_on: null } as const;

/**
 * Stores a lender's decision. If it is `unknown`, the lender does not have the request, and the buyer may apply again. A decision about
 * another request than the current one is ignored.
 *
 * @returns The application with the decision; undefined when the decision was ignored.
 */
export async function storeDecision(
  { database, cards, approvals, mail }: Pick<CheckoutDeps, 'database' | 'cards' | 'approvals' | 'mail'>,
  ref: ApplicationRef,
  requestId: string,
  decision: CreditDecision | 'unknown',
  now: Instant,
): Promise<ApplicationRow | undefined> {
  const emailId = newId();
  return database.write(async (tx) => {
    const session = await lockSession(tx, ref, now);
    const { application } = session;
    if (application.status !== 'STARTED' || application.request_id !== requestId) return undefined;
    const until = approvalExpiry(approvals, session.cart, now);
    const terms = { until, canPayByCard: cards !== undefined };
    const decidedRow = decision === 'unknown' ? withoutRequest(application) : decided(session, application, decision, terms);
    const after = { ...decidedRow, request_leased_until: null, updated_at: now };
    return after.status === 'DENIED' ? saveDenied(tx, session, after, mail, emailId) : saveApplication(tx, application, after);
  });
}

function withoutRequest(application: ApplicationRow): ApplicationRow {
  return { ...application, ...statusAfter('withdrawRequest', application.status), ...NOT_REQUESTED };
}

/** Returns the application after a decision. An approval without a plan for this amount makes it ineligible. */
function decided(
  session: Session,
  application: ApplicationRow,
  decision: CreditDecision,
  { until, canPayByCard }: { until: Instant; canPayByCard: boolean },
): ApplicationRow {
  const { cart, purchase, pricing, program } = session;
  const { totals } = purchase;
  const common = {
    ...application,
    currency: program.currency,
  };
  const { status } = application;
  const unapproved = { ...common, approved_on: null };
  if (decision.outcome === 'denied') {
    const [first = 'other'] = decision.reasons;
    const because = first === 'other' ? 'plain' : first;
    return { ...unapproved, ...statusAfter('deny', status, because), denial_reasons_json: reasonsJson(decision.reasons) };
  }
  if (decision.outcome === 'needs-action') {
    return { ...unapproved, ...NOT_REQUESTED, ...statusAfter('requireAction', status, decision.action) };
  }
  const ineligible = { ...unapproved, ...statusAfter('rejectAmount', status) };
  if (decision.outcome === 'ineligible') return ineligible;

  const { totalCents } = totals;
  const financedCents = financedOf(totalCents, decision.limitCents);
  const approved = {
    ...common,
    ...statusAfter('approve', status, financedCents < totalCents ? 'partial' : 'plain'),
    tier_id: decision.tierId,
    financed_cents: financedCents,
    expires_at: until,
  };
  const plans = plansAt(pricing, financedCents, decision.tierId);
  const isOffered = plans.length > 0 && (financedCents === totalCents || canPayByCard);
  if (!isOffered) return ineligible;
  const under = { programId: cart.program_id, currency: program.currency };
  return { ...approved, offers_json: JSON.stringify(plans.map((plan) => presentOffer(plan, under))) };
}

/** Returns the amount to finance: at most the lender's limit, and low enough that the card portion reaches the minimum. */
function financedOf(totalCents: number, limitCents: number | null): number {
  if (limitCents === null || limitCents >= totalCents) return totalCents;
  return Math.max(0, Math.min(limitCents, totalCents - MIN_CARD_CENTS));
}

function reasonsJson(reasons: readonly DenialReason[]): string {
  return JSON.stringify(reasons.length > 0 ? reasons : ['other']);
}

/**
 * Saves a denied application and enqueues the adverse action notice, in one database transaction. Without an e-mail sender only the
 * page shows the notice.
 */
export async function saveDenied(
  tx: Tx,
  session: Session,
  after: ApplicationRow,
  { handling }: Pick<EmailOptions, 'handling'>,
  emailId: string,
): Promise<ApplicationRow> {
  const denied = await saveApplication(tx, session.application!, after);
  if (handling === 'rejected') return denied;
  const buyer = buyerOf(denied);
  await enqueueMessage(tx, {
    id: emailId,
    merchantId: session.merchant.id,
    handling,
    createdAt: denied.updated_at,
    channel: 'email',
    to: buyer.email,
    content: adverseActionEmail(noticeOf(session, denied), buyer, texts[denied.language], handling),
  });
  return denied;
}
