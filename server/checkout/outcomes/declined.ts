import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Outlet } from '../../notifications/outbox.ts';
import { actionBlock, noticeOf, reasonBlocks, rightsBlocks } from '../decision/adverse-action.ts';
import { type Block, blocksHtml } from '../emails/email.ts';
import type { StartedSession } from '../session/session.ts';
import { payAnotherWay } from '../web/notify-opener.ts';
import type { View } from '../web/way.ts';
import type { Outcome } from '../web/error-pages.ts';

/** The page of a denial, with its reasons. Only the browser of the buyer who applied can open it. */
export function declined(session: StartedSession, outlet: Outlet, view: View): Outcome {
  const { t } = view;
  const notice = noticeOf(session, session.application);
  const keep = notice.reasons.length > 0 ? [{ paragraphs: [t.adverseAction.keep] }] : [];
  const sent = outlet === 'sent' ? [{ paragraphs: [t.adverseAction.sent] }] : [];
  return page(
    session,
    view,
    [...reasonBlocks(notice, t), ...keep, ...sent],
    [actionBlock(notice, t), ...rightsBlocks(notice, t)],
  );
}

/** The reasons, then the link to the shop, then the rest of the notice. */
function page(session: StartedSession, view: View, why: readonly Block[], notice: readonly Block[]): Outcome {
  const { t } = view;
  return {
    title: t.declined.title,
    content: html`<p class="lead">${fill(t.declined.lead, { lender: session.program.lender.name })}</p>
      ${why.length > 0 ? html`<div class="notice">${blocksHtml(why)}</div>` : nothing} ${payAnotherWay(session, view)}
      <section class="notice copy" aria-label="${t.adverseAction.heading}">${blocksHtml(notice)}</section>`,
  };
}
