import { html } from '@lit-labs/ssr';
import { formatDate } from '../../../shared/dates.ts';
import { formatApr } from '../../../shared/disclosure.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Html } from '../../http/html.ts';
import type { Disclosure } from '../agreement.ts';
import { table } from './table.ts';

/** Everything a buyer agrees to: the disclosure, each payment, and the terms. Before signing, and as a copy afterwards. */
export function loanTerms(disclosure: Disclosure, merchantName: string): Html {
  return html`${truthInLendingBox(disclosure)}
    <details class="hint-box">
      <summary>All ${disclosure.payments.length} payments</summary>
      ${schedule(disclosure)}
    </details>
    <section class="terms" aria-label="Terms">
      <p>
        On ${formatDate(disclosure.date)}, ${disclosure.creditor} lends you ${formatMoney(disclosure.amountFinancedCents)} and pays it
        to ${merchantName} for your order. You repay it in the payments listed above.
      </p>
      <p><strong>Prepayment.</strong> You may pay off early at any time, in full or in part, without a penalty.</p>
      <p><strong>Late charge.</strong> There is none. <strong>Security.</strong> You give no security interest in what you buy.</p>
      <p>The rate is fixed. See this agreement for what applies to non-payment and default.</p>
    </section>`;
}

/** The four figures in the order and words of Regulation Z's model form H-2. */
function truthInLendingBox(disclosure: Disclosure): Html {
  const cell = (label: string, value: string, meaning: string, prominent = false) =>
    html`<div class="${prominent ? 'prominent' : ''}">
      <dt>${label}</dt>
      <dd>
        <strong>${value}</strong><span>${meaning}</span>
      </dd>
    </div>`;
  return html`<section class="tila" aria-labelledby="tila-heading">
    <h2 id="tila-heading">Truth in Lending disclosure</h2>
    <dl>
      ${cell('Annual percentage rate', formatApr(disclosure.apr), 'The cost of your credit as a yearly rate', true)}
      ${cell('Finance charge', formatMoney(disclosure.financeChargeCents), 'The dollar amount the credit will cost you', true)}
      ${cell('Amount financed', formatMoney(disclosure.amountFinancedCents), 'The amount of credit provided to you or on your behalf')}
      ${cell(
        'Total of payments',
        formatMoney(disclosure.totalOfPaymentsCents),
        'The amount you will have paid after you have made all payments as scheduled',
      )}
    </dl>
    ${paymentSummary(disclosure)}
  </section>`;
}

/** Number, amount and due date of the payments; a last one of another amount has its own row. */
function paymentSummary({ payments }: Disclosure): Html {
  const [first, last] = [payments[0]!, payments.at(-1)!];
  const level = payments.filter(({ paymentCents }) => paymentCents === first.paymentCents);
  const rows = [[level.length, formatMoney(first.paymentCents), `Monthly from ${formatDate(first.dueOn)}`]];
  if (level.length < payments.length) rows.push([1, formatMoney(last.paymentCents), formatDate(last.dueOn)]);
  return table(['Payments', 'Amount', 'Due'], rows, 'Your payment schedule');
}

function schedule({ payments }: Disclosure): Html {
  const rows = payments.map(({ dueOn, paymentCents, interestCents, principalCents, balanceCents }) => [
    formatDate(dueOn),
    ...[paymentCents, interestCents, principalCents, balanceCents].map((cents) => formatMoney(cents)),
  ]);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="All payments">
    ${table(['Due', 'Payment', 'Interest', 'Principal', 'Left'], rows)}
  </div>`;
}
