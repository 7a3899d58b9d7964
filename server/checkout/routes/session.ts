import Router from '@koa/router';
import { ignoreUnavailable, isConflict } from '../../base/errors.ts';
import type { Middleware, State } from '../../http/context.ts';
import { seeOther } from '../../http/pages/html.ts';
import { cancelling } from '../outcomes/pages.ts';
import { isSessionSecret } from '../session/load.ts';
import { isCancellable, type StartedSession } from '../session/session.ts';
import { completed, recordReturn } from '../signing/complete.ts';
import { canSubmit, currentStep, findStep } from '../step-registry.ts';
import { awaitOutcome, resolveWaiting } from '../waiting/look-up.ts';
import { isByScript, loadSession, type PathContext, redirectsToShop, redirectToCurrentStep, urlsOf } from '../web/pages.ts';
import { respond, submitForm } from './forms.ts';
import { type CheckoutRequest, type CheckoutRouteDeps, showForm, showOutcome } from './responses.ts';

/** A request of the browser that has a session. */
type SessionRequest = CheckoutRequest<StartedSession>;

/**
 * A session of a checkout, `/c/CODE/SECRET`, for the browser that has the secret: plain forms, each of which redirects with 303 to the
 * next page.
 */
export function sessionRoutes(routeDeps: CheckoutRouteDeps): Router<State> {
  const router = new Router<State>({ prefix: '/c/:code/:secret' });
  const inSession = (show: (request: SessionRequest) => Promise<void> | void) =>
    withSecret(async (ctx) => {
      const now = routeDeps.clock.now();
      const session = await loadSession(ctx, routeDeps.deps.database.query, now, ctx.params['secret']);
      if (session?.application) return show({ ...routeDeps, ctx, session, now });
      // The secret is not that of the application, so that the browser is shown the same as at the cart's link.
      if (session?.state === 'in-progress' && ctx.method === 'GET') return showOutcome({ ...routeDeps, ctx, session, now });
      redirectToCurrentStep(ctx);
    });

  router.get('/', inSession(showCurrentPage));
  router.get('/cancel', inSession(confirmCancellation));
  router.get('/:step/return', inSession(resumeStep));
  router.get('/:step', inSession(showStep));
  router.post(
    '/:path',
    withSecret((ctx) => submitForm(routeDeps, ctx)),
  );

  return router;
}

/** Handles an address with a session secret. Any other is unknown. */
function withSecret(handle: (ctx: PathContext) => Promise<void>): Middleware {
  return (context, next) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the router adds the parameters of the path
    const ctx = context as PathContext;
    return isSessionSecret(ctx.params['secret']) ? handle(ctx) : next();
  };
}

/**
 * Shows the page of a checkout, or redirects to its step. While it waits, the lender is asked again first, unless a request is in progress
 * or was sent less than two seconds ago. Most lenders decide while the page waits.
 *
 * A buyer whose purchase was completed while they waited is redirected to the shop, once. The script of the waiting page gets the page,
 * because it cannot follow redirects to other origins; it then opens this address.
 */
async function showCurrentPage(request: SessionRequest): Promise<void> {
  const { deps, ctx, session: loaded, now } = request;
  const session = loaded.state === 'waiting' ? await refreshed(request) : loaded;
  const step = currentStep(session);
  if (step) return seeOther(ctx, urlsOf(ctx).to(step.name));
  if (session.state === 'completed') {
    // Recorded only when the buyer's browser itself opens the page: not for HEAD, and not for the script.
    const isByBuyer = ctx.method === 'GET' && !isByScript(ctx);
    const isFirst = isByBuyer && (await recordReturn(deps, session, now).catch(ignoreUnavailable));
    if (isFirst && redirectsToShop(deps.mail, urlsOf(ctx))) {
      return seeOther(ctx, completed(session, session.transactionId).redirectUrl);
    }
  }
  await showOutcome({ ...request, session });
}

async function refreshed({ deps, ctx, session: { application }, now }: SessionRequest): Promise<StartedSession> {
  await resolveWaiting(deps, application, now).catch((thrown: unknown) => {
    // The buyer keeps the waiting page, and the background job continues.
    if (!isConflict(thrown)) ctx.app.emit('error', thrown, ctx);
  });
  return awaitOutcome(deps.database, application.id, now);
}

function confirmCancellation({ showPage, ctx, session }: SessionRequest): void {
  if (!isCancellable(session)) return redirectToCurrentStep(ctx);
  showPage(ctx, 200, (view) => ({ ...cancelling(session, view), step: 'cancel', path: 'cancel', session }));
}

function showStep(request: SessionRequest): void {
  const { ctx, session } = request;
  const step = findStep(ctx.params['step'] ?? '');
  if (!step || !canSubmit(session, step)) return redirectToCurrentStep(ctx);
  showForm(request, step);
}

/** Continues a step after the buyer returned from another service's page, which has added its result to the URL as `entry`. */
async function resumeStep(request: SessionRequest): Promise<void> {
  const { deps, ctx, session, now } = request;
  const step = findStep(ctx.params['step'] ?? '');
  if (!step?.resume || !canSubmit(session, step)) return redirectToCurrentStep(ctx);
  await respond(request, step, await step.resume(deps, session, ctx.query['entry'], now, urlsOf(ctx)));
}
