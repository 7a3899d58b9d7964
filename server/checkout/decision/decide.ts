import { LEAST_CARD_CENTS } from '../../cards/gateway.ts';
import { approvedUntil } from '../../applications/expiry.ts';
import { statusAfter } from '../../applications/lifecycle.ts';
import { type ApplicationRow, saveApplication } from '../../applications/store.ts';
import { newId } from '../../ids.ts';
import type { CreditDecision, DenialReason } from '../../lenders/lender.ts';
import type { Instant } from '../../time.ts';
import { saveDenied } from './adverse-action/save-denied.ts';
import { type ApplicationName, lockSession } from '../session/load.ts';
import type { CheckoutMeans } from '../deps.ts';
import { orderOf } from '../session/order.ts';
import { presentOffer } from '../session/present.ts';
import { plansAt } from '../session/prices.ts';
import type { Session } from '../session/session.ts';

/** What an application is asked under, while nobody is asked. */
export const NOT_ASKED = { request_id: null, asked_until: null, program_version: null, approved_on: null } as const;

/**
 * Stores what a lender said to a request, or that it knows of none: then the buyer may apply again. An answer to a request that
 * is not the one that is waited for is dropped.
 */
export async function decideApplication(
  { database, cards, approvals, mail }: Pick<CheckoutMeans, 'database' | 'cards' | 'approvals' | 'mail'>,
  name: ApplicationName,
  requestId: string,
  decision: CreditDecision | 'unknown',
  now: Instant,
): Promise<void> {
  const letterId = newId();
  await database.write(async (tx) => {
    const session = await lockSession(tx, name, now);
    const { application } = session;
    if (application.status !== 'STARTED' || application.request_id !== requestId) return;
    const until = approvedUntil(approvals, session.cart, now);
    const terms = { until, canPayByCard: cards !== undefined };
    const answered = decision === 'unknown' ? unasked(application) : decided(session, application, decision, terms);
    const after = { ...answered, asked_until: null, updated_at: now };
    await (after.status === 'DENIED' ? saveDenied(tx, session, after, mail, letterId) : saveApplication(tx, after));
  });
}

function unasked(application: ApplicationRow): ApplicationRow {
  return { ...application, ...statusAfter('unask', application.status), ...NOT_ASKED };
}

/** The application after the lender's answer. Being approved for terms nobody sells at this amount makes nobody eligible. */
function decided(
  session: Session,
  application: ApplicationRow,
  decision: CreditDecision,
  { until, canPayByCard }: { until: Instant; canPayByCard: boolean },
): ApplicationRow {
  const { cart, purchase, prices, program } = session;
  const { totals } = purchase;
  const common = {
    ...application,
    totals_json: JSON.stringify(totals),
    order_json: JSON.stringify(orderOf(purchase, program.currency)),
  };
  const { status } = application;
  const unapproved = { ...common, approved_on: null };
  if (decision.outcome === 'denied') {
    const [first = 'other'] = decision.reasons;
    const because = first === 'other' ? 'plain' : first;
    return { ...unapproved, ...statusAfter('deny', status, because), denial_reasons_json: reasonsJson(decision.reasons) };
  }
  if (decision.outcome === 'needs-action') {
    return { ...unapproved, ...NOT_ASKED, ...statusAfter('needAction', status, decision.action) };
  }
  const ineligible = { ...unapproved, ...statusAfter('exclude', status) };
  if (decision.outcome === 'ineligible') return ineligible;

  const { totalCents } = totals;
  const financedCents = lentOf(totalCents, decision.limitCents);
  const approved = {
    ...common,
    ...statusAfter('approve', status, financedCents < totalCents ? 'for-a-part' : 'plain'),
    tier_id: decision.tierId,
    financed_cents: financedCents,
    expires_at: until,
  };
  const plans = plansAt(prices, financedCents, decision.tierId);
  const isSold = plans.length > 0 && (financedCents === totalCents || canPayByCard);
  if (!isSold) return ineligible;
  const under = { programId: cart.program_id, currency: program.currency };
  return { ...approved, offers_json: JSON.stringify(plans.map((plan) => presentOffer(plan, under))) };
}

/** What is lent of the total: as much as the lender allows, and so much that a card can pay the rest. */
function lentOf(totalCents: number, limitCents: number | null): number {
  if (limitCents === null || limitCents >= totalCents) return totalCents;
  return Math.max(0, Math.min(limitCents, totalCents - LEAST_CARD_CENTS));
}

function reasonsJson(reasons: readonly DenialReason[]): string {
  return JSON.stringify(reasons.length > 0 ? reasons : ['other']);
}
