import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { aprFraction } from '../../../shared/as-low-as.ts';
import { formatDate } from '../../../shared/dates.ts';
import { dueDates } from '../../../shared/disclosure/due-dates.ts';
import { formatApr } from '../../../shared/disclosure/figures.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Plan } from '../../../shared/plan.ts';
import type { Html } from '../../http/html.ts';
import { dateOf, type Instant } from '../../time.ts';
import { plansOf, type Session } from '../session.ts';
import { inWords } from './fees.ts';
import type { FormState } from './fields.ts';

/** The plans the buyer was approved for, one below the other, and what all of them have in common. */
export function plansPage(session: Session, { errors }: FormState, now: Instant): Html {
  const { sheet, program, totals, application } = session;
  const error = errors['offerId'];
  const plans = plansOf(session);
  const chosen = application?.offer_id ?? plans[0]?.offerId;
  const [firstDueOn] = dueDates(dateOf(now), program.schedule.firstPaymentAfter, 1);
  return html`<p class="lead">
      You are approved for ${formatMoney(totals.totalCents, sheet.currency.code)}. Choose how to pay it back; nothing is final until
      you sign. Sign today, and your first payment is due ${formatDate(firstDueOn!)}.
    </p>
    ${charges(plans[0], sheet.currency.code)}
    <form method="post">
      <fieldset class="plans" aria-describedby="${error ? 'offerId-error' : nothing}">
        <legend>Plans</legend>
        ${error ? html`<p class="error" id="offerId-error">${error}</p>` : nothing}
        ${plans.map((plan) => choice(plan, session, plan.offerId === chosen))}
      </fieldset>
      <button type="submit">Continue to the agreement</button>
    </form>`;
}

/** The down payment and the fees: the same whatever the plan, since they depend on the purchase alone. */
function charges(plan: Plan | undefined, currency: string): Html | typeof nothing {
  if (!plan) return nothing;
  const { dueTodayCents, downPaymentCents, principalCents, fees } = plan.financing;
  if (dueTodayCents === 0 && fees.length === 0) return nothing;
  const lent = fees.filter(({ financed }) => financed);
  const paid = fees.filter(({ financed }) => !financed);
  const money = (cents: number) => formatMoney(cents, currency);
  return html`<p class="due-today">
    <span>Due today</span> <strong>${money(dueTodayCents)}</strong>
    <small>
      ${dueTodayCents > 0 ? `That is ${inWords(downPaymentCents, paid, currency)}. ` : ''}The payments below repay
      ${money(principalCents)}${lent.length > 0 ? `, which includes ${inWords(0, lent, currency)}` : ''}.
    </small>
  </p>`;
}

function choice(plan: Plan, { sheet }: Session, isChosen: boolean): Html {
  const { offerId, termLength, aprBps, financeChargeCents, schedule } = plan;
  const { levelPaymentCents, firstPaymentCents, totalOfPaymentsCents } = schedule;
  const money = (cents: number) => formatMoney(cents, sheet.currency.code);
  const apr = formatApr(aprFraction(aprBps));
  const isFree = financeChargeCents === 0;
  const promo = sheet.offers.find(({ id }) => id === offerId)?.promo;
  return html`<label class="plan">
    <input type="radio" name="offerId" value="${offerId}" required ?checked=${isChosen} />
    <span class="monthly"><strong>${money(levelPaymentCents)}</strong> a month</span>
    <span class="term">for ${termLength} ${termLength === 1 ? 'month' : 'months'}</span>
    ${
      isFree || promo
        ? html`<span class="promo">
            ${isFree ? html`<strong class="badge">${apr} APR</strong> ` : nothing}${promo ? promo.text.en : 'No finance charge.'}
          </span>`
        : nothing
    }
    <span class="figures">
      ${figure('APR', apr)} ${figure('Finance charge', money(financeChargeCents))}
      ${figure('Total of payments', money(totalOfPaymentsCents))}
      ${firstPaymentCents === levelPaymentCents ? nothing : figure('First payment', money(firstPaymentCents))}
    </span>
  </label>`;
}

function figure(label: string, value: string): Html {
  return html`<span>${label} <strong>${value}</strong></span>`;
}
