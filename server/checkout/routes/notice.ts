import Router from '@koa/router';
import { findNotice, type Notice } from '../../agreements/sent-notices.ts';
import { findApplication } from '../../lending/applications/store.ts';
import { NOTICE_POLICY } from '../../messages/email-layout.ts';
import { noticeIdIn } from '../../messages/notices.ts';
import { sendCompressed, seeOther } from '../../http/pages/html.ts';
import type { State } from '../../http/context.ts';
import { emptyForm, type FormState } from '../../http/pages/elements.ts';
import { unknownLinkPage } from '../../http/pages/page.ts';
import { hiddenField } from '../../http/pages/read-form.ts';
import type { Texts } from '../../base/texts.ts';
import { noticeCode } from '../outcomes/pages.ts';
import { hasCode, sendNoticeCode, useNoticeCode } from '../signing/one-time-code.ts';
import { type PathContext, urlsOf } from '../web/pages.ts';
import type { CheckoutRouteDeps } from './responses.ts';

type NoticeRouteDeps = Pick<CheckoutRouteDeps, 'deps' | 'clock' | 'showPage'>;

/** The page of a notice with reasons or a score, `/n/TOKEN`, that an e-mail links to. It shows the notice after a one-time code. */
export function noticeRoutes({ deps, clock, showPage }: NoticeRouteDeps): Router<State> {
  const { database, mail } = deps;
  const { query } = database;
  const router = new Router<State>({ prefix: '/n/:token' });

  router.get('/', async (ctx: PathContext) => {
    const notice = await noticeOf(ctx);
    if (notice) await showForm(ctx, notice, 200);
  });

  router.post('/code', async (ctx: PathContext) => {
    const notice = await noticeOf(ctx);
    if (!notice) return;
    const sent = await sendNoticeCode(deps, notice, clock.now());
    if (sent === 'sent') return seeOther(ctx, urlsOf(ctx).to());
    const alert = (t: Texts) => (sent === 'too-many' ? t.notice.tooMany : t.code.unavailable);
    await showForm(ctx, notice, sent === 'too-many' ? 429 : 503, { alert });
  });

  router.post('/', async (ctx: PathContext) => {
    const notice = await noticeOf(ctx);
    if (!notice) return;
    const result = await useNoticeCode(deps, notice, hiddenField(ctx.request.body, 'noticeCode'), clock.now());
    if (result !== 'correct') {
      const form: FormState = { values: {}, errors: { noticeCode: ({ code }) => code[result] } };
      return showForm(ctx, notice, 422, { form });
    }
    ctx.status = 200;
    ctx.set('content-language', notice.language);
    ctx.set('content-security-policy', NOTICE_POLICY);
    ctx.set('x-frame-options', 'DENY');
    ctx.type = 'html';
    sendCompressed(ctx, notice.html);
  });

  /** Returns the notice of a link, or responds 404 to an unknown link. */
  async function noticeOf(ctx: PathContext): Promise<(Notice & { html: string }) | undefined> {
    const id = noticeIdIn(mail.noticeKey, ctx.params['token'] ?? '');
    const notice = id === undefined ? undefined : await findNotice(query, id);
    if (notice && notice.html !== null && notice.isLinked) return { ...notice, html: notice.html };
    showPage(ctx, 404, unknownLinkPage);
    return undefined;
  }

  async function showForm(
    ctx: PathContext,
    { email }: Notice,
    status: number,
    { form = emptyForm(), alert }: { form?: FormState; alert?: (t: Texts) => string } = {},
  ): Promise<void> {
    const application = await findApplication(query, email.applicationId);
    const isSent = application !== undefined && hasCode(application, 'notice');
    showPage(ctx, status, (view) => ({ ...noticeCode(email.url, isSent, form, view), notice: alert?.(view.t) }));
  }

  return router;
}
