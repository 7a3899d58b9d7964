import Router from '@koa/router';
import type { Middleware, State } from '../../http/context.ts';
import type { Instant } from '../../time.ts';
import { awaitDecision } from '../decision/await.ts';
import { respondTo, submitForm } from './forms.ts';
import { cancelling } from '../outcomes/pages.ts';
import {
  type CheckoutRouteDeps,
  type OwnSession,
  redirectToCurrentStep,
  seeOther,
  type SessionHandler,
  showForm,
  showOutcome,
} from './responses.ts';
import { isSessionSecret } from '../session/secret.ts';
import { type CompletedSession, isCancellable } from '../session/session.ts';
import { completed, recordReturn } from '../signing/complete.ts';
import { canSubmit, currentStep, findStep } from '../step-registry.ts';
import { nextSecretIn } from '../web/form-token.ts';
import { isByScript, loadSession, type PathContext, redirectsToShop, urlsOf } from '../web/pages.ts';

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
function inSession(routeDeps: CheckoutRouteDeps, handle: SessionHandler): Middleware {
  return async (context, next) => {
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
    if (session?.application) return handle(routeDeps, ctx, session, now);
    if (session?.state === 'in-progress' && ctx.method === 'GET') return showOutcome(routeDeps, ctx, session);
    redirectToCurrentStep(ctx);
  };
}

async function showCurrentPage(routeDeps: CheckoutRouteDeps, ctx: PathContext, session: OwnSession, now: Instant): Promise<void> {
  const { database } = routeDeps.deps;
  // Most lenders decide while the page waits.
  const settled = session.state === 'waiting' ? await awaitDecision(database, session.application.id, now) : session;
  const step = currentStep(settled);
  if (step) return seeOther(ctx, urlsOf(ctx).to(step.name));
  if (settled.state === 'completed') return showCompleted(routeDeps, ctx, settled, now);
  showOutcome(routeDeps, ctx, settled);
}

/**
 * Shows the page of a completed checkout. A buyer whose purchase was completed while they waited is redirected to the shop first, once.
 * The script of the waiting page gets the page, because it cannot follow redirects to other origins; it then opens this address.
 */
async function showCompleted(
  routeDeps: CheckoutRouteDeps,
  ctx: PathContext,
  session: CompletedSession,
  now: Instant,
): Promise<void> {
  const { deps } = routeDeps;
  const isFirst = ctx.method === 'GET' && !isByScript(ctx) && (await recordReturn(deps, session, now));
  if (isFirst && redirectsToShop(deps.mail, urlsOf(ctx))) {
    return seeOther(ctx, completed(session, session.transactionId).redirectUrl);
  }
  showOutcome(routeDeps, ctx, session);
}

function confirmCancellation({ showPage }: CheckoutRouteDeps, ctx: PathContext, session: OwnSession): void {
  if (!isCancellable(session)) return redirectToCurrentStep(ctx);
  showPage(ctx, 200, (view) => ({ ...cancelling(session, view), path: 'cancel', session }));
}

function showStep(routeDeps: CheckoutRouteDeps, ctx: PathContext, session: OwnSession): void {
  const step = findStep(ctx.params['step'] ?? '');
  if (!step || !canSubmit(session, step)) return redirectToCurrentStep(ctx);
  showForm(routeDeps, ctx, session, step);
}

/** Continues a step after the buyer returned from another service's page. */
async function resumeStep(routeDeps: CheckoutRouteDeps, ctx: PathContext, session: OwnSession, now: Instant): Promise<void> {
  const { deps } = routeDeps;
  const step = findStep(ctx.params['step'] ?? '');
  if (!step?.resume || session.state === 'completed' || !canSubmit(session, step)) return redirectToCurrentStep(ctx);
  const resumed = await step.resume(deps, session, ctx.query['entry'], now, urlsOf(ctx));
  await respondTo(resumed, routeDeps, ctx, session, step, now);
}
