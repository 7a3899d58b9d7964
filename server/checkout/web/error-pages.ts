import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { Html } from '../../http/html.ts';
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
