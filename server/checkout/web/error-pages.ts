import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/languages/texts.ts';
import type { PageContent } from '../../pages/page.ts';
import type { ApplicationLimit } from '../decision/limits.ts';
import type { Session } from '../session/session.ts';
import { payAnotherWay } from './notify-opener.ts';
import type { View } from './urls.ts';

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
 * The page of an unexpected error, which the buyer can reload.
 *
 * @param again    - Where the buyer tries again.
 * @param canLeave - False if a lender may be deciding or the agreement may be signed: then the page has no link to the shop.
 */
export function unexpectedError(session: Session | undefined, again: string, canLeave: boolean, view: View): PageContent {
  const texts = view.t.unexpectedError;
  return {
    title: texts.title,
    content: html`<p class="lead">${texts.lead}</p>
      <p class="actions"><a class="button" href="${again}">${texts.again}</a></p>
      ${session && canLeave ? payAnotherWay(session, view) : nothing}`,
  };
}
