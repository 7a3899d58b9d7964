import { signedAgreement } from '../../agreements/agreement.ts';
import { seeOther } from '../../http/pages/html.ts';
import { hiddenField, type Message, redisplayedForm } from '../../http/pages/read-form.ts';
import type { Instant } from '../../base/time.ts';
import { cancelApplication, extendApproval } from '../decision/actions.ts';
import { cannotApply } from '../outcomes/index.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { getSession, type ShownApplication } from '../session/load.ts';
import type { StartedSession } from '../session/session.ts';
import { canStart } from '../session/state.ts';
import { sendCode, type SendResult, useCopyCode } from '../signing/one-time-code.ts';
import { canSubmit, currentStep, findStep, firstStep } from '../step-registry.ts';
import { sendContinueLink } from '../steps/continue-link.ts';
import type { Step, Submitted } from '../steps/step.ts';
import { awaitOutcome, resolveWaiting } from '../waiting/look-up.ts';
import { nextSecretIn, verifyCheckoutForm } from '../web/forms.ts';
import { loadSession, type PathContext, redirectToCurrentStep, urlsOf } from '../web/pages.ts';
import { type CheckoutRequest, type CheckoutRouteDeps, showForm, showOutcome } from './responses.ts';

/**
 * Handles a form that was posted to the cart's link, `/c/CODE/PATH`, or in a session, `/c/CODE/SECRET/PATH`. It passes once: parse, load
 * the session, verify, submit, load what changed, respond.
 */
export async function submitForm(routeDeps: CheckoutRouteDeps, ctx: PathContext): Promise<void> {
  const { deps, forms } = routeDeps;
  const { query } = deps.database;
  const now = routeDeps.clock.now();

  const { path = '', secret } = ctx.params;
  const isLink = secret === undefined;
  const isFirst = isLink && (path === 'details' || path === 'restart');
  const step = isFirst ? firstStep : findStep(path);
  const action = isLink ? undefined : actions.get(path);
  const nextSecret = nextSecretIn(ctx.request.body);
  if (isLink && !isFirst) return redirectToCurrentStep(ctx);

  // A form that is submitted twice arrives under the secret of its page, while the checkout continues under the next one.
  const session = await loadSession(ctx, query, now, secret, nextSecret);
  if (!session || !(isLink || session.application) || !(step || action)) return redirectToCurrentStep(ctx);
  const request = { ...routeDeps, ctx, session, now };

  const token = verifyCheckoutForm(forms, ctx.request, { cartId: session.cart.id, secret, path }, now);
  // At the link, a form starts an application, or it is the one that has started this one.
  const canBegin = session.application ? token === 'valid' : canStart(session, path === 'restart');
  if (isLink && !canBegin) return seeOther(ctx, urlsOf(ctx).toLink());
  if (token !== 'valid') return showRejected(request, path, token === 'expired');

  const renewed = step?.renewsSecret ? nextSecret : undefined;
  let submitted: Submitted | undefined;
  try {
    if (step) submitted = await submitStep(request, step);
    else if (session.application) submitted = await action?.(deps, session, ctx.request.body, now);
  } catch (thrown) {
    // The form may have been accepted, or submitted twice at the same time: the error page is for the session as it is now. The first error
    // is the one to report.
    if (renewed !== undefined) await loadSession(ctx, query, now, renewed, secret).catch(() => undefined);
    throw thrown;
  }
  await respond(request, step, submitted, renewed);
}

/** Submits the form of a step. Undefined if the buyer cannot submit it now. */
async function submitStep(request: CheckoutRequest, step: Step): Promise<Submitted | undefined> {
  const { deps, ctx, session, now } = request;
  const urls = urlsOf(ctx);
  if (session.application && (session.state === 'completed' || (session.state === 'waiting' && step.awaitsLender))) {
    // Submitted again, it waits for the lender. An agreement that is signed again leads to the same page as the first signature.
    const settled = session.state === 'waiting' ? await afterWaiting(deps, session.application, now) : session;
    return settled.state === 'completed' ? step.resubmit?.(deps, settled, now, urls) : undefined;
  }
  if (session.application && !canSubmit(session, step)) return undefined;
  const ipAddress = ctx.state.clientAddress ?? '';
  const client = { ipAddress, userAgent: ctx.get('user-agent').slice(0, MAX_USER_AGENT_LENGTH) };
  return step.submit(deps, session, ctx.request.body, now, urls, client);
}

/** Longer than those of browsers. */
const MAX_USER_AGENT_LENGTH = 500;

async function afterWaiting(deps: CheckoutDeps, shown: ShownApplication, now: Instant): Promise<StartedSession> {
  await resolveWaiting(deps, shown, now);
  return awaitOutcome(deps.database, shown.id, now);
}

/**
 * Responds to a form that was submitted, or to the return from another service's page.
 *
 * @param submitted  - Undefined if the form cannot be submitted now.
 * @param nextSecret - The secret that the checkout continues under, if the form was accepted.
 */
export async function respond(
  request: CheckoutRequest,
  step: Step | undefined,
  submitted: Submitted | undefined,
  nextSecret?: string,
): Promise<void> {
  const { deps, showPage, ctx, session, now } = request;
  if (submitted === undefined) return redirectToCurrentStep(ctx);
  if (typeof submitted === 'object' && 'retry' in submitted) {
    const { status, retry: form } = submitted;
    const path = session.application ? step?.name : ctx.params['path'];
    return step ? showForm(request, step, { status, form, path }) : showOutcome(request, { status, form });
  }
  if (typeof submitted === 'object' && 'notice' in submitted) {
    const current = currentStep(session);
    return current ? showForm(request, current, submitted) : showOutcome(request, submitted);
  }
  // Nothing was sent, so the checkout continues under its present secret.
  if (submitted === 'no-cards') return showPage(ctx, 503, (view) => ({ ...cannotApply(session, view), session }));
  if (submitted === 'changed') {
    // For example because a new day has begun.
    const changed = session.application && (await getSession(deps.database.query, session.application.id, now));
    if (!changed || !step || currentStep(changed) !== step) return redirectToCurrentStep(ctx);
    return showForm({ ...request, session: changed }, step, {
      status: 422,
      notice: ({ form }) => (step.name === 'apply' ? form.changedConsents : form.changed),
    });
  }
  if (nextSecret !== undefined) ctx.state.secret = nextSecret;
  if (submitted !== 'next') return seeOther(ctx, submitted.externalUrl);
  // The address of the session would only redirect to the step.
  const next = await loadSession(ctx, deps.database.query, now, ctx.state.secret ?? ctx.params['secret']);
  const nextStep = next?.application && currentStep(next);
  if (nextStep) seeOther(ctx, urlsOf(ctx).to(nextStep.name));
  else redirectToCurrentStep(ctx);
}

/**
 * Shows the page of a form whose token is not valid. Only an expired form is shown with what was typed.
 *
 * @param path - The path that the form was posted to: a step, an action or `restart`.
 */
async function showRejected(request: CheckoutRequest, path: string, isExpired: boolean): Promise<void> {
  const { ctx, session } = request;
  const status = isExpired ? 422 : 403;
  const notice: Message = ({ form }) => (isExpired ? form.tooOld : form.invalidToken);
  const isRestart = path === 'restart';
  const posted = isRestart ? firstStep : findStep(path);
  const step = posted ?? currentStep(session);
  if (!step) return showOutcome(request, { status, notice });
  if (!isRestart && !canSubmit(session, step)) return redirectToCurrentStep(ctx);
  const form = isExpired && posted ? { values: redisplayedForm(ctx.request.body), errors: {} } : step.form(session);
  showForm(request, step, { status, form, notice, path: isRestart ? path : step.name });
}

/** A form that is posted in a session besides those of the steps. */
type Action = (deps: CheckoutDeps, session: StartedSession, body: unknown, now: Instant) => Promise<Submitted>;

/** The actions by their paths. */
const actions = new Map<string, Action>([
  ['check', changing(resolveWaiting)],
  ['cancel', changing(cancelApplication)],
  ['extend', changing(extendApproval)],
  ['signing-code', sending((deps, shown, now) => sendCode(deps, shown, 'signature', now))],
  ['copy-code', sending((deps, shown, now) => sendCode(deps, shown, 'copy', now))],
  ['continue-link', sending(sendContinueLink)],
  ['copy', openCopy],
]);

function changing(change: (deps: CheckoutDeps, shown: ShownApplication, now: Instant) => Promise<void>): Action {
  return async (deps, { application }, _body, now) => {
    await change(deps, application, now);
    return 'next';
  };
}

/** Sends a message to the buyer. The page is then shown with the field for a code, or states that a link was sent. */
function sending(send: (deps: CheckoutDeps, shown: ShownApplication, now: Instant) => Promise<SendResult>): Action {
  return async (deps, { application }, _body, now) => {
    const sent = await send(deps, application, now);
    if (sent === 'sent') return 'next';
    const isLimited = sent === 'too-many';
    return { notice: ({ code }) => (isLimited ? code.tooMany : code.unavailable), status: isLimited ? 429 : 503 };
  };
}

/** Opens the signed copy for a buyer who has entered the code that was sent to them. */
async function openCopy(deps: CheckoutDeps, { application }: StartedSession, body: unknown, now: Instant): Promise<Submitted> {
  const result = await useCopyCode(deps, application, hiddenField(body, 'copyCode'), now);
  const documentCode = signedAgreement(application)?.documentCode;
  if (documentCode === undefined) return 'next';
  if (result === 'correct') return { externalUrl: `/a/${documentCode}` };
  return { retry: { values: {}, errors: { copyCode: ({ code }) => code[result] } }, status: 422 };
}
