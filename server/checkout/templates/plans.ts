import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { aprFraction } from '../../../shared/as-low-as.ts';
import { formatApr } from '../../../shared/disclosure.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Html } from '../../http/html.ts';
import { plansOf, type Session } from '../session.ts';
import type { FormState } from './fields.ts';

/** The plans the buyer was approved for, side by side. */
export function plansPage(session: Session, { errors }: FormState): Html {
  const error = errors['offerId'];
  const plans = plansOf(session);
  const chosen = session.application?.offer_id ?? plans[0]?.offerId;
  return html`<p class="lead">
      You are approved for ${formatMoney(session.totals.totalCents)}. Choose how to pay it back; nothing is final until you sign.
    </p>
    <form method="post">
      <fieldset class="plans" aria-describedby="${error ? 'offerId-error' : nothing}">
        <legend>Plans</legend>
        ${error ? html`<p class="error" id="offerId-error">${error}</p>` : nothing}
        ${plans.map(
          ({ offerId, termLength, aprBps, schedule }) =>
            html`<label class="plan">
              <input type="radio" name="offerId" value="${offerId}" required ?checked=${offerId === chosen} />
              <span class="monthly"><strong>${formatMoney(schedule.levelPaymentCents)}</strong> a month</span>
              <span class="term">for ${termLength} months</span>
              <span class="figures">
                ${figure('APR', formatApr(aprFraction(aprBps)))} ${figure('Finance charge', formatMoney(schedule.financeChargeCents))}
                ${figure('Total of payments', formatMoney(schedule.totalOfPaymentsCents))}
              </span>
            </label>`,
        )}
      </fieldset>
      <button type="submit">Continue to the agreement</button>
    </form>`;
}

function figure(label: string, value: string): Html {
  return html`<span>${label} <strong>${value}</strong></span>`;
}
