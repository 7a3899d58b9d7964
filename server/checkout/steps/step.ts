import { html } from '@lit-labs/ssr';
import type { CheckoutTexts } from '../../../shared/languages/en/checkout.ts';
import { fill } from '../../../shared/languages/texts.ts';
import { lastDayOf } from '../../lending/applications/expiry.ts';
import type { BuyerClient } from '../../lending/applications/signature.ts';
import type { Html } from '../../http/pages/html.ts';
import type { FormState } from '../../http/pages/elements.ts';
import type { Message } from '../../http/pages/read-form.ts';
import type { Texts } from '../../base/texts.ts';
import type { Instant } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { type CompletedSession, type Session, type StartedSession, extendableUntil } from '../session/session.ts';
import { postForm } from '../web/forms.ts';
import type { View, CheckoutUrls } from '../web/urls.ts';

/**
 * Result of a submitted form: redirect to the next step, or to another address; show the form again, or the page with a notice; nothing
 * can pay the card portion; or the page has changed since it was shown.
 */
export type Submitted =
  | 'next'
  | { externalUrl: string }
  | { retry: FormState; status: 200 | 422 | 503 }
  | { notice: Message; status: 429 | 503 }
  | 'no-cards'
  | 'changed';

/** A form that was not accepted because of what was typed. */
export function invalid(form: FormState): Submitted {
  return { retry: form, status: 422 };
}

/** A step of the checkout with a form. `step-registry.ts` lists the steps in order. */
export interface Step {
  /** Path segment of the step, and key of its label in the texts. */
  readonly name: keyof CheckoutTexts['steps'];
  /** Heading of its page. */
  title(t: Texts, session: Session): string;
  /** Returns true if the step is part of this buyer's checkout. */
  appliesTo(session: Session): boolean;
  /** Returns true if its form can be submitted now, for the first time or again. Called when all earlier steps are done. */
  isOpen(session: Session): boolean;
  /** Returns true if the next step follows. Called while the step is open. */
  isDone(session: Session): boolean;
  /** Returns the form as it is first shown. */
  form(session: Session): FormState;
  /** Returns the content of its page. Only the first step is shown without an application. */
  template(session: Session, form: FormState, view: View, now: Instant, deps: CheckoutDeps): Html;
  /** Submits the form. Only the first step is submitted without an application. */
  submit(
    deps: CheckoutDeps,
    session: Session,
    body: unknown,
    now: Instant,
    urls: CheckoutUrls,
    client: BuyerClient,
  ): Promise<Submitted>;
  /** Continues after the buyer returned from another service's page, with `entry` of the address. */
  resume?(deps: CheckoutDeps, session: StartedSession, entry: unknown, now: Instant, urls: CheckoutUrls): Promise<Submitted>;
  /** Returns the result of submitting the form again after the checkout was completed. */
  resubmit?(deps: CheckoutDeps, session: CompletedSession, now: Instant, urls: CheckoutUrls): Promise<Submitted>;
  /** True if the form takes personal data: the checkout continues under a new secret. */
  readonly renewsSecret?: true;
  /** True if the form starts a request to the lender. Submitting it again waits for the response. */
  readonly awaitsLender?: true;
  /** True if the page leads to the shop by itself when its form, as it is first shown, states a failure (`formError`). */
  readonly leavesAfterFailure?: true;
  /** True if the form redirects to a page of another service. */
  redirectsOffSite?(deps: CheckoutDeps): boolean;
}

/** The end of the approval, with a button to extend it if that is allowed. */
export function approvalEnd(
  session: StartedSession,
  { t, urls }: View,
  now: Instant,
  { approvals }: Pick<CheckoutDeps, 'approvals'>,
): Html {
  const { application, program } = session;
  const date = t.date(lastDayOf(application, program));
  const until = extendableUntil(session, approvals, now);
  if (!until) return html`<p class="approval">${fill(t.approval.validUntil, { date })}</p>`;
  const extended = t.date(lastDayOf({ ...application, expiresAt: until }, program));
  return html`<div class="approval">
    <p>${fill(t.approval.extendable, { date })}</p>
    ${postForm(urls, 'extend', html`<button type="submit">${fill(t.approval.extend, { date: extended })}</button>`)}
  </div>`;
}
