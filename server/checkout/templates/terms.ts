import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { formatDate } from '../../../shared/dates.ts';
import type { TilaBox } from '../../../shared/disclosure/tila-box.ts';
import { formatMoney } from '../../../shared/money.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';
import type { Html } from '../../http/html.ts';
import { FEE_NAMES } from './fees.ts';

/** The agreement in sentences. */
export function terms(box: TilaBox): Html {
  const { creditor, fees, state, stateNotice, currency } = box;
  return html`<section class="terms" aria-label="Terms">
    <p>${promise(box)} You repay it in the payments listed above.</p>
    <p><strong>Interest.</strong> ${interest(box)}</p>
    ${fees.map(
      ({ kind, cents, financed, financeCharge }) =>
        html`<p>
          <strong>${FEE_NAMES[kind]}.</strong> ${formatMoney(cents, currency)}, ${financed ? 'included in the loan' : 'due on the day of the loan'};
          ${financeCharge ? 'part of the finance charge' : 'not part of the finance charge'}.
        </p>`,
    )}
    <p><strong>Creditor.</strong> ${creditor.name}${creditor.licence ? html`, ${creditor.licence}` : nothing}.</p>
    ${stateNotice && state ? html`<p><strong>${US_STATES[state]} residents.</strong> ${stateNotice}</p>` : nothing}
  </section>`;
}

function promise(box: TilaBox): string {
  const { creditType, creditor, merchantName, date, purchaseCents, downPaymentCents, principalCents, currency } = box;
  const merchant = merchantName ?? 'the merchant';
  const lent = formatMoney(principalCents, currency);
  const paidCents = purchaseCents - downPaymentCents;
  const part = paidCents === principalCents ? '' : ` ${formatMoney(paidCents, currency)} of`;
  return creditType === 'creditSale'
    ? `On ${formatDate(date)}, you buy your order from ${merchant} on credit: ${creditor.name} finances ${lent} and pays${part} it to ${merchant}.`
    : `On ${formatDate(date)}, ${creditor.name} lends you ${lent} and pays${part} it to ${merchant} for your order.`;
}

/** What the loan itself bears, and why the annual percentage rate is not the same. */
function interest(box: TilaBox): string {
  const { noteRateBps, apr, prepaidFinanceChargeCents, firstPaymentAfter, oddDaysInterest } = box;
  const isLater = firstPaymentAfter.months > 1 || firstPaymentAfter.days > 0;
  const reasons = [
    ...(prepaidFinanceChargeCents > 0 ? ['the fees that are part of the finance charge'] : []),
    ...(isLater ? ['the longer time until the first payment'] : []),
  ];
  const counts = new Intl.ListFormat('en-US').format(reasons);
  const differs = Math.round(apr * 10_000) !== noteRateBps && reasons.length > 0;
  const bears = noteRateBps === 0 ? 'There is none.' : `${(noteRateBps / 100).toFixed(2)}% a year on what you still owe, fixed.`;
  return [
    bears,
    ...(noteRateBps > 0 && isLater && oddDaysInterest !== 'none'
      ? ['The first payment includes the interest of the time beyond a month.']
      : []),
    ...(differs ? [`The annual percentage rate differs because it also counts ${counts}.`] : []),
  ].join(' ');
}
