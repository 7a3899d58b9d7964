import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { formatDate } from '../../../shared/dates.ts';
import type { AmountFinancedItem, TilaBox } from '../../../shared/disclosure/tila-box.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Html } from '../../http/html.ts';
import { FEE_NAMES } from './fees.ts';
import { table } from './table.ts';
import { terms } from './terms.ts';
import { truthInLending } from './truth-in-lending.ts';

/**
 * Everything a buyer agrees to: the disclosure, what is paid today, what the amount financed consists of, each payment, and the
 * terms. Before signing, and as a copy afterwards. Says nothing that is not in the box, so that both are the same.
 */
export function loanTerms(box: TilaBox): Html {
  return html`${truthInLending(box)} ${dueToday(box)} ${itemization(box)}
    <details class="hint-box">
      <summary>${box.payments.length === 1 ? 'The payment' : `All ${box.payments.length} payments`}</summary>
      ${schedule(box)}
    </details>
    ${terms(box)}`;
}

function dueToday({ dueTodayCents, downPaymentCents, fees, date, currency }: TilaBox): Html | typeof nothing {
  if (dueTodayCents === 0) return nothing;
  return html`<section class="sums" aria-labelledby="due-today-heading">
    <h2 id="due-today-heading">Due today, ${formatDate(date)}</h2>
    <dl class="totals">
      ${downPaymentCents > 0 ? sum('Down payment', downPaymentCents, currency) : nothing}
      ${fees.filter(({ financed }) => !financed).map(({ kind, cents }) => sum(FEE_NAMES[kind], cents, currency))}
      ${sum('Due today', dueTodayCents, currency, true)}
    </dl>
  </section>`;
}

/** Apart from the box: 12 CFR 1026.17(a)(1). */
function itemization(box: TilaBox): Html {
  const { itemization: items, amountFinancedCents, currency } = box;
  const amount = formatMoney(amountFinancedCents, currency);
  return html`<section class="sums" aria-labelledby="itemization-heading">
    <h2 id="itemization-heading">Itemization of the amount financed of ${amount}</h2>
    <dl class="totals">
      ${items.map((item) => sum(itemLabel(item, box), item.cents, currency))}
      ${sum('Amount financed', amountFinancedCents, currency, true)}
    </dl>
  </section>`;
}

function itemLabel(item: AmountFinancedItem, { merchantName }: TilaBox): string {
  if (item.kind === 'merchant') return `Paid to ${merchantName ?? 'the merchant'} on your behalf`;
  return item.kind === 'fee' ? `${FEE_NAMES[item.fee]}, included in the loan` : 'Less prepaid finance charge';
}

function sum(label: string, cents: number, currency: string, isTotal = false): Html {
  return html`<div class="${isTotal ? 'total' : ''}">
    <dt>${label}</dt>
    <dd>${formatMoney(cents, currency)}</dd>
  </div>`;
}

function schedule({ payments, currency }: TilaBox): Html {
  const rows = payments.map(({ dueOn, paymentCents, interestCents, principalCents, balanceCents }) => [
    formatDate(dueOn),
    ...[paymentCents, interestCents, principalCents, balanceCents].map((cents) => formatMoney(cents, currency)),
  ]);
  return html`<div class="scroll" tabindex="0" role="region" aria-label="All payments">
    ${table(['Due', 'Payment', 'Interest', 'Principal', 'Left'], rows)}
  </div>`;
}
