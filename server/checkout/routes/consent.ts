import Router from '@koa/router';
import { findDocument, isDocumentRevoked } from '../../agreements/store.ts';
import type { Texts } from '../../base/texts.ts';
import type { State } from '../../http/context.ts';
import { emptyForm, type FormState } from '../../http/pages/elements.ts';
import { seeOther } from '../../http/pages/html.ts';
import { unknownLinkPage } from '../../http/pages/page.ts';
import { hiddenField } from '../../http/pages/read-form.ts';
import { saveWithdrawal } from '../decision/actions.ts';
import { consentWithdrawal } from '../outcomes/pages.ts';
import { getSession } from '../session/load.ts';
import type { StartedSession } from '../session/session.ts';
import { sendConsentCode, useConsentCode } from '../signing/one-time-code.ts';
import { type PathContext, urlsOf } from '../web/pages.ts';
import type { CheckoutRouteDeps } from './responses.ts';

type ConsentRouteDeps = Pick<CheckoutRouteDeps, 'deps' | 'clock' | 'showPage'>;

/** The form at the link of a signed agreement with which its buyer withdraws the consent to electronic documents, after a one-time code. */
export function consentRoutes({ deps, clock, showPage }: ConsentRouteDeps): Router<State> {
  const { query } = deps.database;
  const router = new Router<State>({ prefix: '/a/:code/consent' });

  router.get('/', async (ctx: PathContext) => {
    const session = await sessionOf(ctx);
    if (session) show(ctx, session, 200);
  });

  router.post('/code', async (ctx: PathContext) => {
    const session = await sessionOf(ctx);
    if (!session) return;
    const sent = await sendConsentCode(deps, session.application, clock.now());
    if (sent === 'sent') return seeOther(ctx, urlsOf(ctx).to('consent'));
    const alert = (t: Texts) => (sent === 'too-many' ? t.notice.tooMany : t.code.unavailable);
    show(ctx, session, sent === 'too-many' ? 429 : 503, { alert });
  });

  router.post('/', async (ctx: PathContext) => {
    const session = await sessionOf(ctx);
    if (!session) return;
    const now = clock.now();
    const code = hiddenField(ctx.request.body, 'consentCode');
    const result = await useConsentCode(deps, session.application, code, now, (tx, locked) =>
      saveWithdrawal(tx, locked, 'buyer', now),
    );
    if (result === 'correct') return seeOther(ctx, urlsOf(ctx).to('consent'));
    const form: FormState = { values: {}, errors: { consentCode: (t) => t.code[result] } };
    show(ctx, session, 422, { form });
  });

  /** Returns the checkout of a signed agreement by its link, or responds 404 to an unknown or revoked link. */
  async function sessionOf(ctx: PathContext): Promise<StartedSession | undefined> {
    const document = await findDocument(query, ctx.params['code'] ?? '');
    const session =
      document && !(await isDocumentRevoked(query, document.applicationId))
        ? await getSession(query, document.applicationId, clock.now())
        : undefined;
    if (session && session.application.billingContact.email !== '') return session;
    showPage(ctx, 404, unknownLinkPage);
    return undefined;
  }

  function show(
    ctx: PathContext,
    session: StartedSession,
    status: number,
    { form = emptyForm(), alert }: { form?: FormState; alert?: (t: Texts) => string } = {},
  ): void {
    showPage(ctx, status, (view) => ({ ...consentWithdrawal(session, form, view), notice: alert?.(view.t) }));
  }

  return router;
}
