import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { BoxFee, TilaBox } from '../../../shared/disclosure/tila-box.ts';
import { US_STATES } from '../../../shared/wire/us-states.ts';
import type { Html } from '../../http/html.ts';
import type { Texts } from '../texts/texts.ts';

/** The agreement in sentences. What a state wants said is said in English, as it is signed. */
export function terms(box: TilaBox, t: Texts): Html {
  const { creditor, fees, state, stateNotice, currency } = box;
  return html`<section class="terms" aria-label="${t.terms.label}">
    <p>${promise(box, t)} ${t.terms.repay}</p>
    <p><strong>${t.terms.interest}</strong> ${interest(box, t)}</p>
    ${fees.map(
      (fee) =>
        html`<p>
          <strong>${fill(t.terms.fee, { fee: t.loan.feeNames[fee.kind] })}</strong>
          ${fill(sentenceOf(fee, t), { amount: t.money(fee.cents, currency) })}
        </p>`,
    )}
    <p><strong>${t.terms.creditor}</strong> ${creditor.name}${creditor.licence ? html`, ${creditor.licence}` : nothing}.</p>
    ${
      stateNotice && state
        ? html`<p><strong>${fill(t.terms.residents, { state: US_STATES[state]! })}</strong> ${stateNotice}</p>`
        : nothing
    }
  </section>`;
}

function sentenceOf(
  { financed, financeCharge }: BoxFee,
  { terms: { feeLent, feeLentApart, feeToday, feeTodayApart } }: Texts,
): string {
  if (financed) return financeCharge ? feeLent : feeLentApart;
  return financeCharge ? feeToday : feeTodayApart;
}

function promise(box: TilaBox, t: Texts): string {
  const { creditType, creditor, merchantName, date, purchaseCents, downPaymentCents, principalCents, currency } = box;
  const paidCents = purchaseCents - downPaymentCents;
  const isAll = paidCents === principalCents;
  const { lends, lendsPart, finances, financesPart } = t.terms;
  const sold = isAll ? finances : financesPart;
  const lent = isAll ? lends : lendsPart;
  return fill(creditType === 'creditSale' ? sold : lent, {
    date: t.date(date),
    lender: creditor.name,
    merchant: merchantName ?? t.loan.theMerchant,
    amount: t.money(principalCents, currency),
    paid: t.money(paidCents, currency),
  });
}

/** What the loan itself bears, and why the annual percentage rate is not the same. */
function interest(box: TilaBox, t: Texts): string {
  const { noteRateBps, apr, prepaidFinanceChargeCents, firstPaymentAfter, oddDaysInterest } = box;
  const { bears, bearsNone, oddDays, differs, reasonFees, reasonLater } = t.terms;
  const isLater = firstPaymentAfter.months > 1 || firstPaymentAfter.days > 0;
  const reasons = [...(prepaidFinanceChargeCents > 0 ? [reasonFees] : []), ...(isLater ? [reasonLater] : [])];
  const isOther = Math.round(apr * 10_000) !== noteRateBps && reasons.length > 0;
  return [
    noteRateBps === 0 ? bearsNone : fill(bears, { rate: t.percent(noteRateBps, 2) }),
    ...(noteRateBps > 0 && isLater && oddDaysInterest !== 'none' ? [oddDays] : []),
    ...(isOther ? [fill(differs, { reasons: t.list(reasons) })] : []),
  ].join(' ');
}
