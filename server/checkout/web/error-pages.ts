import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Html } from '../../http/html.ts';
import type { ApplicationLimit } from '../decision/limits.ts';
import type { Session } from '../session/session.ts';
import { payAnotherWay } from './notify-opener.ts';
import type { View } from './urls.ts';

/** Title and content of a page that is not a checkout step. */
export interface PageContent {
  title: string;
  content: Html;
}

export function unknownLink({ t }: View): PageContent {
  const { title, lead } = t.unknownLink;
  return { title, content: html`<p class="lead">${lead}</p>` };
}

export function invalidRequest({ t }: View): PageContent {
  const { title, lead } = t.invalidRequest;
  return { title, content: html`<p class="lead">${lead}</p>` };
}

export function tooManyRequests({ t }: View): PageContent {
  const { title, lead } = t.tooManyRequests;
  return { title, content: html`<p class="lead">${lead}</p>` };
}

/** The page of an application that was not sent, or a checkout that was not started again, because there were too many. */
export function applicationLimitReached(session: Session, limit: ApplicationLimit, view: View): PageContent {
  const { title, leads, nothingSent } = view.t.tooManyApplications;
  return {
    title,
    content: html`<p class="lead">${leads[limit]}</p>
      <p>${fill(nothingSent, { merchant: session.merchant.name })}</p>
      ${payAnotherWay(session, view)}`,
  };
}

/**
 * The page of an unexpected error.
 *
 * @param session   - The checkout, if it was loaded.
 * @param canLeave - True if the page links back to the shop. False if a lender may be deciding or the agreement may be signed: then it
 *   links back to the checkout.
 */
export function unexpectedError(session: Session | undefined, canLeave: boolean, view: View): PageContent {
  const { t, urls } = view;
  const { title, lead, again } = t.unexpectedError;
  const back = html`<p class="actions"><a class="button" href="${urls.to()}">${again}</a></p>`;
  return {
    title,
    content: html`<p class="lead">${lead}</p>
      ${session ? (canLeave ? payAnotherWay(session, view) : back) : nothing}`,
  };
}
