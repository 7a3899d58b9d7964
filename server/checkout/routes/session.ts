import { seeOther } from '../../http/pages/html.ts';
import Router from '@koa/router';
import type { Middleware, State } from '../../http/context.ts';
import { isConflict } from '../../base/errors.ts';
import { readLoan } from '../../purchases/transactions/loan.ts';
import type { Instant } from '../../base/time.ts';
import { awaitDecision } from '../decision/await.ts';
import { cancelling } from '../outcomes/pages.ts';
import type { ShownApplication } from '../session/load.ts';
import { isSessionSecret } from '../session/secret.ts';
import { type CompletedSession, isCancellable, type StartedSession } from '../session/session.ts';
import { completed, recordReturn } from '../signing/complete.ts';
import { resolveWaiting } from '../signing/sign.ts';
import { canSubmit, currentStep, findStep } from '../step-registry.ts';
import { nextSecretIn } from '../web/forms.ts';
import { isByScript, loadSession, type PathContext, redirectsToShop, redirectToCurrentStep, urlsOf } from '../web/pages.ts';
import { respondTo, submitForm } from './forms.ts';
import { type CheckoutRequest, type CheckoutRouteDeps, type SessionRequest, showForm, showOutcome } from './responses.ts';

/**
 * A session of a checkout, `/c/CODE/SECRET`, for the browser that has the secret: plain forms, each of which redirects with 303 to the
 * next page.
 */
export function sessionRoutes(routeDeps: CheckoutRouteDeps): Router<State> {
  const router = new Router<State>({ prefix: '/c/:code/:secret' });

  router.get('/', inSession(routeDeps, showCurrentPage));
  router.get('/cancel', inSession(routeDeps, confirmCancellation));
  router.get('/:step/return', inSession(routeDeps, resumeStep));
  router.get('/:step', inSession(routeDeps, showStep));
  router.post('/:path', inSession(routeDeps, submitForm));

  return router;
}

/** Loads the session for a handler. Redirects if the browser does not have it. */
function inSession(routeDeps: CheckoutRouteDeps, respond: (request: SessionRequest) => Promise<void> | void): Middleware {
  return async (context, next) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the router adds the parameters of the path
    const ctx = context as PathContext;
    const { secret } = ctx.params;
    if (!isSessionSecret(secret)) {
      await next();
      return;
    }
    const now = routeDeps.clock.now();
    // A form that is submitted twice arrives under the secret of its page, while the checkout continues under the next one.
    const nextSecret = nextSecretIn(ctx.request.body) ?? secret;
    const session = await loadSession(ctx, routeDeps.deps.database.query, now, secret, nextSecret);
    if (session?.application) {
      return respond({ ...routeDeps, ctx, session: await withLoan(routeDeps, session, now), now });
    }
    if (session?.state === 'in-progress' && ctx.method === 'GET') return showOutcome({ ...routeDeps, ctx, session, now });
    redirectToCurrentStep(ctx);
  };
}

/** Adds the loan to a completed checkout. */
async function withLoan(
  { deps, transactions }: CheckoutRouteDeps,
  session: StartedSession | CompletedSession,
  now: Instant,
): Promise<StartedSession | CompletedSession> {
  if (session.state !== 'completed') return session;
  const { query } = deps.database;
  const ref = { merchantId: session.merchant.id, id: session.transactionId };
  return { ...session, loan: await readLoan(query, await transactions.get(query, ref, now)) };
}

async function showCurrentPage(request: SessionRequest): Promise<void> {
  const { ctx, session: loaded } = request;
  const session =
    loaded.state === 'waiting' ? await withLoan(request, await refreshed(request, loaded.application), request.now) : loaded;
  const step = currentStep(session);
  if (step) return seeOther(ctx, urlsOf(ctx).to(step.name));
  if (session.state === 'completed') return showCompleted({ ...request, session });
  showOutcome({ ...request, session });
}

/**
 * Asks the lender again, unless a request is in progress or was sent less than two seconds ago, and returns the checkout. Most lenders decide
 * while the page waits.
 */
async function refreshed({ deps, ctx, now }: SessionRequest, shown: ShownApplication) {
  await resolveWaiting(deps, shown, now).catch((thrown: unknown) => {
    // The buyer keeps the waiting page, and the background job continues.
    if (!isConflict(thrown)) ctx.app.emit('error', thrown, ctx);
  });
  return awaitDecision(deps.database, shown.id, now);
}

/**
 * Shows the page of a completed checkout. A buyer whose purchase was completed while they waited is redirected to the shop first, once.
 * The script of the waiting page gets the page, because it cannot follow redirects to other origins; it then opens this address.
 */
async function showCompleted(request: CheckoutRequest<CompletedSession>): Promise<void> {
  const { deps, ctx, session, now } = request;
  const isFirst = ctx.method === 'GET' && !isByScript(ctx) && (await recordReturn(deps, session, now));
  if (isFirst && redirectsToShop(deps.mail, urlsOf(ctx))) {
    return seeOther(ctx, completed(session, session.transactionId).redirectUrl);
  }
  showOutcome(request);
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

/** Continues a step after the buyer returned from another service's page. */
async function resumeStep(request: SessionRequest): Promise<void> {
  const { deps, ctx, session, now } = request;
  const step = findStep(ctx.params['step'] ?? '');
  if (!step?.resume || session.state === 'completed' || !canSubmit(session, step)) return redirectToCurrentStep(ctx);
  await respondTo(request, step, await step.resume(deps, session, ctx.query['entry'], now, urlsOf(ctx)));
}
