import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import { addressLines, type BuyerContact } from '../../applications/contact.ts';
import type { Html } from '../../http/html.ts';
import type { Instant } from '../../time.ts';
import type { CheckoutDeps } from '../deps.ts';
import { extendableUntil } from '../session/actions.ts';
import type { StartedSession } from '../session/session.ts';
import type { View, Way } from './way.ts';

/**
 * A form that is posted to a place of this checkout. Validation is done by the server, in the language of the page.
 *
 * @param options.polls - The page waits: the client script submits the form until it leads elsewhere.
 * @param options.renewsSecret - Whether the checkout continues under a new secret once the form is accepted.
 */
export function form(way: Way, place: string, content: Html, { polls = false, renewsSecret = false } = {}): Html {
  const { formToken, nextSecret } = way.seal(place, renewsSecret);
  return html`<form method="post" action="${way.to(place)}" novalidate data-polls="${polls ? '' : nothing}">
    <input type="hidden" name="formToken" value="${formToken}" />
    ${nextSecret && html`<input type="hidden" name="nextSecret" value="${nextSecret}" />`}
    ${content}
  </form>`;
}

/** A table with a heading for each column. */
export function table(headings: readonly string[], rows: readonly (readonly unknown[])[], caption?: string): Html {
  return html`<table>
    ${caption ? html`<caption>${caption}</caption>` : nothing}
    <colgroup>${headings.map(() => html`<col />`)}</colgroup>
    <thead>
      <tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr>
    </thead>
    <tbody>
      ${rows.map(row)}
    </tbody>
  </table>`;
}

/** A payment schedule has dozens of rows of five cells: one template per row renders much faster than one per cell. */
function row(cells: readonly unknown[]): Html {
  if (cells.length !== 5) return html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`;
  const [first, second, third, fourth, fifth] = cells;
  return html`<tr><td>${first}</td><td>${second}</td><td>${third}</td><td>${fourth}</td><td>${fifth}</td></tr>`;
}

/** When the approval ends, with a button to extend it if it can be. */
export function approvalEnd(
  session: StartedSession,
  { t, way }: View,
  now: Instant,
  { approvals }: Pick<CheckoutDeps, 'approvals'>,
): Html {
  const moment = t.moment(session.application.expires_at);
  const until = extendableUntil(session, approvals, now);
  if (!until) return html`<p class="approval">${fill(t.approval.holds, { moment })}</p>`;
  return html`<div class="approval">
    <p>${fill(t.approval.extendable, { moment })}</p>
    ${form(way, 'extend', html`<button type="submit">${fill(t.approval.extend, { until: t.moment(until) })}</button>`)}
  </div>`;
}

/** An address, one line each. */
export function addressBlock(contact: BuyerContact): Html {
  return html`${addressLines(contact).map((line, index) => html`${index > 0 ? html`<br />` : nothing}<bdi>${line}</bdi>`)}`;
}
