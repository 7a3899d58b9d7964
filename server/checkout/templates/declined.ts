import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Outlet } from '../../notifications/outbox.ts';
import { withoutReasons } from '../adverse-action/notice.ts';
import { noticeOf } from '../adverse-action/tell.ts';
import { actionBlock, reasonBlocks, rightsBlocks } from '../adverse-action/words.ts';
import type { Block } from '../blocks.ts';
import type { StartedSession } from '../session.ts';
import { blocksHtml } from './blocks.ts';
import { payAnotherWay } from './onward.ts';
import type { Outcome } from './outcomes.ts';
import type { View } from './view.ts';

/** A denial for whoever has the link to the checkout, which the merchant does: without the reasons. */
export function declined(session: StartedSession, outlet: Outlet, view: View): Outcome {
  const { t } = view;
  const notice = withoutReasons(noticeOf(session, session.application));
  const sent = outlet === 'sent' ? [{ paragraphs: [t.adverseAction.sent] }] : [];
  const rights = [actionBlock(notice, t), ...rightsBlocks(notice, t)];
  return page(session, view, [...reasonBlocks(notice, t, 'kept'), ...sent], rights);
}

/** The same for the buyer alone, with the reasons. */
export function declinedWithReasons(session: StartedSession, view: View): Outcome {
  const { t } = view;
  const notice = noticeOf(session, session.application);
  const keep = notice.reasons.length > 0 ? [{ paragraphs: [t.adverseAction.keep] }] : [];
  return page(session, view, [...reasonBlocks(notice, t), ...keep], [actionBlock(notice, t), ...rightsBlocks(notice, t)]);
}

/** First why, then the way on, then what the law wants said. */
function page(session: StartedSession, view: View, why: readonly Block[], notice: readonly Block[]): Outcome {
  const { t } = view;
  return {
    title: t.declined.title,
    content: html`<p class="lead">${fill(t.declined.lead, { lender: session.program.lender.name })}</p>
      ${why.length > 0 ? html`<div class="notice">${blocksHtml(why)}</div>` : nothing} ${payAnotherWay(session, view)}
      <section class="notice copy" aria-label="${t.adverseAction.heading}">${blocksHtml(notice)}</section>`,
  };
}
