import { html } from '@lit-labs/ssr';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Html } from '../../http/html.ts';
import type { Instant } from '../../time.ts';
import { keepableUntil } from '../session/extend.ts';
import type { CheckoutMeans } from '../deps.ts';
import type { StartedSession } from '../session/session.ts';
import { form } from '../web/form.ts';
import type { View } from '../web/view.ts';

/** Until when the buyer has time, and the way to more of it where there is one. */
export function approvalEnd(
  session: StartedSession,
  { t, way }: View,
  now: Instant,
  { approvals }: Pick<CheckoutMeans, 'approvals'>,
): Html {
  const moment = t.moment(session.application.expires_at);
  const until = keepableUntil(session, approvals, now);
  if (!until) return html`<p class="approval">${fill(t.approval.holds, { moment })}</p>`;
  return html`<div class="approval">
    <p>${fill(t.approval.extendable, { moment })}</p>
    ${form(way, 'extend', html`<button type="submit">${fill(t.approval.extend, { until: t.moment(until) })}</button>`)}
  </div>`;
}
