import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Html } from '../../http/html.ts';
import type { ApplicationLimit } from '../decision/limits.ts';
import type { Session } from '../session/session.ts';
import { payAnotherWay } from './notify-opener.ts';
import type { View } from './urls.ts';

/** A page without a step: title and content. */
export interface Outcome {
  title: string;
  content: Html;
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

/** The page of an application that was not sent, or a checkout that was not started again, because there were too many. */
export function applicationLimitReached(session: Session, limit: ApplicationLimit, view: View): Outcome {
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
 * @param isFailure - Whether the buyer leaves it. A checkout that a lender may be deciding about, or that may be signed, is continued.
 */
export function unexpectedError(session: Session | undefined, isFailure: boolean, view: View): Outcome {
  const { t, urls } = view;
  const { title, lead, again } = t.trouble;
  const back = html`<p class="actions"><a class="button" href="${urls.to()}">${again}</a></p>`;
  return {
    title,
    content: html`<p class="lead">${lead}</p>
      ${session ? (isFailure ? payAnotherWay(session, view) : back) : nothing}`,
  };
}
