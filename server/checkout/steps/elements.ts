import { html } from '@lit-labs/ssr';
import { fill } from '../../../shared/languages/texts.ts';
import { lastDayOf } from '../../lending/applications/expiry.ts';
import type { Html } from '../../http/pages/html.ts';
import type { Instant } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { type StartedSession, extendableUntil } from '../session/session.ts';
import { postForm } from '../web/forms.ts';
import type { View } from '../web/urls.ts';

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
