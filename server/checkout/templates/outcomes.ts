import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import { financeableCents } from '../../../shared/plans.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';
import type { Html } from '../../http/html.ts';
import { isIntact } from '../agreement.ts';
import { completed } from '../complete.ts';
import { buyerOf } from '../../applications/contact.ts';
import { errorUrlOf, type Session, signedAgreement } from '../session.ts';
import type { Texts } from '../texts/texts.ts';
import { loanTerms } from './loan-terms.ts';
import { payAnotherWay, returnTo } from './onward.ts';
import type { View } from './view.ts';

/** Pages beside the steps: nothing to fill in, one way on. */
export interface Outcome {
  title: string;
  content: Html;
}

export function declined(session: Session, view: View): Outcome {
  const { t } = view;
  const { title, lead, rights } = t.declined;
  return {
    title,
    content: html`<p class="lead">${fill(lead, { lender: session.program.lender.name })}</p>
      <p>${fill(rights, { merchant: session.merchant.name })}</p>
      ${payAnotherWay(session, view)}`,
  };
}

export function unavailable(session: Session, view: View): Outcome {
  const { t, way } = view;
  const { title, nothingBought, changeDetails } = t.unavailable;
  const isOpen = session.reached === 'excluded';
  return {
    title,
    content: html`<p class="lead">${whyUnavailable(session, t)} ${nothingBought}</p>
      ${isOpen ? html`<p><a href="${way.to('details')}">${changeDetails}</a></p>` : nothing} ${payAnotherWay(session, view)}`,
  };
}

/** Shown for an application that reached no lender. The next try may. */
export function noLender(session: Session, view: View): Outcome {
  const { t, way } = view;
  const { title, lead, again } = t.noLender;
  return {
    title,
    content: html`<p class="lead">${lead}</p>
      <p><a href="${way.to('apply')}">${again}</a></p>
      ${payAnotherWay(session, view)}`,
  };
}

function whyUnavailable({ application, program, sheet, pricedOn, totals }: Session, t: Texts): string {
  const { inState, forAmount, today, limits } = t.unavailable;
  const money = (cents: number) => t.money(cents, program.currency);
  const total = money(totals.totalCents);
  const state = application && US_STATES[buyerOf(application).state];
  if (state) return fill(inState, { lender: program.lender.name, total, state });
  const { minCents, maxCents } = financeableCents(sheet, pricedOn);
  if (totals.totalCents >= minCents && totals.totalCents <= maxCents) return fill(forAmount, { total });
  if (minCents > maxCents) return today;
  return fill(limits, { least: money(minCents), most: money(maxCents), total });
}

export function expired(session: Session, view: View): Outcome {
  const { t } = view;
  const { title, lead } = t.expired;
  return {
    title,
    content: html`<p class="lead">${lead}</p>
      ${returnTo(session, errorUrlOf(session), view)}`,
  };
}

export function alreadyCompleted(session: Session, view: View): Outcome {
  const { t } = view;
  const { title, lead } = t.completed;
  const { redirectUrl } = completed(session, session.cart.transaction_id!);
  return {
    title,
    content: html`<p class="lead">${fill(lead, { merchant: session.merchant.name })}</p>
      ${returnTo(session, redirectUrl, view)} ${copyOf(session, t)}`,
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

/** @param session - The checkout, when the fault has left it to be known. */
export function trouble(session: Session | undefined, view: View): Outcome {
  const { t } = view;
  const { title, lead } = t.trouble;
  return {
    title,
    content: html`<p class="lead">${lead}</p>
      ${session ? payAnotherWay(session, view) : nothing}`,
  };
}

/** The agreement as it was signed, for the buyer to keep. What is stored is shown only while it proves to be what was signed. */
function copyOf(session: Session, t: Texts): Html | typeof nothing {
  const agreement = signedAgreement(session);
  if (!agreement) return nothing;
  const { disclosure, signedName, signedAt } = agreement;
  const { copy, signed, keep, notIntact } = t.completed;
  const signedBy = fill(signed, { name: signedName, date: t.date(signedAt.slice(0, 10)) });
  return html`<section class="copy" aria-labelledby="copy-heading">
    <h2 id="copy-heading">${copy}</h2>
    ${
      isIntact(agreement)
        ? html`<p>${signedBy} ${keep}</p>
            ${loanTerms(disclosure, t)}`
        : html`<p>${signedBy} ${fill(notIntact, { lender: session.program.lender.name })}</p>`
    }
  </section>`;
}
