import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/languages/texts.ts';
import { financeableCents } from '../../../shared/plans.ts';
import { POSTAL_STATES } from '../../../shared/wire/us-states.ts';
import { expiryChanges } from '../../lending/applications/expiry.ts';
import { isFinallyIneligible, isOpenApplication } from '../../lending/applications/lifecycle.ts';
import { statusCodes } from '../../../shared/wire/status-codes.ts';
import type { Application } from '../../lending/applications/store.ts';
import type { Html } from '../../http/pages/html.ts';
import type { MessageHandling } from '../../messages/outbox.ts';
import { emptyForm } from '../../http/pages/elements.ts';
import { leadPage, type PageContent } from '../../http/pages/page.ts';
import type { Texts } from '../../base/texts.ts';
import { endBlock, whyIneligible } from '../decision/decision-email.ts';
import type { Session } from '../session/session.ts';
import { type Departure, failureLink, linkOfStaying, payAnotherWay } from '../web/notify-opener.ts';
import type { View } from '../web/urls.ts';
import { alreadyCompleted, closed, declined, inProgress, needsAction, signedOrBought, startedAgain, waiting } from './pages.ts';

/** The page of an outcome; a failure after the buyer submitted a form leads to the shop by itself. */
type OutcomePage = PageContent & Departure;

/**
 * Returns the page of a checkout that is not at a step.
 *
 * @param form - The form of the code that opens the signed copy.
 */
export function outcomePage(session: Session, handling: MessageHandling, view: View, form = emptyForm()): OutcomePage {
  switch (session.state) {
    case 'in-progress':
      return inProgress(session, view);
    case 'signed':
    case 'bought':
      return signedOrBought(session, view);
    case 'superseded':
      return startedAgain(session, view);
    case 'waiting':
      return waiting(session, handling, view);
    case 'needs-action':
      return needsAction(session, view);
    case 'closed':
      return closed(session, view);
    case 'declined':
      return declined(session, handling, view);
    case 'cancelled':
      return failed(view.t.canceled, session, view);
    case 'unavailable':
    case 'excluded':
      return unavailable(session, view);
    case 'completed':
      return alreadyCompleted(session, handling, view, form);
    case 'expired':
      return session.application
        ? leaving(endOf(session, session.application, view.t), linkOfStaying(session, view, 'return'))
        : failed(view.t.expired, session, view);
    case 'ended':
      return failed(view.t.ended, session, view);
    case 'new':
    case 'open':
      break;
  }
  throw new Error('An open checkout shows the form of its current step.');
}

function unavailable(session: Session, view: View): OutcomePage {
  const { t, urls } = view;
  const { title, nothingBought, nothingCharged, changeDetails } = t.unavailable;
  const lead = `${whyUnavailable(session, t)} ${session.application ? nothingCharged : nothingBought}`;
  if (session.state === 'unavailable' && session.application) {
    return leaving({ title, lead }, linkOfStaying(session, view, 'payAnotherWay'));
  }
  // No plan is sold in the buyer's state, which may be corrected.
  const canChangeDetails = session.state === 'excluded';
  return leadPage(
    { title, lead },
    html`${canChangeDetails ? html`<p class="actions"><a class="button" href="${urls.to('details')}">${changeDetails}</a></p>` : nothing}
    ${payAnotherWay(session, view)}`,
  );
}

/** Shown when no card can pay the down payment. The buyer may try again. */
export function cannotApply(session: Session, view: View): OutcomePage {
  const { t, urls } = view;
  const { title, lead, again } = t.cannotApply;
  return {
    step: 'no-cards',
    ...leaving(
      { title, lead: fill(lead, { lender: session.program.lender.name }) },
      html`<p class="actions"><a class="button" href="${urls.to('apply')}">${again}</a></p>
        ${linkOfStaying(session, view, 'payAnotherWay')}`,
    ),
  };
}

function whyUnavailable({ application, program, pricing, purchase }: Session, t: Texts): string {
  const { totalCents } = purchase.totals;
  const { inState, forAmount, today, limits } = t.unavailable;
  if (application && isFinallyIneligible(application)) return whyIneligible(application, program, t);
  const money = (cents: number) => t.money(cents, program.currency);
  const total = money(totalCents);
  const state = application && POSTAL_STATES[application.billingContact.state];
  if (state) return fill(inState, { lender: program.lender.name, total, state });
  const { minCents, maxCents } = financeableCents(pricing.sheet, pricing.pricedOn);
  if (totalCents >= minCents && totalCents <= maxCents) return fill(forAmount, { total });
  if (minCents > maxCents) return today;
  return fill(limits, { least: money(minCents), most: money(maxCents), total });
}

/** The end of an application, and what the buyer can do. */
function endOf(session: Session, application: Application, t: Texts): Texts['ended'] {
  // Past its deadline, an application is open until the background job expires it.
  const ended = isOpenApplication(application) ? { ...application, ...expiryChanges(application) } : application;
  const { titles, next } = t.endedApplication;
  const title =
    titles[ended.status === 'CANCELLED' ? 'canceled' : ended.statusCode === approvalExpired ? 'approval' : 'undecided'];
  const sentences = endBlock(session, ended, t).paragraphs;
  return { title, lead: [...sentences, fill(next, { merchant: session.merchant.name })].join(' ') };
}

const approvalExpired = statusCodes.EXPIRED['approval-expired'];

/** A checkout that ended without a purchase, with the link to the shop. */
function failed(texts: Texts['ended'], session: Session, view: View): PageContent {
  return leadPage(texts, failureLink(session, view, 'return'));
}

/** A failure after the buyer submitted a form. Its page leads to the shop by itself, unless the buyer stays (`linkOfStaying`). */
function leaving(texts: Texts['ended'], more: Html | typeof nothing): OutcomePage {
  return { ...leadPage(texts, more), isLeaving: true };
}
