import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import type { LoanDisclosure } from '../../../../shared/disclosure/loan-disclosure.ts';
import { counted, fill } from '../../../../shared/languages/texts.ts';
import { type Parties, partiesOf, shownHash, type Terms } from '../../../agreements/agreement.ts';
import { agreementConsents } from '../../../agreements/consents.ts';
import { loanTerms, signatureNotices } from '../../../agreements/loan-terms.ts';
import { addressLines, fullName } from '../../../base/contact.ts';
import type { Html } from '../../../http/pages/html.ts';
import {
  addressBlock,
  codeField,
  errorSummary,
  printButton,
  type FormState,
  labeledValue,
  textField,
  checkboxField,
} from '../../../http/pages/elements.ts';
import type { Texts } from '../../../base/texts.ts';
import type { StartedSession } from '../../session/session.ts';
import { hasCode } from '../../signing/one-time-code.ts';
import { postForm } from '../../web/forms.ts';
import type { View } from '../../web/urls.ts';
import { includedDownPayment } from '../../session/portions.ts';

/** Renders the payments, the disclosure and the agreement, the buyer, the card portion, which is not part of them, and the signature form. */
export function agreementPage(
  session: StartedSession,
  terms: Terms,
  form: FormState,
  view: View,
  approvalEnd: Html | typeof nothing,
): Html {
  const { t, urls } = view;
  const lender = terms.disclosure.creditor.name;
  const consents = agreementConsents(session.program, t);
  return html`<p class="lead">${fill(t.agreement.lead, { lender })}</p>
    ${errorSummary(t, form)} ${summary(terms.disclosure, t)}
    ${loanTerms(terms, t)} ${parties(session, view)} ${approvalEnd} ${paidByCard(session, view)} ${printButton(t.agreement.print)}
    ${sendCodeForm(session, view)}
    ${postForm(
      urls,
      'agreement',
      html`<input type="hidden" name="shownHash" value="${shownHash(terms, session.application, consents)}" />
        <div class="signing">
          ${checkboxField(t, form, 'electronic', consents.electronic.sentence)}
          ${consents.agreement.information.map((sentence) => html`<p>${sentence}</p>`)}
          ${checkboxField(t, form, 'agree', consents.agreement.sentence)}
          ${signatureNotices(terms.disclosure, t)}
          <fieldset>
            <legend>${t.agreement.signature}</legend>
            ${textField(t, form, {
              name: 'signedName',
              label: t.agreement.signedName,
              hint: fill(t.agreement.signedNameHint, { name: fullName(session.application.billingContact) }),
              autocomplete: 'name',
            })}
            ${session.program.signature.code === 'none' ? nothing : codeField(t, form, 'signatureCode')}
          </fieldset>
        </div>
        <div class="actions">
          <button type="submit">${t.agreement.submit}</button>
          <a href="${urls.to('plans')}">${t.agreement.back}</a>
        </div>`,
    )}`;
}

/** The payments and a link to the signature. Stays in view while the buyer reads. */
function summary({ payments, currency }: LoanDisclosure, t: Texts): Html {
  const [first] = payments;
  const amount = t.money(first!.paymentCents, currency);
  const { summary: label, payments: count, firstDue, toSignature } = t.agreement;
  return html`<p class="agreement-bar" role="group" aria-label="${label}">
    <span><strong>${counted(count, payments.length)}</strong>, ${fill(firstDue, { amount, date: t.date(first!.dueOn) })}</span>
    <a href="#signedName">${toSignature}</a>
  </p>`;
}

/** The button that sends the one-time code, if the program requires one. Before the signature, so that nothing typed is lost. */
function sendCodeForm({ program, application }: StartedSession, { t, urls }: View): Html | typeof nothing {
  const { code } = program.signature;
  if (code === 'none') return nothing;
  const { email, phone } = application.billingContact;
  const lead = code === 'email' ? fill(t.code.byEmail, { email }) : fill(t.code.byText, { digits: phone.slice(-4) });
  return html`<section class="note" aria-labelledby="code-heading">
    <h2 id="code-heading">${t.code.heading}</h2>
    <p>${lead}</p>
    ${postForm(
      urls,
      'signing-code',
      html`<button type="submit" class="quiet">${hasCode(application, 'signature') ? t.code.sendAgain : t.code.send}</button>`,
    )}
  </section>`;
}

function parties(session: StartedSession, { t, urls }: View): Html {
  return html`<section class="parties" aria-labelledby="parties-heading">
    <h2 id="parties-heading">${t.details.title}</h2>
    <dl>
      ${partyRows(partiesOf(session), t).map(([label, value]) => labeledValue(label, value))}
    </dl>
    <p>${t.agreement.wrong} <a href="${urls.toLink('restart')}">${t.agreement.startAgain}</a></p>
  </section>`;
}

/** Labels and values of the buyer and the addresses. The home address has its own row unless it is the shipping address. */
function partyRows({ buyer, shipTo }: Parties, { agreement: texts }: Texts): [label: string, value: Html][] {
  const isElsewhere = shipTo !== undefined && addressLines(shipTo).join() !== addressLines(buyer).join();
  const rows: [label: string, value: Html][] = [
    [texts.buyer, html`<bdi>${fullName(buyer)}</bdi>`],
    [texts.email, html`<bdi>${buyer.email}</bdi>`],
  ];
  if (shipTo) rows.push([texts.shipTo, addressBlock(shipTo)]);
  if (!shipTo || isElsewhere) rows.push([texts.homeAddress, addressBlock(buyer)]);
  return rows;
}

/** The card portion, which is not part of the agreement. */
function paidByCard({ portions, program, merchant, application }: StartedSession, { t, urls }: View): Html | typeof nothing {
  const { cardCents } = portions;
  if (cardCents === 0) return nothing;
  const values = { remainder: t.money(cardCents, program.currency), card: application.cardLabel, merchant: merchant.name };
  return html`<section class="note" aria-labelledby="card-heading">
    <h2 id="card-heading">${t.agreement.cardHeading}</h2>
    <p>${fill(t.agreement.cardPays, values)} ${includedDownPayment(portions, program.currency, t)} <a href="${urls.to('card')}">${t.agreement.otherCard}</a></p>
  </section>`;
}
