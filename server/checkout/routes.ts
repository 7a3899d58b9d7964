import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { fill } from '../../shared/disclosure/texts.ts';
import type { Clock, Instant } from '../time.ts';
import { awaitOutcome } from './decision/await.ts';
import { cancelApplication, isCancellable } from './session/cancel.ts';
import { takeCard } from './steps/card/submit.ts';
import { readDetails } from './steps/details/form.ts';
import { extendApproval } from './session/extend.ts';
import { judgeForm, nextSecretIn, type OwnForms } from './web/form-guard.ts';
import { formSteps, withoutCard } from './steps/index.ts';
import { typedAgain } from './web/forms.ts';
import { findSession, getSession } from './session/load.ts';
import type { CheckoutMeans } from './deps.ts';
import { continueUnder, leave, noteSession, type ShowPage, wayOf } from './web/pages.ts';
import { resolveWaiting } from './decision/resolve.ts';
import { isSessionSecret, sessionHash } from './session/secret.ts';
import { type CompletedSession, isAt, type Session, type StartedSession } from './session/session.ts';
import { startApplication } from './steps/details/submit.ts';
import { type FormStepName, hasFailed, isFormStep } from './session/progress.ts';
import { submitForm } from './steps/submit.ts';
import { endPage } from './outcomes/index.ts';
import type { FormState } from './web/fields.ts';
import { noLender, unknownLink } from './outcomes/outcomes.ts';
import { cancelling } from './outcomes/pending.ts';
import type { Texts } from './texts/texts.ts';
import { isRenewing, type Place } from './web/way.ts';

export interface CheckoutParts {
  means: CheckoutMeans;
  clock: Clock;
  /** How forms are known again. */
  forms: OwnForms;
  showPage: ShowPage;
}

/**
 * The hosted checkout: plain forms, each answered with 303 to the page that comes next.
 *
 * `/c/CODE` is a cart's link. It shows everyone the same: the first form, or that an application is in progress. The answer to that
 * form leads to `/c/CODE/SECRET`, where the checkout continues for the browser that sent it (decisions/0008). Whatever a buyer opens
 * or posts there, they are led to the step their checkout has reached.
 */
export function checkoutRoutes({ means, clock, forms, showPage }: CheckoutParts): Router[] {
  const link = new Router({ prefix: '/c/:code' });
  const inSession = new Router({ prefix: '/c/:code/:secret' });

  link.get('/', async (ctx) => {
    const session = await openedBy(ctx, clock.now());
    if (!session) return showPage(ctx, 404, unknownLink);
    if (isFormStep(session.reached)) return seeOther(ctx, wayOf(ctx).to(session.reached));
    showEnd(ctx, session);
  });

  link.get('/:place', async (ctx, next) => {
    const { place = '' } = ctx.params;
    if (isSessionSecret(place)) {
      await next();
      return;
    }
    const session = await openedBy(ctx, clock.now());
    if (!session) return goOn(ctx);
    if (isFirstForm(place) && session.reached === FIRST_FORMS[place]) {
      return showForm(ctx, 200, session, 'details', formSteps.details.blank(session), { place });
    }
    goOn(ctx);
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
    const verdict = judgeForm(forms, ctx.request, { cartId: session.cart.id, secret: undefined, place }, now);
    // The same form was accepted before: it is sent twice, or was changed after going back to it.
    if (session.application && verdict === 'genuine') return submit(ctx, session, 'details', now);
    if (session.application || session.reached !== FIRST_FORMS[place]) return seeOther(ctx, wayOf(ctx).toLink());
    if (verdict !== 'genuine' || nextSecret === undefined) return showUntaken(ctx, session, place, verdict === 'expired');

    const { options } = session.purchase;
    const read = readDetails(options, ctx.request.body);
    if (!read.ok) return showForm(ctx, 422, session, 'details', read, { place });
    const details = { ...read.details, language: wayOf(ctx).lang };
    const start = { sessionHash: sessionHash(nextSecret), isRestart: place === 'restart' };
    const starting = startApplication(means, session.cart.code, details, now, start);
    await starting.catch(leadingTo(ctx, now, nextSecret));
    continueUnder(ctx, nextSecret);
    goOn(ctx);
  });

  inSession.get(
    '/',
    opened(async (ctx, session, now) => {
      // A page that is opened while a lender is asked shows, in most cases, what the lender answers.
      const settled = session.reached === 'waiting' ? await awaitOutcome(means.database, session.application.id, now) : session;
      if (isFormStep(settled.reached)) return seeOther(ctx, wayOf(ctx).to(settled.reached));
      showEnd(ctx, settled);
    }),
  );

  inSession.get(
    '/cancel',
    opened((ctx, session) => {
      if (!isCancellable(session)) return goOn(ctx);
      showPage(ctx, 200, (view) => ({ ...cancelling(session, view), place: 'cancel', session }));
    }),
  );

  // The way back from a gateway's page: with what was entered there, or without.
  inSession.get(
    '/card/return',
    opened(async (ctx, session, now) => {
      if (session.reached === 'completed' || !isAt(session, 'card')) return goOn(ctx);
      const taken = await takeCard(means, session, ctx.query['entry'], wayOf(ctx), now);
      if (taken === 'noted') return goOn(ctx);
      showForm(ctx, taken === 'none' ? 200 : 503, session, 'card', withoutCard(taken));
    }),
  );

  inSession.get(
    '/:step',
    opened((ctx, session) => {
      const { step = '' } = ctx.params;
      if (!isFormStep(step) || !isAt(session, step)) return goOn(ctx);
      showForm(ctx, 200, session, step, formSteps[step].blank(session));
    }),
  );

  inSession.post(
    '/:place',
    opened(async (ctx, session, now) => {
      const { place = '', secret } = ctx.params;
      if (!isFormStep(place) && !isAct(place)) return goOn(ctx);
      // Before anything is done: a form must be one that a page of this session showed, and not long ago.
      const verdict = judgeForm(forms, ctx.request, { cartId: session.cart.id, secret, place }, now);
      if (verdict !== 'genuine') return showUntaken(ctx, session, place, verdict === 'expired');
      if (isFormStep(place)) return submit(ctx, session, place, now);
      await acts[place](session, now);
      goOn(ctx);
    }),
  );

  /** What can be posted besides the forms of the steps. */
  const acts: Record<Act, (session: OwnSession, now: Instant) => Promise<void>> = {
    check: ({ application }, now) => resolveWaiting(means, application, now),
    cancel: ({ application }, now) => cancelApplication(means.database, application, now),
    extend: ({ application }, now) => extendApproval(means, application, now),
  };

  async function submit(ctx: AtAddress, session: OwnSession, step: FormStepName, now: Instant): Promise<void> {
    const nextSecret = isRenewing(step) ? nextSecretIn(ctx.request.body) : undefined;
    const submitting = submitForm(means, session, step, ctx.request.body, now, wayOf(ctx));
    const submitted = await submitting.catch(leadingTo(ctx, now, nextSecret));
    if (submitted === 'changed') return showChanged(ctx, session, step, now);
    if (typeof submitted === 'object' && 'mend' in submitted) {
      return showForm(ctx, submitted.mend.notice ? 503 : 422, session, step, submitted.mend);
    }
    if (submitted !== 'not-open' && nextSecret !== undefined) continueUnder(ctx, nextSecret);
    if (submitted === 'no-lender') {
      return leave(ctx, session, () => showPage(ctx, 503, (view) => ({ ...noLender(session, view), session, isFailure: true })));
    }
    if (submitted === 'not-open') return goOn(ctx);
    seeOther(ctx, 'leaveFor' in submitted ? submitted.leaveFor : wayOf(ctx).to(submitted.next));
  }

  /** The checkout of the first of some secrets that is one of its sessions; without one, what the link shows. */
  async function openedBy(ctx: AtAddress, now: Instant, ...secrets: (string | undefined)[]): Promise<Session | undefined> {
    let session: Session | undefined;
    for (const secret of new Set(secrets.length > 0 ? secrets : [undefined])) {
      session = await findSession(means.database.query, ctx.params['code'] ?? '', secret, now);
      noteSession(ctx, session, secret);
      if (!session || session.application) break;
    }
    return session;
  }

  /** Serves what is below a secret, to the browser that has it. */
  function opened(serve: (ctx: AtAddress, session: OwnSession, now: Instant) => Promise<void> | void): Middleware {
    return async (context, next) => {
      const ctx = context as AtAddress;
      const { secret } = ctx.params;
      if (!isSessionSecret(secret)) {
        await next();
        return;
      }
      const now = clock.now();
      // A form that is sent twice arrives under the secret that it was shown under, when the checkout continues under its next one.
      const session = await openedBy(ctx, now, secret, nextSecretIn(ctx.request.body) ?? secret);
      if (!session) return goOn(ctx);
      if (session.application) return serve(ctx, session, now);
      if (ctx.method === 'GET' && session.reached === 'in-progress') return showEnd(ctx, session);
      goOn(ctx);
    };
  }

  /** After a failure: where the checkout continues if the same form was accepted all the same, or was sent twice at the same moment. */
  function leadingTo(ctx: AtAddress, now: Instant, nextSecret: string | undefined) {
    return async (thrown: unknown): Promise<never> => {
      // Of two failures, the first is the one to report.
      if (nextSecret !== undefined) await openedBy(ctx, now, nextSecret, ctx.params['secret']).catch(() => undefined);
      throw thrown;
    };
  }

  function showForm(
    ctx: Context,
    status: number,
    session: Session,
    name: FormStepName,
    form: FormState,
    { notice, place = name }: { notice?: Notice; place?: Place } = {},
  ): void {
    const step = formSteps[name];
    const now = clock.now();
    showPage(ctx, status, (view) => {
      const heading = step.title(view.t);
      const title = status === 422 ? fill(view.t.layout.pleaseCheck, { title: heading }) : heading;
      const leadsOut = name === 'card' && !means.cards?.testCards;
      const content = step.show(session, form, view, now, means);
      return { title, heading, place, session, leadsOut, notice: notice?.(view.t), content };
    });
  }

  /** A form that has become another since it was shown, for example because a new day has begun: as it is, and why. */
  async function showChanged(ctx: AtAddress, { application }: OwnSession, step: FormStepName, now: Instant): Promise<void> {
    const session = await getSession(means.database.query, application.id, now);
    if (session.reached !== step) return goOn(ctx);
    showForm(ctx, 422, session, step, formSteps[step].blank(session), { notice: ({ form }) => form.changed });
  }

  /** The page of a form that was not taken: as it stands, and only where it is ours, and old, with what was typed. */
  function showUntaken(ctx: Context, session: Session, place: FormStepName | Act | FirstForm, isOld: boolean): void {
    const status = isOld ? 422 : 403;
    const notice: Notice = ({ form }) => (isOld ? form.tooOld : form.notOurs);
    const step = place === 'restart' ? 'details' : isFormStep(place) ? place : session.reached;
    if (!isFormStep(step)) return showEnd(ctx, session, status, notice);
    if (place !== 'restart' && !isAt(session, step)) return goOn(ctx);
    const typed = isOld && !isAct(place) ? { typed: typedAgain(ctx.request.body), errors: {} } : undefined;
    const at = place === 'restart' ? { notice, place } : { notice };
    showForm(ctx, status, session, step, typed ?? formSteps[step].blank(session), at);
  }

  function showEnd(ctx: Context, session: Session, status = session.reached === 'expired' ? 410 : 200, notice?: Notice): void {
    // Says to the script of a page that waits that it is that page still.
    if (session.reached === 'waiting') ctx.set('retry-after', '2');
    const show = (): void =>
      showPage(ctx, status, (view) => ({ ...endPage(session, means.mail.outlet, view), session, notice: notice?.(view.t) }));
    if (hasFailed(session)) leave(ctx, session, show);
    else show();
  }

  return [link, inSession];
}

/** The forms at a cart's link, each with what the link must show for it to be open. */
const FIRST_FORMS = { details: 'details', restart: 'in-progress' } as const;
type FirstForm = keyof typeof FIRST_FORMS;

function isFirstForm(place: string): place is FirstForm {
  return Object.hasOwn(FIRST_FORMS, place);
}

/** What can be posted in a session besides the forms of the steps. */
const ACTS = ['check', 'cancel', 'extend'] as const;
type Act = (typeof ACTS)[number];

function isAct(place: string): place is Act {
  return (ACTS as readonly string[]).includes(place);
}

/** Said above a page, in its language. */
type Notice = (t: Texts) => string;

type OwnSession = StartedSession | CompletedSession;
type AtAddress = Context & { params: Record<string, string> };

/** On to where the checkout is. */
function goOn(ctx: Context): void {
  seeOther(ctx, wayOf(ctx).to());
}

function seeOther(ctx: Context, url: string): void {
  ctx.status = 303;
  ctx.set('location', url);
  ctx.body = '';
}
