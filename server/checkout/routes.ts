import Router from '@koa/router';
import type { Context } from 'koa';
import { fill } from '../../shared/disclosure/texts.ts';
import type { Database } from '../db/database.ts';
import type { Clock, Instant } from '../time.ts';
import { completed } from './complete.ts';
import { formSteps } from './form-steps.ts';
import type { Lender } from '../lenders/lender.ts';
import type { FormState } from './templates/fields.ts';
import type { View } from './templates/view.ts';
import { alreadyCompleted, declined, expired, noLender, type Outcome, unavailable, unknownLink } from './templates/outcomes.ts';
import { findSession, type Session } from './session.ts';
import { noteSession, type ShowPage, wayOf } from './pages.ts';
import { type FormStepName, isFormStep, isOpen } from './steps.ts';

export interface CheckoutParts {
  database: Database;
  clock: Clock;
  lender: Lender;
  showPage: ShowPage;
  /** Called after a checkout was completed: its callback may leave. */
  onCompleted: () => void;
}

/**
 * The hosted checkout behind a cart's link: plain forms, each answered with 303 to the page that comes next.
 *
 * Whatever a buyer opens or posts, they are led to the step their checkout has reached.
 */
export function checkoutRoutes({ database, clock, lender, showPage, onCompleted }: CheckoutParts): Router {
  const router = new Router({ prefix: '/c/:code' });
  const sessionOf = async (ctx: Context & { params: Record<string, string> }, now: Instant): Promise<Session | undefined> => {
    const session = await findSession(database.query, ctx.params['code']!, now);
    noteSession(ctx, session);
    return session;
  };

  router.get('/', async (ctx) => {
    const session = await sessionOf(ctx, clock.now());
    if (!session) return showPage(ctx, 404, unknownLink);
    if (isFormStep(session.reached)) return seeOther(ctx, wayOf(ctx).to(session.reached));
    const [status, outcome] = endOf(session);
    showPage(ctx, status, (view) => ({ ...outcome(view), session }));
  });

  router.get('/:step', async (ctx) => {
    const { step = '' } = ctx.params;
    const session = await sessionOf(ctx, clock.now());
    if (!session || !isFormStep(step) || !isOpen(step, session.reached)) return seeOther(ctx, wayOf(ctx).to());
    showForm(ctx, 200, session, step, formSteps[step].blank(session));
  });

  router.post('/:step', async (ctx) => {
    const { step = '' } = ctx.params;
    const now = clock.now();
    const session = await sessionOf(ctx, now);
    const signedBefore = step === 'agreement' && session?.cart.transaction_id;
    if (signedBefore) return seeOther(ctx, completed(session, signedBefore).redirectUrl);
    if (!session || !isFormStep(step) || !isOpen(step, session.reached)) return seeOther(ctx, wayOf(ctx).to());

    const submitted = await formSteps[step].submit({ database, lender }, session, ctx.request.body, now);
    if (submitted === 'no-lender') return showPage(ctx, 503, (view) => ({ ...noLender(session, view), session }));
    if ('mend' in submitted) return showForm(ctx, 422, session, step, submitted.mend);
    if ('next' in submitted) return seeOther(ctx, wayOf(ctx).to(submitted.next));
    onCompleted();
    seeOther(ctx, submitted.completedAt);
  });

  function showForm(ctx: Context, status: number, session: Session, name: FormStepName, form: FormState): void {
    const step = formSteps[name];
    const now = clock.now();
    showPage(ctx, status, (view) => {
      const heading = step.title(view.t);
      const title = status === 422 ? fill(view.t.layout.pleaseCheck, { title: heading }) : heading;
      return { title, heading, step: name, session, content: step.show(session, form, view, now) };
    });
  }

  return router;
}

/** How a checkout that has no form left presents itself. */
function endOf(session: Session): [status: number, outcome: (view: View) => Outcome] {
  if (session.reached === 'declined') return [200, (view) => declined(session, view)];
  if (session.reached === 'unavailable' || session.reached === 'excluded') return [200, (view) => unavailable(session, view)];
  const { transaction_id: transactionId } = session.cart;
  return transactionId
    ? [200, (view) => alreadyCompleted(session, completed(session, transactionId).redirectUrl, view)]
    : [410, (view) => expired(session, view)];
}

function seeOther(ctx: Context, url: string): void {
  ctx.status = 303;
  ctx.set('location', url);
  ctx.body = '';
}
