import { html } from '@lit-labs/ssr';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { LinkSession, StartedSession } from '../session/session.ts';
import { payAnotherWay, returnTo } from '../web/notify-opener.ts';
import type { View } from '../web/way.ts';
import type { Outcome } from '../web/error-pages.ts';

/** What a cart's link shows to everyone while an application is not signed, whatever has become of it. */
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

/** The same once it is signed: nothing can be started again, and nothing about the buyer is shown. */
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

/** For the browser whose application another one has replaced. */
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
