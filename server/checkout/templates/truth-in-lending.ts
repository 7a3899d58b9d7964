import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { formatDate } from '../../../shared/dates.ts';
import { formatApr } from '../../../shared/disclosure/figures.ts';
import type { TilaBox } from '../../../shared/disclosure/tila-box.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Html } from '../../http/html.ts';
import { table } from './table.ts';

/**
 * The disclosures that stand together and apart from everything else, in the order and words of Regulation Z's model forms H-1
 * and H-2. Nothing may stand among them that does not belong to them: 12 CFR 1026.17(a)(1).
 */
export function truthInLending(box: TilaBox): Html {
  const term = (label: string, text: string) => html`<p><strong>${label}.</strong> ${text}</p>`;
  return html`<section class="tila" aria-labelledby="tila-heading">
    <h2 id="tila-heading">Truth in Lending disclosure</h2>
    <p class="creditor">Creditor: <strong>${box.creditor.name}</strong></p>
    ${figures(box)} ${paymentSchedule(box)} ${term('Late charge', lateCharge(box))} ${term('Prepayment', prepayment(box))}
    ${term('Security', 'You give no security interest in what you buy.')}
    <p>
      See this agreement for any additional information about nonpayment, default, any required repayment in full before the scheduled
      date, and prepayment refunds and penalties.
    </p>
  </section>`;
}

/** The annual percentage rate and the finance charge stand out: 12 CFR 1026.17(a)(2). */
function figures(box: TilaBox): Html {
  const cell = (label: string, value: string, meaning: string, prominent = false) =>
    html`<div class="${prominent ? 'prominent' : ''}">
      <dt>${label}</dt>
      <dd>
        <strong>${value}</strong><span>${meaning}</span>
      </dd>
    </div>`;
  const money = (cents: number) => formatMoney(cents, box.currency);
  const { totalSalePriceCents, downPaymentCents } = box;
  const including = downPaymentCents > 0 ? `, including your down payment of ${money(downPaymentCents)}` : '';
  return html`<dl>
    ${cell('Annual percentage rate', formatApr(box.apr), 'The cost of your credit as a yearly rate', true)}
    ${cell('Finance charge', money(box.financeChargeCents), 'The dollar amount the credit will cost you', true)}
    ${cell('Amount financed', money(box.amountFinancedCents), 'The amount of credit provided to you or on your behalf')}
    ${cell(
      'Total of payments',
      money(box.totalOfPaymentsCents),
      'The amount you will have paid after you have made all payments as scheduled',
    )}
    ${
      totalSalePriceCents === null
        ? nothing
        : cell('Total sale price', money(totalSalePriceCents), `The total cost of your purchase on credit${including}`)
    }
  </dl>`;
}

function paymentSchedule({ paymentRows, currency }: TilaBox): Html {
  const rows = paymentRows.map(({ count, paymentCents, firstDueOn }) => [
    count,
    formatMoney(paymentCents, currency),
    count > 1 ? `Monthly from ${formatDate(firstDueOn)}` : formatDate(firstDueOn),
  ]);
  return table(['Payments', 'Amount', 'When due'], rows, 'Your payment schedule');
}

function lateCharge({ late, currency }: TilaBox): string {
  const parts = [
    ...(late.flatCents > 0 ? [formatMoney(late.flatCents, currency)] : []),
    ...(late.percentBps > 0 ? [`${late.percentBps / 100}% of that payment`] : []),
  ];
  return parts.length > 0 ? `If a payment is late, you will be charged ${parts.join(' plus ')}.` : 'There is none.';
}

function prepayment({ prepayment: { refund } }: TilaBox): string {
  const noPenalty = 'If you pay off early, in full or in part, you will not have to pay a penalty';
  return refund === null
    ? `${noPenalty}.`
    : `${noPenalty}, and you will not be entitled to a refund of the part of the finance charge that is prepaid.`;
}
