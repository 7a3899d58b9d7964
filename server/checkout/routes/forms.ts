import { seeOther } from '../../http/pages/html.ts';
import type { CheckoutTexts } from '../../../shared/languages/en/checkout.ts';
import { signedAgreement } from '../../agreements/agreement.ts';
import { hiddenField } from '../../http/pages/read-form.ts';
import type { Instant } from '../../base/time.ts';
import { cancelApplication, extendApproval } from '../decision/actions.ts';
import { awaitDecision } from '../decision/await.ts';
import { cannotApply, outcomePage } from '../outcomes/index.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { getSession, type ShownApplication } from '../session/load.ts';
import { sendCode, type SendResult, useCopyCode } from '../signing/one-time-code.ts';
import { resolveWaiting } from '../signing/sign.ts';
import { canSubmit, currentStep, findStep } from '../step-registry.ts';
import { sendContinueLink } from '../steps/application/continue-link.ts';
import type { Step, Submitted } from '../steps/step.ts';
import { nextSecretIn, verifyCheckoutForm } from '../web/forms.ts';
import { loadSession, redirectToCurrentStep, urlsOf } from '../web/pages.ts';
import { type CheckoutRequest, type Notice, type SessionRequest, showForm, showOutcome, showRejected } from './responses.ts';
import type { BuyerClient } from '../../lending/applications/signature.ts';

/** Handles a form that was posted in a session: of a step, or of an action. */
export async function submitForm(request: SessionRequest): Promise<void> {
  const { forms, ctx, session, now } = request;
  const { path = '', secret } = ctx.params;
  const step = findStep(path);
  const action = actions.get(path);
  if (!step && !action) return redirectToCurrentStep(ctx);
  const tokenStatus = verifyCheckoutForm(forms, ctx.request, { cartId: session.cart.id, secret, path }, now);
  if (tokenStatus !== 'valid') return showRejected(request, path, tokenStatus === 'expired');
  return step ? submitStep(request, step) : action?.(request);
}

const redirectAfter =
  (act: (deps: CheckoutDeps, shown: ShownApplication, now: Instant) => Promise<void>) =>
  async ({ deps, ctx, session, now }: SessionRequest): Promise<void> => {
    await act(deps, session.application, now);
    redirectToCurrentStep(ctx);
  };

/** Actions that are posted in a session besides the forms of the steps, by path. */
const actions = new Map<string, (request: SessionRequest) => Promise<void>>([
  ['check', redirectAfter(resolveWaiting)],
  ['cancel', redirectAfter(cancelApplication)],
  ['extend', redirectAfter(extendApproval)],
  ['signing-code', sending((deps, shown, now) => sendCode(deps, shown, 'signature', now))],
  ['copy-code', sending((deps, shown, now) => sendCode(deps, shown, 'copy', now))],
  ['continue-link', sending(sendContinueLink)],
  ['copy', openCopy],
]);

/** Submits the form of a step, whose token is valid, if the buyer can submit it now. */
export async function submitStep(request: SessionRequest, step: Step): Promise<void> {
  const { ctx } = request;
  const nextSecret = step.renewsSecret ? nextSecretIn(ctx.request.body) : undefined;
  const submitted = await submittedStep(request, step).catch(async (thrown: unknown) => {
    await reloadSession(request, nextSecret);
    throw thrown;
  });
  if (submitted === 'not-open') return redirectToCurrentStep(ctx);
  await respondTo(request, step, submitted, nextSecret);
}

/**
 * A form that is submitted again while the lender decides waits for the decision; an agreement that is signed again leads to the same page
 * as the first signature.
 */
async function submittedStep(request: SessionRequest, step: Step): Promise<Submitted | 'not-open'> {
  const { deps, ctx, session, now } = request;
  const urls = urlsOf(ctx);
  const isRepeated = session.state === 'waiting' && step.awaitsLender === true;
  if (isRepeated) await resolveWaiting(deps, session.application, now);
  const settled = isRepeated ? await awaitDecision(deps.database, session.application.id, now) : session;
  if (settled.state === 'completed' && step.resubmit) return step.resubmit(deps, settled, now, urls);
  if (isRepeated || session.state === 'completed' || !canSubmit(session, step)) return 'not-open';
  return step.submit(deps, session, ctx.request.body, now, urls, clientOf(request));
}

/** Responds to a form that was submitted, or to the return from another service's page. */
export async function respondTo(request: SessionRequest, step: Step, submitted: Submitted, nextSecret?: string): Promise<void> {
  const { showPage, ctx, session } = request;
  if (submitted === 'changed') return showChanged(request, step);
  if (typeof submitted === 'object' && 'retry' in submitted) {
    return showForm(request, step, { status: submitted.status, form: submitted.retry });
  }
  // Nothing was sent, so the checkout continues under its present secret.
  if (submitted === 'no-cards') return showPage(ctx, 503, (view) => ({ ...cannotApply(submitted, session, view), session }));
  if (nextSecret !== undefined) ctx.state.secret = nextSecret;
  if (submitted === 'next') return redirectToCurrentStep(ctx);
  seeOther(ctx, submitted.externalUrl);
}

/**
 * Loads the checkout again for the response to an error: the form may have been accepted, or submitted twice at the same time.
 *
 * @param nextSecret - The secret that the checkout continues under if the form was accepted.
 */
export async function reloadSession({ deps, ctx, now }: CheckoutRequest, nextSecret: string | undefined): Promise<void> {
  if (nextSecret === undefined) return;
  // The first error is the one to report.
  await loadSession(ctx, deps.database.query, now, nextSecret, ctx.params['secret']).catch(() => undefined);
}

/** Shows a form that has changed since it was shown, for example because a new day has begun, with a notice. */
async function showChanged(request: SessionRequest, step: Step): Promise<void> {
  const { deps, ctx, now } = request;
  const session = await getSession(deps.database.query, request.session.application.id, now);
  if (currentStep(session) !== step) return redirectToCurrentStep(ctx);
  const notice: Notice = ({ form }) => (step.name === 'apply' ? form.changedConsents : form.changed);
  showForm({ ...request, session }, step, { status: 422, notice });
}

/** Sends a message to the buyer, and shows the page again, which has the field for a code or states that a link was sent. */
function sending(send: (deps: CheckoutDeps, shown: ShownApplication, now: Instant) => Promise<SendResult>) {
  return async (request: SessionRequest): Promise<void> => {
    const { deps, ctx, session, now } = request;
    const sent = await send(deps, session.application, now);
    if (sent === 'sent') return redirectToCurrentStep(ctx);
    const notice: Notice = ({ code }) => (sent === 'too-many' ? code.tooMany : code.unavailable);
    const status = sent === 'too-many' ? 429 : 503;
    const step = currentStep(session);
    if (step) showForm(request, step, { status, notice });
    else showOutcome(request, { status, notice });
  };
}

/** Opens the signed copy for a buyer who has entered the code that was sent to them. */
async function openCopy({ deps, showPage, ctx, session, now }: SessionRequest): Promise<void> {
  const result = await useCopyCode(deps, session.application, hiddenField(ctx.request.body, 'copyCode'), now);
  const documentCode = signedAgreement(session.application)?.documentCode;
  if (documentCode === undefined) return redirectToCurrentStep(ctx);
  if (result === 'correct') return seeOther(ctx, `/a/${documentCode}`);
  const form = { values: {}, errors: { copyCode: ({ code }: CheckoutTexts) => code[result] } };
  showPage(ctx, 422, (view) => ({ ...outcomePage(session, deps.mail.handling, view, form), session }));
}

/** Longer than those of browsers. */
const MAX_USER_AGENT_LENGTH = 500;

function clientOf({ ctx }: CheckoutRequest): BuyerClient {
  const ipAddress = ctx.state.clientAddress ?? '';
  return { ipAddress, userAgent: ctx.get('user-agent').slice(0, MAX_USER_AGENT_LENGTH) };
}
