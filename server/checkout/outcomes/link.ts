import { html } from '@lit-labs/ssr';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { LinkSession, StartedSession } from '../session/session.ts';
import { payAnotherWay, returnTo } from '../web/notify-opener.ts';
import type { View } from '../web/way.ts';
import type { Outcome } from '../web/error-pages.ts';

/** What a cart's link shows to everyone while an application is not signed, in any state. */
export function inProgress(session: LinkSession, view: View): Outcome {
  const { t, way } = view;
  const { title, lead, goOn, startAgain, submit } = t.inProgress;
  return {
    title,
    content: html`<p class="lead">${fill(lead, { merchant: session.merchant.name })}</p>
      <p>${goOn}</p>
      <p>${startAgain}</p>
      <p class="actions"><a class="button" href="${way.toLink('restart')}">${submit}</a></p>
      ${payAnotherWay(session, view)}`,
  };
}

/** The link of a signed or completed checkout. It shows nothing about the buyer and offers no restart. */
export function signedOrBought(session: LinkSession, view: View): Outcome {
  const { t } = view;
  const { title, lead, copy } = session.state === 'signed' ? t.signedElsewhere : t.boughtElsewhere;
  return {
    title,
    content: html`<p class="lead">${fill(lead, { merchant: session.merchant.name })}</p>
      <p>${copy}</p>
      ${returnTo(session, session.merchant.store_url, view)}`,
  };
}

/** Shown to the browser whose application was replaced by another one. */
export function startedAgain(session: StartedSession, view: View): Outcome {
  const { t, way } = view;
  const { title, lead, nothingShown, again } = t.startedAgain;
  return {
    title,
    content: html`<p class="lead">${lead}</p>
      <p>${nothingShown}</p>
      <p class="actions"><a class="button" href="${way.toLink()}">${again}</a></p>
      ${payAnotherWay(session, view)}`,
  };
}
