import Router from '@koa/router';
import { fill } from '../../shared/languages/texts.ts';
import type { Context, Middleware, State } from '../http/context.ts';
import { clientAddress, clientNetworks, type RateLimiters } from '../http/rate-limit.ts';
import type { Clock, Instant } from '../time.ts';
import { awaitDecision } from './decision/await.ts';
import { tooManyApplications } from './decision/limits.ts';
import type { CheckoutDeps } from './session/deps.ts';
import { cannotApply, outcomePage } from './outcomes/index.ts';
import { cancelling } from './outcomes/pages.ts';
import { cancelApplication, extendApproval } from './decision/actions.ts';
import { findSession, getSession } from './session/load.ts';
import { isSessionSecret, sessionHash } from './session/secret.ts';
import { type CompletedSession, type Session, type StartedSession, isCancellable } from './session/session.ts';
import { canStart, hasFailed } from './session/state.ts';
import { type SigningClient, signedAgreement } from '../agreements/agreement.ts';
import { completed, recordReturn } from './signing/complete.ts';
import { type CodePurpose, sendCode, useCopyCode } from './signing/one-time-code.ts';
import { resolveWaiting } from './signing/sign.ts';
import { useReturnToken } from './steps/card/return-address.ts';
import { readDetails } from './steps/details/form.ts';
import { requireRestartable, startApplication } from './steps/details/submit.ts';
import { canTake, currentStep, findStep, steps, submitForm } from './step-registry.ts';
import type { Step, Submitted } from './steps/step.ts';
import type { CheckoutTexts } from '../../shared/languages/en/checkout.ts';
import type { Texts } from '../texts.ts';
import type { FormState } from '../pages/elements.ts';
import { nextSecretIn, type OwnForms, verifyForm } from './web/form-token.ts';
import { unknownLink } from '../pages/page.ts';
import { isByScript, storeSecret, leave, storeSession, type ShowPage, urlsOf, redirectsToShop } from './web/pages.ts';
import { hiddenField, redisplayedForm } from '../pages/read-form.ts';

export interface CheckoutParts {
  deps: CheckoutDeps;
  clock: Clock;
  /** Verifies posted forms. */
  forms: OwnForms;
  showPage: ShowPage;
  limits: Pick<RateLimiters, 'applicationsPerAddress'>;
  trustProxy: boolean;
}

/**
 * The hosted checkout: plain forms, each of which redirects with 303 to the next page.
 *
 * `/c/CODE` is a cart's link. It shows everyone the same: the first form, or that an application is in progress. Submitting that form
 * leads to `/c/CODE/SECRET`, where the checkout continues for the browser that sent it (decisions/0008). Any other request there is
 * redirected to the current step.
 */
export function checkoutRoutes({ deps, clock, forms, showPage, limits, trustProxy }: CheckoutParts): Router<State>[] {
  const link = new Router<State>({ prefix: '/c/:code' });
  const inSession = new Router<State>({ prefix: '/c/:code/:secret' });

  link.get('/', async (ctx) => {
    const session = await openedBy(ctx, clock.now());
    if (!session) return showPage(ctx, 404, unknownLink);
    const step = currentStep(session);
    if (step) return seeOther(ctx, urlsOf(ctx).to(step.name));
    showOutcome(ctx, session);
  });

  link.get('/:place', async (ctx, next) => {
    const { place = '' } = ctx.params;
    if (isSessionSecret(place)) {
      await next();
      return;
    }
    const session = await openedBy(ctx, clock.now());
    if (!session) return goOn(ctx);
    if (isFirstForm(place) && canStart(session, place === 'restart')) {
      if (place === 'restart') await requireRestartable(deps.database.query, session.cart.id);
      return showForm(ctx, 200, session, firstStep, firstStep.form(session), { place });
    }
    goOn(ctx);
  });

  // A card gateway's page returns here. The address that the browser shows afterwards can be reloaded.
  link.get('/card-return/:token', async (ctx) => {
    const now = clock.now();
    const { code = '', token = '' } = ctx.params;
    const secret = await useReturnToken(deps, code, token, now);
    if (secret === undefined || !(await openedBy(ctx, now, secret))) return goOn(ctx);
    const { entry } = ctx.query;
    const query = typeof entry === 'string' ? `&${new URLSearchParams({ entry }).toString()}` : '';
    seeOther(ctx, urlsOf(ctx).to('card/return') + query);
  });

  link.post('/:place', async (ctx, next) => {
    const { place = '' } = ctx.params;
    if (isSessionSecret(place)) {
      await next();
      return;
    }
    if (!isFirstForm(place)) return goOn(ctx);
    const now = clock.now();
    const nextSecret = nextSecretIn(ctx.request.body);
    const session = await openedBy(ctx, now, nextSecret);
    if (!session) return goOn(ctx);
    const verdict = verifyForm(forms, ctx.request, { cartId: session.cart.id, secret: undefined, place }, now);
    // The same form was accepted before: it was submitted twice, or changed after going back to it.
    if (session.application && verdict === 'genuine') return submit(ctx, session, firstStep, now);
    if (session.application || !canStart(session, place === 'restart')) return seeOther(ctx, urlsOf(ctx).toLink());
    if (verdict !== 'genuine' || nextSecret === undefined) return showRejected(ctx, session, place, verdict === 'expired');

    const { options } = session.purchase;
    const read = readDetails(options, ctx.request.body);
    if (!read.ok) return showForm(ctx, 422, session, firstStep, read, { place });
    const details = { ...read.details, language: urlsOf(ctx).lang };
    const start = { sessionHash: sessionHash(nextSecret), isRestart: place === 'restart' };
    const starting = startApplication(deps, session.cart.code, details, now, start);
    await starting.catch(leadingTo(ctx, now, nextSecret));
    storeSecret(ctx, nextSecret);
    goOn(ctx);
  });

  inSession.get(
    '/',
    opened(async (ctx, session, now) => {
      // Most lenders decide while the page waits.
      const settled = session.state === 'waiting' ? await awaitDecision(deps.database, session.application.id, now) : session;
      const step = currentStep(settled);
      if (step) return seeOther(ctx, urlsOf(ctx).to(step.name));
      if (settled.state === 'completed') return showCompleted(ctx, settled, now);
      showOutcome(ctx, settled);
    }),
  );

  inSession.get(
    '/cancel',
    opened((ctx, session) => {
      if (!isCancellable(session)) return goOn(ctx);
      showPage(ctx, 200, (view) => ({ ...cancelling(session, view), place: 'cancel', session }));
    }),
  );

  inSession.get(
    '/:step/return',
    opened(async (ctx, session, now) => {
      const step = findStep(ctx.params['step'] ?? '');
      if (!step?.resume || session.state === 'completed' || !canTake(session, step)) return goOn(ctx);
      await present(ctx, session, step, now, await step.resume(deps, session, ctx.query['entry'], now, urlsOf(ctx)));
    }),
  );

  inSession.get(
    '/:step',
    opened((ctx, session) => {
      const step = findStep(ctx.params['step'] ?? '');
      if (!step || !canTake(session, step)) return goOn(ctx);
      showForm(ctx, 200, session, step, step.form(session));
    }),
  );

  inSession.post(
    '/:place',
    opened(async (ctx, session, now) => {
      const { place = '', secret } = ctx.params;
      const step = findStep(place);
      if (!step && !isAction(place)) return goOn(ctx);
      const verdict = verifyForm(forms, ctx.request, { cartId: session.cart.id, secret, place }, now);
      if (verdict !== 'genuine') return showRejected(ctx, session, place, verdict === 'expired');
      if (step) return submit(ctx, session, step, now);
      if (place === 'signing-code') return sendCodeFor(ctx, session, 'signature', now);
      if (place === 'copy-code') return sendCodeFor(ctx, session, 'copy', now);
      if (place === 'copy') return openCopy(ctx, session, now);
      await actions[place as Action](session, now);
      goOn(ctx);
    }),
  );

  /** Actions that are posted besides the forms of the steps. */
  const actions: Record<Action, (session: OwnSession, now: Instant) => Promise<void>> = {
    check: ({ application }, now) => resolveWaiting(deps, application, now),
    cancel: ({ application }, now) => cancelApplication(deps, application, now),
    extend: ({ application }, now) => extendApproval(deps, application, now),
  };

  /** Sends a one-time code, and shows the page again that has the field for it. */
  async function sendCodeFor(ctx: AtAddress, session: OwnSession, purpose: CodePurpose, now: Instant): Promise<void> {
    const sent = await sendCode(deps, session.application, purpose, now);
    if (sent === 'sent') return goOn(ctx);
    const notice: Notice = ({ code }) => (sent === 'too-many' ? code.tooMany : code.unavailable);
    const status = sent === 'too-many' ? 429 : 503;
    const step = currentStep(session);
    if (step) showForm(ctx, status, session, step, step.form(session), { notice });
    else showOutcome(ctx, session, status, notice);
  }

  /** Opens the signed copy for a buyer who has entered the code that was sent to them. */
  async function openCopy(ctx: AtAddress, session: OwnSession, now: Instant): Promise<void> {
    const verdict = await useCopyCode(deps, session.application, hiddenField(ctx.request.body, 'copyCode'), now);
    const documentCode = signedAgreement(session.application)?.documentCode;
    // Agreements from before there were documents are shown on the page of the checkout.
    if (documentCode === undefined) return goOn(ctx);
    if (verdict === 'correct') return seeOther(ctx, `/a/${documentCode}`);
    const form = { values: {}, errors: { copyCode: ({ code }: CheckoutTexts) => code[verdict] } };
    showPage(ctx, 422, (view) => ({ ...outcomePage(session, deps.mail.handling, view, form), session }));
  }

  /**
   * Shows the page of a completed checkout. A buyer whose purchase was completed while they waited is redirected to the shop first, once.
   * The script of the waiting page gets the page, because it cannot follow redirects to other origins; it then opens this address.
   */
  async function showCompleted(ctx: AtAddress, session: CompletedSession, now: Instant): Promise<void> {
    const isFirst = ctx.method === 'GET' && !isByScript(ctx) && (await recordReturn(deps, session, now));
    if (isFirst && redirectsToShop(deps.mail, urlsOf(ctx))) {
      return seeOther(ctx, completed(session, session.transactionId).redirectUrl);
    }
    showOutcome(ctx, session);
  }

  async function submit(ctx: AtAddress, session: OwnSession, step: Step, now: Instant): Promise<void> {
    if (step.isLimited) limitApplications(ctx);
    const nextSecret = step.renewsSecret ? nextSecretIn(ctx.request.body) : undefined;
    const submitting = submitForm(deps, session, step, ctx.request.body, now, urlsOf(ctx), clientOf(ctx));
    const submitted = await submitting.catch(leadingTo(ctx, now, nextSecret));
    if (submitted === 'not-open') return goOn(ctx);
    await present(ctx, session, step, now, submitted, nextSecret);
  }

  function clientOf({ req, headers }: Context): SigningClient {
    const ipAddress = clientAddress(req, trustProxy) ?? '';
    return { ipAddress, userAgent: (headers['user-agent'] ?? '').slice(0, MAX_USER_AGENT_LENGTH) };
  }

  /** @throws ServiceError `rate-limited` */
  function limitApplications(ctx: Context): void {
    const waitMs = limits.applicationsPerAddress.take(...clientNetworks(ctx.req, trustProxy));
    if (waitMs > 0) throw tooManyApplications('address', 'fewer applications from one address', Math.ceil(waitMs / 1_000));
  }

  async function present(
    ctx: AtAddress,
    session: OwnSession,
    step: Step,
    now: Instant,
    submitted: Submitted,
    nextSecret?: string,
  ): Promise<void> {
    if (submitted === 'changed') return showChanged(ctx, session, step, now);
    if (typeof submitted === 'object' && 'retry' in submitted) {
      return showForm(ctx, submitted.status, session, step, submitted.retry);
    }
    if (nextSecret !== undefined) storeSecret(ctx, nextSecret);
    if (submitted === 'no-lender' || submitted === 'no-cards') {
      const show = () => showPage(ctx, 503, (view) => ({ ...cannotApply(submitted, session, view), session, isFailure: true }));
      return leave(ctx, session, show);
    }
    seeOther(ctx, submitted === 'next' ? urlsOf(ctx).to() : submitted.leaveFor);
  }

  /** Returns the checkout of the first secret that is one of its sessions, or else what the link shows. */
  async function openedBy(ctx: AtAddress, now: Instant, ...secrets: (string | undefined)[]): Promise<Session | undefined> {
    let session: Session | undefined;
    for (const secret of new Set(secrets.length > 0 ? secrets : [undefined])) {
      session = await findSession(deps.database.query, ctx.params['code'] ?? '', secret, now);
      storeSession(ctx, session, secret);
      if (!session || session.application) break;
    }
    return session;
  }

  /** Serves what is below a secret to the browser that has it. */
  function opened(serve: (ctx: AtAddress, session: OwnSession, now: Instant) => Promise<void> | void): Middleware {
    return async (context, next) => {
      const ctx = context as AtAddress;
      const { secret } = ctx.params;
      if (!isSessionSecret(secret)) {
        await next();
        return;
      }
      const now = clock.now();
      // A form that is submitted twice arrives under the secret of its page, while the checkout continues under the next one.
      const session = await openedBy(ctx, now, secret, nextSecretIn(ctx.request.body) ?? secret);
      if (!session) return goOn(ctx);
      if (session.application) return serve(ctx, session, now);
      if (ctx.method === 'GET' && session.state === 'in-progress') return showOutcome(ctx, session);
      goOn(ctx);
    };
  }

  /** Loads the checkout again after an error: the form may have been accepted, or submitted twice at the same time. */
  function leadingTo(ctx: AtAddress, now: Instant, nextSecret: string | undefined) {
    return async (thrown: unknown): Promise<never> => {
      // The first error is the one to report.
      if (nextSecret !== undefined) await openedBy(ctx, now, nextSecret, ctx.params['secret']).catch(() => undefined);
      throw thrown;
    };
  }

  function showForm(
    ctx: Context,
    status: number,
    session: Session,
    step: Step,
    form: FormState,
    { notice, place = step.name }: { notice?: Notice; place?: string } = {},
  ): void {
    const now = clock.now();
    const ownSteps = steps.filter((each) => each.appliesTo(session));
    showPage(ctx, status, (view) => {
      const { t } = view;
      const heading = step.title(t);
      return {
        title: status === 422 ? fill(t.layout.hasErrors, { title: heading }) : heading,
        heading,
        place,
        progress: { labels: ownSteps.map(({ name }) => t.steps[name]), current: ownSteps.indexOf(step) },
        session,
        leadsOut: step.leadsOut?.(deps) ?? false,
        notice: notice?.(t),
        content: step.template(session, form, view, now, deps),
      };
    });
  }

  /** A form that has changed since it was shown, for example because a new day has begun, with a notice. */
  async function showChanged(ctx: AtAddress, { application }: OwnSession, step: Step, now: Instant): Promise<void> {
    const session = await getSession(deps.database.query, application.id, now);
    if (currentStep(session) !== step) return goOn(ctx);
    showForm(ctx, 422, session, step, step.form(session), {
      notice: ({ form }) => (step.name === 'apply' ? form.changedConsents : form.changed),
    });
  }

  /** The page of a form that was rejected. Only an expired form is shown with what was typed. */
  function showRejected(ctx: Context, session: Session, place: string, isExpired: boolean): void {
    const status = isExpired ? 422 : 403;
    const notice: Notice = ({ form }) => (isExpired ? form.tooOld : form.invalidToken);
    const step = place === 'restart' ? firstStep : (findStep(place) ?? currentStep(session));
    if (!step) return showOutcome(ctx, session, status, notice);
    if (place !== 'restart' && !canTake(session, step)) return goOn(ctx);
    const isTyped = isExpired && !isAction(place);
    const form = isTyped ? { values: redisplayedForm(ctx.request.body), errors: {} } : step.form(session);
    showForm(ctx, status, session, step, form, place === 'restart' ? { notice, place } : { notice });
  }

  function showOutcome(ctx: Context, session: Session, status = session.state === 'expired' ? 410 : 200, notice?: Notice): void {
    // The client script polls as long as a response has this header.
    if (session.state === 'waiting') ctx.set('retry-after', '2');
    const show = (): void =>
      showPage(ctx, status, (view) => ({ ...outcomePage(session, deps.mail.handling, view), session, notice: notice?.(view.t) }));
    if (hasFailed(session)) leave(ctx, session, show);
    else show();
  }

  return [link, inSession];
}

const firstStep = steps[0]!;

/** Longer than those of browsers. */
const MAX_USER_AGENT_LENGTH = 500;

/** Returns true for the forms at a cart's link, which start an application. */
function isFirstForm(place: string): boolean {
  return place === 'details' || place === 'restart';
}

/** Names of the actions that are posted in a session besides the forms of the steps. */
const ACTIONS = ['check', 'cancel', 'extend'] as const;
type Action = (typeof ACTIONS)[number];

/** Actions of one-time codes, which respond with a page. */
const CODE_ACTIONS = ['signing-code', 'copy-code', 'copy'];

function isAction(place: string): boolean {
  return [...ACTIONS, ...CODE_ACTIONS].includes(place);
}

/** Shown above a page, in its language. */
type Notice = (t: Texts) => string;

type OwnSession = StartedSession | CompletedSession;
type AtAddress = Context & { params: Record<string, string> };

/** Redirects to the current step. */
function goOn(ctx: Context): void {
  seeOther(ctx, urlsOf(ctx).to());
}

function seeOther(ctx: Context, url: string): void {
  ctx.status = 303;
  ctx.set('location', url);
  ctx.body = '';
}
