import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import { financeableCents } from '../../../shared/plans.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';
import { statusCodes } from '../../applications/lifecycle.ts';
import type { Html } from '../../http/html.ts';
import { buyerOf } from '../../applications/contact.ts';
import type { Session } from '../session/session.ts';
import type { Texts } from '../texts/texts.ts';
import { payAnotherWay, returnAfterFailure } from '../web/onward.ts';
import type { View } from '../web/view.ts';

/** Pages beside the steps: nothing to fill in, one way on. */
export interface Outcome {
  title: string;
  content: Html;
}

export function unavailable(session: Session, view: View): Outcome {
  const { t, way } = view;
  const { title, nothingBought, nothingCharged, changeDetails } = t.unavailable;
  const isOpen = session.reached === 'excluded';
  return {
    title,
    content: html`<p class="lead">${whyUnavailable(session, t)} ${session.application ? nothingCharged : nothingBought}</p>
      ${isOpen ? html`<p class="actions"><a class="button" href="${way.to('details')}">${changeDetails}</a></p>` : nothing} ${payAnotherWay(session, view)}`,
  };
}

/** Shown for an application that reached no lender. The next try may. */
export function noLender(session: Session, view: View): Outcome {
  const { t, way } = view;
  const { title, lead, again } = t.noLender;
  return {
    title,
    content: html`<p class="lead">${lead}</p>
      <p class="actions"><a class="button" href="${way.to('apply')}">${again}</a></p>
      ${payAnotherWay(session, view)}`,
  };
}

function whyUnavailable({ application, program, prices, purchase }: Session, t: Texts): string {
  const { totalCents } = purchase.totals;
  const { inState, forAmount, today, limits, byLender } = t.unavailable;
  if (application?.status_code === statusCodes.INELIGIBLE.plain) return fill(byLender, { lender: program.lender.name });
  const money = (cents: number) => t.money(cents, program.currency);
  const total = money(totalCents);
  const state = application && US_STATES[buyerOf(application).state];
  if (state) return fill(inState, { lender: program.lender.name, total, state });
  const { minCents, maxCents } = financeableCents(prices.sheet, prices.pricedOn);
  if (totalCents >= minCents && totalCents <= maxCents) return fill(forAmount, { total });
  if (minCents > maxCents) return today;
  return fill(limits, { least: money(minCents), most: money(maxCents), total });
}

export function expired(session: Session, view: View): Outcome {
  const { t } = view;
  const { title, lead } = t.expired;
  return {
    title,
    content: html`<p class="lead">${lead}</p>
      ${returnAfterFailure(session, view)}`,
  };
}

export function unknownLink({ t }: View): Outcome {
  const { title, lead } = t.unknownLink;
  return { title, content: html`<p class="lead">${lead}</p>` };
}

export function unreadable({ t }: View): Outcome {
  const { title, lead } = t.unreadable;
  return { title, content: html`<p class="lead">${lead}</p>` };
}

export function tooManyRequests({ t }: View): Outcome {
  const { title, lead } = t.tooManyRequests;
  return { title, content: html`<p class="lead">${lead}</p>` };
}

/**
 * @param session   - The checkout, when the fault has left it to be known.
 * @param isFailure - Whether the buyer leaves it. A checkout that a lender may be deciding about, or that may be signed, is continued.
 */
export function trouble(session: Session | undefined, isFailure: boolean, view: View): Outcome {
  const { t, way } = view;
  const { title, lead, again } = t.trouble;
  const back = html`<p class="actions"><a class="button" href="${way.to()}">${again}</a></p>`;
  return {
    title,
    content: html`<p class="lead">${lead}</p>
      ${session ? (isFailure ? payAnotherWay(session, view) : back) : nothing}`,
  };
}
