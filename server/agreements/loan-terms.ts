import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { AmountFinancedItem, LoanDisclosure } from '../../shared/disclosure/loan-disclosure.ts';
import { counted, fill } from '../../shared/languages/texts.ts';
import type { Html } from '../http/pages/html.ts';
import { printedPhone, withPhones } from '../http/pages/phones.ts';
import { residentNotices, table } from '../http/pages/elements.ts';
import type { Texts } from '../base/texts.ts';
import { type FilledAgreement, lateCharge, startOfInterest } from './agreement-text.ts';
import type { Terms } from './agreement.ts';
import { paymentChart, paymentTable } from './payment-chart.ts';

/**
 * Everything that a buyer agrees to: the disclosure, the down payment, the itemization of the amount financed, the promise to pay
 * and the terms, the notices, and the payment schedule. Used for the page and for the buyer's document, so that they are the same.
 *
 * @param layout - `folded` on the page, where the terms scroll in a box; `open` in the document, which may be printed.
 */
export function loanTerms({ disclosure, agreement }: Terms, t: Texts, layout: 'folded' | 'open' = 'folded'): Html {
  const { payments, currency } = disclosure;
  return html`${truthInLending(disclosure, t)} ${downPayment(disclosure, t)} ${itemization(disclosure, t)}
    ${agreement ? (layout === 'open' ? agreementTerms : scrollingTerms)(agreement, disclosure, t) : nothing} ${disclosure.holderNotice ? holderNotice() : nothing}
    ${militaryDisclosure(disclosure, t)} ${residentNotices(disclosure.stateNotices, disclosure.state ?? '', t)}
    <section>${(layout === 'open' ? paymentTable : paymentChart)(payments, currency, t)}</section>`;
}

/**
 * The Truth in Lending Act disclosures (`tila`), in the order and wording of Regulation Z's model forms H-1 and H-2. They are segregated
 * from everything else and contain nothing else: 12 CFR 1026.17(a)(1).
 */
function truthInLending(disclosure: LoanDisclosure, t: Texts): Html {
  const { tila } = t;
  const term = (label: string, text: string) => html`<p><strong>${label}.</strong> ${text}</p>`;
  return html`<section class="tila" aria-labelledby="tila-heading">
    <h2 id="tila-heading">${tila.heading}</h2>
    <p class="creditor">${tila.creditor}: <strong>${disclosure.creditor.name}</strong></p>
    ${figures(disclosure, t)} ${paymentSchedule(disclosure, t)} ${term(tila.late, lateCharge(disclosure, t))}
    ${term(tila.prepayment, prepayment(disclosure, t))}
    ${term(tila.security, tila.noSecurity)}
    <p>${tila.seeAgreement}</p>
  </section>`;
}

/** A buyer who repays early receives no fee back, but a refund of the purchase may return fees: 12 CFR 1026.18(k)(2). */
function prepayment({ prepayment: { refund, feeRefundDays }, coveredBorrower }: LoanDisclosure, { tila }: Texts): string {
  if (refund === null) return tila.noPenalty;
  return feeRefundDays === undefined && coveredBorrower === null ? tila.noPenaltyNoRefund : tila.noPenaltyOwnRefund;
}

/** The annual percentage rate and the finance charge are more conspicuous: 12 CFR 1026.17(a)(2). */
function figures(disclosure: LoanDisclosure, { tila, apr, money }: Texts): Html {
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

function paymentSchedule({ paymentRows, currency }: LoanDisclosure, t: Texts): Html {
  const rows = paymentRows.map(({ count, paymentCents, firstDueOn }) => [
    count,
    t.money(paymentCents, currency),
    count > 1 ? fill(t.tila.monthlyFrom, { date: t.date(firstDueOn) }) : t.date(firstDueOn),
  ]);
  return table([t.tila.payments, t.tila.amount, t.tila.whenDue], rows, t.tila.schedule);
}

/** The down payment, by which the loan is smaller than the purchase. */
function downPayment({ purchaseCents, downPaymentCents, currency }: LoanDisclosure, t: Texts): Html | typeof nothing {
  if (downPaymentCents === 0) return nothing;
  const money = (cents: number) => t.money(cents, currency);
  return html`<section class="sums" aria-labelledby="down-payment-heading">
    <h2 id="down-payment-heading">${t.loan.downPayment}</h2>
    <dl class="totals">
      ${sum(t.loan.purchase, money(purchaseCents))} ${sum(t.loan.lessDownPayment, money(-downPaymentCents))}
      ${sum(t.loan.paidByLoan, money(purchaseCents - downPaymentCents), true)}
    </dl>
  </section>`;
}

/** Separate from the disclosures: 12 CFR 1026.17(a)(1). */
function itemization(disclosure: LoanDisclosure, t: Texts): Html {
  const { itemization: items, amountFinancedCents, currency } = disclosure;
  const amount = t.money(amountFinancedCents, currency);
  return html`<section class="sums" aria-labelledby="itemization-heading">
    <h2 id="itemization-heading">${fill(t.loan.itemization, { amount })}</h2>
    <dl class="totals">
      ${items.map((item) => sum(itemLabel(item, disclosure, t), t.money(item.cents, currency)))}
      ${sum(t.tila.amountFinanced, amount, true)}
    </dl>
  </section>`;
}

function itemLabel(item: AmountFinancedItem, { merchantName }: LoanDisclosure, { loan }: Texts): string {
  if (item.kind === 'merchant') return fill(loan.paidToMerchant, { merchant: merchantName ?? loan.theMerchant });
  return item.kind === 'fee' ? fill(loan.feeIncluded, { fee: loan.feeNames[item.fee] }) : loan.lessPrepaid;
}

function sum(label: string, amount: string, isTotal = false): Html {
  return html`<div class="${isTotal ? 'total' : ''}">
    <dt>${label}</dt>
    <dd>${amount}</dd>
  </div>`;
}

/** Reading speed of adults: Brysbaert (2019), 238 words per minute of English; legal text is read more slowly. */
const WORDS_PER_MINUTE = 180;

/** The lender's agreement in a box that scrolls, with its length above. Printed pages show all of it. */
function scrollingTerms(agreement: FilledAgreement, disclosure: LoanDisclosure, t: Texts): Html {
  const { promise, sections } = agreement;
  const texts = [...promise, ...sections.flatMap(({ heading, paragraphs, items = [] }) => [heading, ...paragraphs, ...items])];
  const minutes = Math.ceil(texts.join(' ').split(/\s+/).length / WORDS_PER_MINUTE);
  // The promise to pay counts as a section.
  const length = t.list([counted(t.terms.minutes, minutes), counted(t.terms.sections, sections.length + 1)]);
  return html`<section>
    <h2 id="terms-heading">${t.document.heading}</h2>
    <p class="hint">${fill(t.terms.length, { length })}</p>
    <div class="terms-box" tabindex="0" role="region" aria-labelledby="terms-heading">${agreementTerms(agreement, disclosure, t)}</div>
  </section>`;
}

/** The lender's agreement. Each line of a text is a paragraph; the lookbehind keeps the search linear in long white space. */
function agreementTerms(agreement: FilledAgreement, disclosure: LoanDisclosure, t: Texts): Html {
  const { promise, sections, version } = agreement;
  return html`<section class="terms" aria-label="${t.terms.label}">
    ${[{ heading: t.terms.promise, paragraphs: promise, items: undefined }, ...sections].map(
      ({ heading, paragraphs, items }) =>
        html`<h2>${heading}</h2>
          ${paragraphs.map((text) => text.split(/(?<!\s)\s*\n\s*/).map((paragraph) => html`<p>${withPhones(paragraph, printedPhone)}</p>`))}
          ${items ? html`<ul>${items.map((item) => html`<li>${withPhones(item, printedPhone)}</li>`)}</ul>` : nothing}`,
    )}
    ${interestStart(agreement, disclosure, t)} ${howToPay(disclosure, t)}
    <p><strong>${t.terms.creditor}</strong> ${withPhones(creditorLine(disclosure.creditor, t), printedPhone)}.</p>
    <p>${fill(t.terms.version, { version })}</p>
  </section>`;
}

/** The start of interest, unless the lender's agreement states it with `{startOfInterest}`. */
function interestStart({ promise, sections }: FilledAgreement, disclosure: LoanDisclosure, t: Texts): Html | typeof nothing {
  const text = startOfInterest(disclosure, t);
  const paragraphs = [...promise, ...sections.flatMap((section) => [...section.paragraphs, ...(section.items ?? [])])];
  if (text === '' || paragraphs.some((paragraph) => paragraph.includes(text))) return nothing;
  return html`<p><strong>${t.interestStart.label}</strong> ${text}</p>`;
}

function howToPay({ servicing }: LoanDisclosure, t: Texts): Html | typeof nothing {
  return servicing
    ? html`<p><strong>${t.servicing.label}</strong> ${withPhones(fill(t.servicing.how, servicing), printedPhone)}</p>`
    : nothing;
}

/**
 * Notice of the FTC Holder Rule in purchase money loans, in its prescribed words and in bold type of at least ten points: 16 CFR
 * 433.2(b).
 */
export const HOLDER_NOTICE =
  'ANY HOLDER OF THIS CONSUMER CREDIT CONTRACT IS SUBJECT TO ALL CLAIMS AND DEFENSES WHICH THE DEBTOR COULD ASSERT AGAINST THE SELLER OF GOODS OR SERVICES OBTAINED WITH THE PROCEEDS HEREOF. RECOVERY HEREUNDER BY THE DEBTOR SHALL NOT EXCEED AMOUNTS PAID BY THE DEBTOR HEREUNDER.';

function holderNotice(): Html {
  // Without a label, because the English part of a document in another language has the same notice.
  return html`<section class="holder-notice" lang="en">
    <h2>NOTICE</h2>
    <p><strong>${HOLDER_NOTICE}</strong></p>
  </section>`;
}

/**
 * The disclosures to covered borrowers: the statement of 32 CFR 232.6(c)(3), the payment obligation, and the toll-free number for
 * both, 32 CFR 232.6(d)(2)(iii)(B).
 */
function militaryDisclosure({ coveredBorrower }: LoanDisclosure, { military }: Texts): Html | typeof nothing {
  if (!coveredBorrower) return nothing;
  const { phone } = coveredBorrower;
  return html`<section class="military" aria-labelledby="military-heading">
    <h2 id="military-heading">${military.heading}</h2>
    <p>${military.statement}</p>
    <p>${military.obligation}</p>
    ${phone ? html`<p>${withPhones(fill(military.phone, { phone }), printedPhone)}</p>` : nothing}
  </section>`;
}

/** The notices that the buyer's state requires directly above the signature. */
export function signatureNotices({ signatureNotices: notices = [], state }: LoanDisclosure, t: Texts): Html | typeof nothing {
  return residentNotices(notices, state ?? '', t);
}

/** Returns the creditor with its license and the license's regulator. */
export function creditorLine({ name, nmlsId, license }: LoanDisclosure['creditor'], t: Texts): string {
  const regulator = license?.regulator;
  const contact = regulator && [regulator.name, regulator.phone, regulator.website].filter(Boolean).join(', ');
  return [
    name,
    nmlsId && fill(t.terms.nmlsId, { id: nmlsId }),
    license && [license.type, license.number].filter(Boolean).join(' '),
    contact && fill(t.terms.regulatedBy, { regulator: contact }),
  ]
    .filter(Boolean)
    .join(', ');
}
