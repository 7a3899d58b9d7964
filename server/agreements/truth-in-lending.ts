import { html } from '@lit-labs/ssr';
import { fill } from '../../shared/languages/texts.ts';
import type { TilaBox } from '../../shared/disclosure/tila-box.ts';
import type { Html } from '../http/html.ts';
import type { Texts } from '../texts.ts';
import { table } from '../pages/elements.ts';
import { lateCharge } from './agreement-text.ts';

/**
 * The federal disclosures, in the order and wording of Regulation Z's model forms H-1 and H-2. They are segregated from everything else and
 * contain nothing else: 12 CFR 1026.17(a)(1).
 */
export function truthInLending(disclosure: TilaBox, t: Texts): Html {
  const { tila } = t;
  const term = (label: string, text: string) => html`<p><strong>${label}.</strong> ${text}</p>`;
  return html`<section class="tila" aria-labelledby="tila-heading">
    <h2 id="tila-heading">${tila.heading}</h2>
    <p class="creditor">${tila.creditor}: <strong>${disclosure.creditor.name}</strong></p>
    ${figures(disclosure, t)} ${paymentSchedule(disclosure, t)} ${term(tila.late, lateCharge(disclosure, t))}
    ${term(tila.prepayment, disclosure.prepayment.refund === null ? tila.noPenalty : tila.noPenaltyNoRefund)}
    ${term(tila.security, tila.noSecurity)}
    <p>${tila.seeAgreement}</p>
  </section>`;
}

/** The annual percentage rate and the finance charge are more conspicuous: 12 CFR 1026.17(a)(2). */
function figures(disclosure: TilaBox, { tila, apr, money }: Texts): Html {
  const cell = (label: string, value: string, meaning: string, prominent = false) =>
    html`<div class="${prominent ? 'prominent' : ''}">
      <dt>${label}</dt>
      <dd>
        <strong>${value}</strong><span>${meaning}</span>
      </dd>
    </div>`;
  const { currency } = disclosure;
  return html`<dl>
    ${cell(tila.apr, apr(disclosure.apr), tila.aprMeaning, true)}
    ${cell(tila.financeCharge, money(disclosure.financeChargeCents, currency), tila.financeChargeMeaning, true)}
    ${cell(tila.amountFinanced, money(disclosure.amountFinancedCents, currency), tila.amountFinancedMeaning)}
    ${cell(tila.totalOfPayments, money(disclosure.totalOfPaymentsCents, currency), tila.totalOfPaymentsMeaning)}
  </dl>`;
}

function paymentSchedule({ paymentRows, currency }: TilaBox, t: Texts): Html {
  const rows = paymentRows.map(({ count, paymentCents, firstDueOn }) => [
    count,
    t.money(paymentCents, currency),
    count > 1 ? fill(t.tila.monthlyFrom, { date: t.date(firstDueOn) }) : t.date(firstDueOn),
  ]);
  return table([t.tila.payments, t.tila.amount, t.tila.whenDue], rows, t.tila.schedule);
}
