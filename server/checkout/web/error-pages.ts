import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/languages/texts.ts';
import { isUnavailable, ServiceError } from '../../base/errors.ts';
import type { Context, Middleware } from '../../http/context.ts';
import { setRejection } from '../../http/errors.ts';
import { isCrossSite, signedForm, tokenIn } from '../../http/pages/form.ts';
import { redisplayedForm } from '../../http/pages/read-form.ts';
import { invalidRequestPage, messagePage, type PageContent, tooManyRequestsPage } from '../../http/pages/page.ts';
import { APPLICATION_LIMITS, type ApplicationLimit } from '../decision/limits.ts';
import type { Session } from '../session/session.ts';
import { canApply, canSign } from '../session/state.ts';
import { linkOfStaying, payAnotherWay } from './notify-opener.ts';
import { type PageContext, type PageState, redirectToCurrentStep, type ShowPage } from './pages.ts';
import type { View } from './urls.ts';

/** The page of an application that was not sent, or a checkout that was not started again, because there were too many. */
function applicationLimitReached(session: Session, limit: ApplicationLimit, view: View): PageContent {
  const { title, leads, nothingSent } = view.t.tooManyApplications;
  return messagePage(
    'too-many-applications',
    { title, lead: leads[limit] },
    html`<p>${fill(nothingSent, { merchant: session.merchant.name })}</p>
      ${payAnotherWay(session, view)}`,
  );
}

/**
 * The page of an unexpected error, which the buyer can reload.
 *
 * @param again    - The address at which the buyer tries again.
 * @param canLeave - False if a lender may be deciding or the agreement may be signed: then the page has no link to the shop.
 */
function unexpectedError(session: Session | undefined, again: string, canLeave: boolean, view: View): PageContent {
  const texts = view.t.unexpectedError;
  return messagePage(
    'unexpected-error',
    texts,
    html`<p class="actions"><a class="button" href="${again}">${texts.again}</a></p>
      ${session && canLeave ? payAnotherWay(session, view) : nothing}`,
  );
}

/**
 * The page while the database is unavailable. Its button submits a form again, with what the buyer typed: nothing is bought twice. Another
 * site does not choose what a form contains.
 */
function unavailable({ method, url, request, headers }: Context, ownOrigin: string, view: View): PageContent {
  const { title, lead, submitted, again } = view.t.temporarilyUnavailable;
  const isForm = method === 'POST' && !isCrossSite(headers, ownOrigin);
  const { formToken: _, ...typed } = redisplayedForm(request.body);
  const button = html`<button type="submit">${again}</button>`;
  return messagePage(
    'unavailable',
    { title, lead: method === 'POST' ? submitted : lead },
    isForm
      ? signedForm(url, tokenIn(request.body), button, { hidden: typed })
      : html`<p class="actions"><a class="button" href="${url}">${again}</a></p>`,
  );
}

/** The page of a form that the service failed to process. The buyer returns to the shop. */
function failedForm(session: Session, view: View): PageContent {
  const { title, failed } = view.t.unexpectedError;
  const lead = fill(failed, { merchant: session.merchant.name });
  return messagePage('unexpected-error', { title, lead }, linkOfStaying(session, view, 'payAnotherWay'));
}

/**
 * Returns true if a lender may be deciding, or have accepted the signed loan, although the request failed. Such a checkout has not failed
 * and may still be completed.
 */
function mayBeDecided({ method }: Context, session: Session): boolean {
  const { state } = session;
  if (state === 'waiting' || state === 'completed') return true;
  return method === 'POST' && state === 'open' && (canApply(session) || canSign(session));
}

/**
 * Responds to an unexpected error. A page that could not be shown, or a form that a lender may have received, can be tried again; any
 * other form ends the checkout.
 */
function showUnexpectedError(ctx: PageContext, showPage: ShowPage): void {
  const session = ctx.state.session;
  const canLeave = session !== undefined && !mayBeDecided(ctx, session);
  if (canLeave && ctx.method === 'POST') {
    return showPage(ctx, 500, (view) => ({ ...failedForm(session, view), session, isFailure: true, isLeaving: true }));
  }
  showPage(ctx, 500, (view) => {
    // The address of a page still contains the secret of a session that could not be loaded.
    const again = session && ctx.method === 'POST' ? view.urls.to() : ctx.url;
    return { ...unexpectedError(session, again, canLeave, view), session };
  });
}

/**
 * Maps errors to pages or redirects.
 *
 * Any other `ServiceError` means that the checkout was changed in another tab or on another device. The response redirects to its
 * current step.
 *
 * @param ownOrigin - See `OwnForms`.
 */
export function pageErrors(showPage: ShowPage, ownOrigin: string): Middleware<PageState> {
  return async (ctx, next) => {
    try {
      await next();
    } catch (thrown) {
      if (thrown instanceof ServiceError) setRejection(ctx, thrown);
      if (!(thrown instanceof ServiceError)) {
        ctx.app.emit('error', thrown, ctx);
        showUnexpectedError(ctx, showPage);
      } else if (isUnavailable(thrown)) {
        const { session } = ctx.state;
        // Without its session, the shop that the form may redirect to is unknown.
        showPage(ctx, 503, (view) => ({ ...unavailable(ctx, ownOrigin, view), session, redirectsOffSite: !session }));
      } else if (thrown.code === 'rate-limited') {
        const { retryAfterSeconds } = thrown.details;
        const limit = APPLICATION_LIMITS.find((name) => name === thrown.details.limit);
        const session = ctx.state.session;
        if (retryAfterSeconds) ctx.set('retry-after', retryAfterSeconds);
        if (!session || !limit) showPage(ctx, 429, tooManyRequestsPage);
        else showPage(ctx, 429, (view) => ({ ...applicationLimitReached(session, limit, view), session }));
      } else if (thrown.code === 'body-too-large') showPage(ctx, 413, invalidRequestPage);
      else if (thrown.code === 'unsupported-encoding') showPage(ctx, 415, invalidRequestPage);
      else if (thrown.code === 'invalid-request') showPage(ctx, 400, invalidRequestPage);
      else redirectToCurrentStep(ctx);
    }
  };
}
