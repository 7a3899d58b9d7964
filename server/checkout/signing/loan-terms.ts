import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { counted, fill } from '../../../shared/disclosure/texts.ts';
import type { AmountFinancedItem, TilaBox } from '../../../shared/disclosure/tila-box.ts';
import type { Html } from '../../http/html.ts';
import type { Texts } from '../texts/texts.ts';
import { table } from '../web/table.ts';
import { terms } from './terms.ts';
import { truthInLending } from './truth-in-lending.ts';

/**
 * Everything a buyer agrees to: the disclosure, what is paid today, what the amount financed consists of, each payment, and the
 * terms. Before signing, and as a copy afterwards. Says nothing that is not in the box, so that both are the same.
 *
 * @param payments - `folded` on a page; `open` on paper, which nobody can unfold.
 */
export function loanTerms(box: TilaBox, t: Texts, payments: 'folded' | 'open' = 'folded'): Html {
  const heading = counted(t.loan.allPayments, box.payments.length);
  return html`${truthInLending(box, t)} ${dueToday(box, t)} ${itemization(box, t)}
    ${
      payments === 'open'
        ? html`<section>${schedule(box, t, heading)}</section>`
        : html`<details class="hint-box">
          <summary>${heading}</summary>
          <div class="scroll" tabindex="0" role="region" aria-label="${t.loan.scheduleLabel}">${schedule(box, t)}</div>
        </details>`
    }
    ${terms(box, t)}`;
}

function dueToday({ dueTodayCents, downPaymentCents, fees, date, currency }: TilaBox, t: Texts): Html | typeof nothing {
  if (dueTodayCents === 0) return nothing;
  return html`<section class="sums" aria-labelledby="due-today-heading">
    <h2 id="due-today-heading">${fill(t.loan.dueTodayOn, { date: t.date(date) })}</h2>
    <dl class="totals">
      ${downPaymentCents > 0 ? sum(t.loan.downPayment, t.money(downPaymentCents, currency)) : nothing}
      ${fees.filter(({ financed }) => !financed).map(({ kind, cents }) => sum(t.loan.feeNames[kind], t.money(cents, currency)))}
      ${sum(t.loan.dueToday, t.money(dueTodayCents, currency), true)}
    </dl>
  </section>`;
}

/** Apart from the box: 12 CFR 1026.17(a)(1). */
function itemization(box: TilaBox, t: Texts): Html {
  const { itemization: items, amountFinancedCents, currency } = box;
  const amount = t.money(amountFinancedCents, currency);
  return html`<section class="sums" aria-labelledby="itemization-heading">
    <h2 id="itemization-heading">${fill(t.loan.itemization, { amount })}</h2>
    <dl class="totals">
      ${items.map((item) => sum(itemLabel(item, box, t), t.money(item.cents, currency)))}
      ${sum(t.loan.amountFinanced, amount, true)}
    </dl>
  </section>`;
}

function itemLabel(item: AmountFinancedItem, { merchantName }: TilaBox, { loan }: Texts): string {
  if (item.kind === 'merchant') return fill(loan.paidToMerchant, { merchant: merchantName ?? loan.theMerchant });
  return item.kind === 'fee' ? fill(loan.feeIncluded, { fee: loan.feeNames[item.fee] }) : loan.lessPrepaid;
}

function sum(label: string, amount: string, isTotal = false): Html {
  return html`<div class="${isTotal ? 'total' : ''}">
    <dt>${label}</dt>
    <dd>${amount}</dd>
  </div>`;
}

function schedule({ payments, currency }: TilaBox, t: Texts, caption?: string): Html {
  const { due, payment, interest, principal, left } = t.loan;
  const rows = payments.map(({ dueOn, paymentCents, interestCents, principalCents, balanceCents }) => [
    t.date(dueOn),
    ...[paymentCents, interestCents, principalCents, balanceCents].map((cents) => t.money(cents, currency)),
  ]);
  return table([due, payment, interest, principal, left], rows, caption);
}
