import { fill } from '../../../shared/languages/texts.ts';
import type { FormState } from '../../http/pages/elements.ts';
import type { OwnForms } from '../../http/pages/form.ts';
import type { Message } from '../../http/pages/read-form.ts';
import type { Texts } from '../../base/texts.ts';
import type { Clock, Instant } from '../../base/time.ts';
import { readLoan } from '../../purchases/transactions/loan.ts';
import type { Transactions } from '../../purchases/transactions/transactions.ts';
import { outcomePage } from '../outcomes/index.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import type { Session } from '../session/session.ts';
import { hasFailed } from '../session/state.ts';
import { steps } from '../step-registry.ts';
import type { Step } from '../steps/step.ts';
import { isByScript, leave, type PathContext, type ShowPage } from '../web/pages.ts';

export interface CheckoutRouteDeps {
  deps: CheckoutDeps;
  clock: Clock;
  /** The key and the origin with which posted forms are verified. */
  forms: OwnForms;
  showPage: ShowPage;
  transactions: Transactions;
}

/** A request of a browser, with the session that it may see. */
export interface CheckoutRequest<S extends Session = Session> extends CheckoutRouteDeps {
  ctx: PathContext;
  session: S;
  now: Instant;
}

/**
 * Shows the form of a step.
 *
 * @param options.status - 422 marks the title as that of a form with errors.
 * @param options.form - By default, as it is first shown.
 * @param options.notice - Shown above the form, as an alert.
 * @param options.path - The path that the form is posted to, if it is not the name of the step.
 */
export function showForm(
  { deps, showPage, ctx, session, now }: CheckoutRequest,
  step: Step,
  options: { status?: number; form?: FormState; notice?: Message; path?: string | undefined } = {},
): void {
  const { form = step.form(session), notice, path = step.name } = options;
  // The lender could not be reached, which the form states as its error. The page then leads to the shop by itself.
  const isFailure = step.leavesAfterFailure === true && form.formError !== undefined;
  // The script that polls on the waiting page shows this page only if its status is below 500.
  const { status = isFailure && !isByScript(ctx) ? 503 : 200 } = options;
  const ownSteps = steps.filter((each) => each.appliesTo(session));
  showPage(ctx, status, (view) => {
    const { t } = view;
    const heading = step.title(t, session);
    return {
      step: step.name,
      title: status === 422 ? fill(t.layout.hasErrors, { title: heading }) : heading,
      heading,
      path,
      progress: { labels: ownSteps.map(({ name }) => t.steps[name]), current: ownSteps.indexOf(step) },
      session,
      isLeaving: isFailure,
      redirectsOffSite: step.redirectsOffSite?.(deps) ?? false,
      notice: notice?.(t) ?? (session.isCartOpen ? undefined : orderClosed(session, t)),
      content: step.template(session, form, view, now, deps),
    };
  });
}

/** Shown with the forms of an incomplete application whose cart has ended. */
function orderClosed({ program, merchant }: Session, { orderClosed: { undecided } }: Texts): string {
  return fill(undecided, { lender: program.lender.name, merchant: merchant.name });
}

/** Shows the page of a checkout that is not at a step, or redirects to the shop if it has failed. */
export async function showOutcome(
  { deps, transactions, showPage, ctx, session, now }: CheckoutRequest,
  {
    status = session.state === 'expired' ? 410 : 200,
    form,
    notice,
  }: { status?: number; form?: FormState; notice?: Message } = {},
): Promise<void> {
  // The client script polls as long as a response has this header.
  if (session.state === 'waiting') ctx.set('retry-after', '2');
  // The page of a completed purchase states the loan after changes of the order.
  let shown = session;
  if (session.state === 'completed') {
    const { query } = deps.database;
    const ref = { merchantId: session.merchant.id, id: session.transactionId };
    shown = { ...session, loan: await readLoan(query, await transactions.get(query, ref, now)) };
  }
  const show = (): void =>
    showPage(ctx, status, (view) => ({
      ...outcomePage(shown, deps.mail.handling, view, form),
      session: shown,
      notice: notice?.(view.t),
    }));
  if (hasFailed(session)) leave(ctx, session, show);
  else show();
}
