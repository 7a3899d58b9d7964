import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { aprFraction } from '../../../../shared/as-low-as.ts';
import { dateIn, dueDates } from '../../../../shared/dates.ts';
import { languages } from '../../../../shared/disclosure/languages.ts';
import { counted, fill } from '../../../../shared/disclosure/texts.ts';
import type { BoxFee } from '../../../../shared/disclosure/tila-box.ts';
import type { Plan } from '../../../../shared/plans.ts';
import type { Html } from '../../../http/html.ts';
import type { Instant } from '../../../time.ts';
import type { CheckoutDeps } from '../../deps.ts';
import type { Session, StartedSession } from '../../session/session.ts';
import type { Texts } from '../../texts/index.ts';
import { approvalEnd, errorSummary, postForm, type FormState } from '../../web/elements.ts';
import type { View } from '../../web/urls.ts';

/** The plans that the buyer is approved for, and the charges that they have in common. */
export function plansPage(
  session: StartedSession,
  form: FormState,
  view: View,
  now: Instant,
  deps: Pick<CheckoutDeps, 'approvals'>,
): Html {
  const { t, urls } = view;
  const { program, portions, plans, application } = session;
  const error = form.errors['offerId']?.(t);
  const typedId = plans.find(({ offerId }) => offerId === form.values['offerId'])?.offerId;
  const chosen = typedId ?? application.offer_id ?? plans[0]?.offerId;
  const [firstDueOn] = dueDates(dateIn(now, program.timeZone), program.schedule.firstPaymentAfter, 1);
  const total = t.money(portions.financedCents, program.currency);
  return html`<p class="lead">${fill(t.plans.lead, { total, date: t.date(firstDueOn!) })}</p>
    ${errorSummary(t, form)} ${part(t, session)} ${approvalEnd(session, view, now, deps)}
    ${charges(t, plans[0], program.currency)}
    ${postForm(
      urls,
      'plans',
      html`<fieldset class="plans ${plans.length % 3 === 0 ? 'in-threes' : ''}" aria-describedby="${error ? 'offerId-error' : nothing}">
          <legend>${t.plans.legend}</legend>
          ${error ? html`<p class="error" id="offerId-error">${error}</p>` : nothing}
          ${plans.map((plan, index) => choice(t, plan, session, { isFirst: index === 0, isChosen: plan.offerId === chosen }))}
        </fieldset>
        <button type="submit">${t.plans.submit}</button>`,
    )}`;
}

/** A note that the order is financed in part. */
function part(t: Texts, { purchase: { totals }, portions: { cardCents }, program }: Session): Html | typeof nothing {
  if (cardCents === 0) return nothing;
  const money = (cents: number) => t.money(cents, program.currency);
  const values = { total: money(totals.totalCents), remainder: money(cardCents) };
  return html`<p class="note">${fill(t.plans.part, values)}</p>`;
}

/** The down payment and the fees, which are the same for all plans. */
function charges(t: Texts, plan: Plan | undefined, currency: string): Html | typeof nothing {
  if (!plan) return nothing;
  const { dueTodayCents, downPaymentCents, principalCents, fees } = plan.financing;
  if (dueTodayCents === 0 && fees.length === 0) return nothing;
  const lent = fees.filter(({ financed }) => financed);
  const paid = fees.filter(({ financed }) => !financed);
  const principal = t.money(principalCents, currency);
  const { dueToday, dueTodayIs, repays, repaysWith } = t.plans;
  return html`<p class="due-today">
    <span>${dueToday}</span> <strong>${t.money(dueTodayCents, currency)}</strong>
    <small>
      ${dueTodayCents > 0 ? fill(dueTodayIs, { charges: inWords(t, downPaymentCents, paid, currency) }) : nothing}
      ${lent.length > 0 ? fill(repaysWith, { principal, charges: inWords(t, 0, lent, currency) }) : fill(repays, { principal })}
    </small>
  </p>`;
}

function choice(
  t: Texts,
  plan: Plan,
  { pricing: { sheet }, program }: Session,
  { isFirst, isChosen }: { isFirst: boolean; isChosen: boolean },
): Html {
  const { offerId, termLength, aprBps, financeChargeCents, financing, schedule } = plan;
  const { levelPaymentCents, firstPaymentCents, totalOfPaymentsCents } = schedule;
  const money = (cents: number) => t.money(cents, program.currency);
  const apr = t.apr(aprFraction(aprBps));
  const isFree = financeChargeCents === 0;
  const { downPaymentCents } = financing;
  const term =
    downPaymentCents > 0
      ? fill(counted(t.plans.afterDown, termLength), { downPayment: money(downPaymentCents) })
      : counted(t.plans.term, termLength);
  const promo = sheet.offers.find(({ id }) => id === offerId)?.promo;
  return html`<label class="plan">
    <input type="radio" name="offerId" id="${isFirst ? 'offerId' : nothing}" value="${offerId}" required ?checked=${isChosen} />
    <span class="monthly"><strong>${money(levelPaymentCents)}</strong> ${t.plans.aMonth}</span>
    <span class="term">${term}</span>
    ${
      isFree || promo
        ? html`<span class="promo">
            ${isFree ? html`<strong class="badge">${fill(t.plans.badge, { apr })}</strong> ` : nothing}${
              promo ? promo.text[t.language] : t.plans.noFinanceCharge
            }
          </span>`
        : nothing
    }
    <span class="figures">
      ${figure(t.plans.apr, apr)} ${figure(t.plans.financeCharge, money(financeChargeCents))}
      ${figure(t.plans.totalOfPayments, money(totalOfPaymentsCents))}
      ${firstPaymentCents === levelPaymentCents ? nothing : figure(t.plans.firstPayment, money(firstPaymentCents))}
    </span>
  </label>`;
}

function figure(label: string, value: string): Html {
  return html`<span>${label} <strong>${value}</strong></span>`;
}

/** Returns the charges in words: `a down payment of $124.80 and an application fee of $15.00`. */
export function inWords(
  t: Texts,
  downPaymentCents: number,
  fees: readonly Pick<BoxFee, 'kind' | 'cents'>[],
  currency: string,
): string {
  const down = downPaymentCents > 0 ? [fill(t.loan.aDownPayment, { amount: t.money(downPaymentCents, currency) })] : [];
  const { feeKinds } = languages[t.language];
  const charged = fees.map(({ kind, cents }) => fill(t.loan.aFee, { kind: feeKinds[kind], amount: t.money(cents, currency) }));
  return t.list([...down, ...charged]);
}
