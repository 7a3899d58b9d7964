import Router from '@koa/router';
import type { Context } from 'koa';
import { fill } from '../../shared/disclosure/texts.ts';
import type { Clock, Instant } from '../time.ts';
import { awaitOutcome } from './asking.ts';
import { cancelApplication, isCancellable } from './cancel.ts';
import { extendApproval } from './extend.ts';
import { resolveWaiting } from './resolve.ts';
import { takeCard } from './card-step.ts';
import { judgeForm, type OwnForms } from './form-guard.ts';
import { formSteps, withoutCard } from './form-steps.ts';
import { typedAgain } from './forms.ts';
import type { FormState } from './templates/fields.ts';
import { endPage } from './templates/end.ts';
import { noLender, unknownLink } from './templates/outcomes.ts';
import { cancelling } from './templates/pending.ts';
import { submitForm } from './submit.ts';
import type { CheckoutMeans } from './means.ts';
import { findSession } from './load-session.ts';
import { isAt, type Session } from './session.ts';
import type { Texts } from './texts/texts.ts';
import { leave, noteSession, type ShowPage, wayOf } from './pages.ts';
import { type FormStepName, hasFailed, isFormStep } from './steps.ts';

export interface CheckoutParts {
  means: CheckoutMeans;
  clock: Clock;
  /** How forms are known again. */
  forms: OwnForms;
  showPage: ShowPage;
}

/**
 * The hosted checkout behind a cart's link: plain forms, each answered with 303 to the page that comes next.
 *
 * Whatever a buyer opens or posts, they are led to the step their checkout has reached.
 */
export function checkoutRoutes({ means, clock, forms, showPage }: CheckoutParts): Router {
  const router = new Router({ prefix: '/c/:code' });
  const sessionOf = async (ctx: AtLink, now: Instant): Promise<Session | undefined> => {
    const session = await findSession(means.database.query, codeOf(ctx), now);
    noteSession(ctx, session);
    return session;
  };

  router.get('/', async (ctx) => {
    const now = clock.now();
    const first = await sessionOf(ctx, now);
    // Whoever comes while an answer is under way gets what it leads to, mostly.
    const session = first?.reached === 'waiting' ? await awaitOutcome(means.database, first.cart.code, now) : first;
    if (!session) return showPage(ctx, 404, unknownLink);
    if (isFormStep(session.reached)) return seeOther(ctx, wayOf(ctx).to(session.reached));
    showEnd(ctx, session);
  });

  /** Before anything is done: a form must be one that this page showed, and not long ago. */
  router.post('/:place', async (ctx, next) => {
    const { place = '' } = ctx.params;
    const now = clock.now();
    const session = await sessionOf(ctx, now);
    const verdict = session && judgeForm(forms, ctx.request, session.cart.id, place, now);
    if (!session || verdict === 'genuine') await next();
    else if (!isFormStep(place) && !ACTS.includes(place)) goOn(ctx);
    else showUntaken(ctx, session, place, verdict === 'expired');
  });

  router.post('/check', async (ctx) => {
    await resolveWaiting(means, codeOf(ctx), clock.now());
    goOn(ctx);
  });

  router.get('/cancel', async (ctx) => {
    const session = await sessionOf(ctx, clock.now());
    if (!session || !isCancellable(session)) return goOn(ctx);
    showPage(ctx, 200, (view) => ({ ...cancelling(session, view), place: 'cancel', session }));
  });

  router.post('/cancel', async (ctx) => {
    await cancelApplication(means.database, codeOf(ctx), clock.now());
    goOn(ctx);
  });

  router.post('/extend', async (ctx) => {
    await extendApproval(means, codeOf(ctx), clock.now());
    goOn(ctx);
  });

  // The way back from a gateway's page: with what was entered there, or without.
  router.get('/card/return', async (ctx) => {
    const now = clock.now();
    const session = await sessionOf(ctx, now);
    if (!session || !isAt(session, 'card')) return goOn(ctx);
    const taken = await takeCard(means, session, ctx.query['entry'], wayOf(ctx), now);
    if (taken === 'noted') return goOn(ctx);
    showForm(ctx, taken === 'none' ? 200 : 503, session, 'card', withoutCard(taken));
  });

  router.get('/:step', async (ctx) => {
    const { step = '' } = ctx.params;
    const session = await sessionOf(ctx, clock.now());
    if (!session || !isFormStep(step) || !isAt(session, step)) return goOn(ctx);
    showForm(ctx, 200, session, step, formSteps[step].blank(session));
  });

  router.post('/:step', async (ctx) => {
    const { step = '' } = ctx.params;
    const now = clock.now();
    const session = await sessionOf(ctx, now);
    if (!session || !isFormStep(step)) return goOn(ctx);
    const submitted = await submitForm(means, session, step, ctx.request.body, now, wayOf(ctx));
    if (submitted === 'no-lender') {
      return leave(ctx, session, () => showPage(ctx, 503, (view) => ({ ...noLender(session, view), session, isFailure: true })));
    }
    if (submitted === 'changed') return showChanged(ctx, step, now);
    if ('mend' in submitted) return showForm(ctx, submitted.mend.notice ? 503 : 422, session, step, submitted.mend);
    seeOther(ctx, 'leaveFor' in submitted ? submitted.leaveFor : wayOf(ctx).to(submitted.next));
  });

  function showForm(ctx: Context, status: number, session: Session, name: FormStepName, form: FormState, notice?: Notice): void {
    const step = formSteps[name];
    const now = clock.now();
    showPage(ctx, status, (view) => {
      const heading = step.title(view.t);
      const title = status === 422 ? fill(view.t.layout.pleaseCheck, { title: heading }) : heading;
      const leadsOut = name === 'card' && !means.cards?.testCards;
      const content = step.show(session, form, view, now, means);
      return { title, heading, place: name, session, leadsOut, notice: notice?.(view.t), content };
    });
  }

  /** A form that has become another since it was shown, for example because a new day has begun: as it is, and why. */
  async function showChanged(ctx: AtLink, step: FormStepName, now: Instant): Promise<void> {
    const session = await sessionOf(ctx, now);
    if (session?.reached !== step) return goOn(ctx);
    showForm(ctx, 422, session, step, formSteps[step].blank(session), ({ form }) => form.changed);
  }

  /** The page of a form that was not taken: as it stands, and only where it is ours, and old, with what was typed. */
  function showUntaken(ctx: Context, session: Session, place: string, isOld: boolean): void {
    const [status, notice]: [number, Notice] = isOld ? [422, ({ form }) => form.tooOld] : [403, ({ form }) => form.notOurs];
    const shown = isFormStep(place) ? place : session.reached;
    if (!isFormStep(shown)) return showEnd(ctx, session, status, notice);
    if (!isAt(session, shown)) return goOn(ctx);
    const typed = isOld && shown === place ? { typed: typedAgain(ctx.request.body), errors: {} } : undefined;
    showForm(ctx, status, session, shown, typed ?? formSteps[shown].blank(session), notice);
  }

  function showEnd(ctx: Context, session: Session, status = session.reached === 'expired' ? 410 : 200, notice?: Notice): void {
    // Says to the script of a page that waits that it is that page still.
    if (session.reached === 'waiting') ctx.set('retry-after', '2');
    const show = (): void =>
      showPage(ctx, status, (view) => ({ ...endPage(session, means.mail.outlet, view), session, notice: notice?.(view.t) }));
    if (hasFailed(session)) leave(ctx, session, show);
    else show();
  }

  return router;
}

/** What can be posted beside the steps. */
const ACTS = ['check', 'cancel', 'extend'];

/** Said above a page, in its language. */
type Notice = (t: Texts) => string;

type AtLink = Context & { params: Record<string, string> };

function codeOf({ params }: AtLink): string {
  return params['code'] ?? '';
}

/** On to where the checkout is. */
function goOn(ctx: Context): void {
  seeOther(ctx, wayOf(ctx).to());
}

function seeOther(ctx: Context, url: string): void {
  ctx.status = 303;
  ctx.set('location', url);
  ctx.body = '';
}
