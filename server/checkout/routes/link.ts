import { seeOther } from '../../http/pages/html.ts';
import Router from '@koa/router';
import { saveCartOpened } from '../../purchases/carts/store.ts';
import type { State } from '../../http/context.ts';
import { ignoreUnavailable } from '../../base/errors.ts';
import { hashOfCode } from '../../base/ids.ts';
import { unknownLinkPage } from '../../http/pages/page.ts';
import { continuing } from '../outcomes/pages.ts';
import { isSessionSecret } from '../session/load.ts';
import { canStart } from '../session/state.ts';
import { currentStep, firstStep } from '../step-registry.ts';
import { isContinueLink, useContinueLink } from '../steps/continue-link.ts';
import { useReturnToken } from '../steps/card-return.ts';
import { requireRestartable } from '../steps/details/submit.ts';
import { nextSecretIn, verifyCheckoutForm } from '../web/forms.ts';
import { loadSession, type PathContext, redirectToCurrentStep, urlsOf } from '../web/pages.ts';
import { submitForm } from './forms.ts';
import { type CheckoutRequest, type CheckoutRouteDeps, showForm, showOutcome } from './responses.ts';

/**
 * A cart's link, `/c/CODE`. It shows everyone the same: the first form, or that an application is in progress. Submitting that form
 * redirects to `/c/CODE/SECRET`, where the checkout continues for the browser that sent it (decisions/0008). Any other request is
 * redirected to the current step.
 */
export function linkRoutes(routeDeps: CheckoutRouteDeps): Router<State> {
  const router = new Router<State>({ prefix: '/c/:code' });

  router.get('/', (ctx) => showLink(routeDeps, ctx));
  router.get('/card-return/:token', (ctx) => returnFromGateway(routeDeps, ctx));
  router.get('/continue/:token', (ctx) => showContinueLink(routeDeps, ctx));
  router.post('/continue/:token', (ctx) => followContinueLink(routeDeps, ctx));
  // A session secret instead of a path: `session.ts` handles the request.
  router.get('/:path', (ctx, next) => (isSessionSecret(ctx.params['path']) ? next() : showFirstForm(routeDeps, ctx)));
  router.post('/:path', (ctx, next) => (isSessionSecret(ctx.params['path']) ? next() : submitForm(routeDeps, ctx)));

  return router;
}

/** Loads what the browser may see. Undefined if the code is unknown. */
async function loadRequest(
  routeDeps: CheckoutRouteDeps,
  ctx: PathContext,
  secret?: string,
): Promise<CheckoutRequest | undefined> {
  const now = routeDeps.clock.now();
  const session = await loadSession(ctx, routeDeps.deps.database.query, now, secret);
  return session && { ...routeDeps, ctx, session, now };
}

async function showLink(routeDeps: CheckoutRouteDeps, ctx: PathContext): Promise<void> {
  const request = await loadRequest(routeDeps, ctx);
  if (!request) return routeDeps.showPage(ctx, 404, unknownLinkPage);
  const { cart } = request.session;
  // The console shows its users whether the links that they created were opened.
  if (cart.userId !== null && cart.openedAt === null) {
    await request.deps.database.write((tx) => saveCartOpened(tx, cart.id, request.now)).catch(ignoreUnavailable);
  }
  if (currentStep(request.session) === firstStep) return showForm(request, firstStep);
  await showOutcome(request);
}

/** A card gateway's page returns here. The address that the browser shows afterwards can be reloaded. */
async function returnFromGateway(routeDeps: CheckoutRouteDeps, ctx: PathContext): Promise<void> {
  const { code = '', token = '' } = ctx.params;
  const secret = await useReturnToken(routeDeps.deps, code, token, routeDeps.clock.now());
  if (secret === undefined || !(await loadRequest(routeDeps, ctx, secret))) return redirectToCurrentStep(ctx);
  // The gateway's reference to the card that was entered.
  const { entry } = ctx.query;
  const query = typeof entry === 'string' ? `&${new URLSearchParams({ entry }).toString()}` : '';
  seeOther(ctx, urlsOf(ctx).to('card/return') + query);
}

/** The page of a link that was sent by e-mail. Its button continues the checkout, because mail servers also open links. */
async function showContinueLink(routeDeps: CheckoutRouteDeps, ctx: PathContext): Promise<void> {
  const { code = '', token = '' } = ctx.params;
  const request = await loadRequest(routeDeps, ctx);
  if (!request || !(await isContinueLink(request.deps.database, code, token, request.now))) return redirectToCurrentStep(ctx);
  const { session, showPage } = request;
  showPage(ctx, 200, (view) => ({ ...continuing(session, `continue/${token}`, view), session }));
}

async function followContinueLink(routeDeps: CheckoutRouteDeps, ctx: PathContext): Promise<void> {
  const { code = '', token = '' } = ctx.params;
  const request = await loadRequest(routeDeps, ctx);
  const nextSecret = nextSecretIn(ctx.request.body);
  if (!request || nextSecret === undefined) return redirectToCurrentStep(ctx);
  const { deps, forms, session, now } = request;
  const path = `continue/${token}`;
  const tokenStatus = verifyCheckoutForm(forms, ctx.request, { cartId: session.cart.id, secret: undefined, path }, now);
  if (tokenStatus !== 'valid') return seeOther(ctx, urlsOf(ctx).toLink(path));
  const isContinued = await useContinueLink(deps.database, code, token, hashOfCode(nextSecret), now);
  if (isContinued) ctx.state.secret = nextSecret;
  redirectToCurrentStep(ctx);
}

async function showFirstForm(routeDeps: CheckoutRouteDeps, ctx: PathContext): Promise<void> {
  const { path = '' } = ctx.params;
  const isRestart = path === 'restart';
  const request = await loadRequest(routeDeps, ctx);
  const isForm = path === firstStep.name || isRestart;
  if (!request || !isForm || !canStart(request.session, isRestart)) return redirectToCurrentStep(ctx);
  if (isRestart) await requireRestartable(routeDeps.deps.database.query, request.session.cart.id);
  showForm(request, firstStep, { path });
}
