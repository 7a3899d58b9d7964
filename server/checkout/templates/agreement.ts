import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { TilaBox } from '../../../shared/disclosure/tila-box.ts';
import type { Html } from '../../http/html.ts';
import { disclosureHash } from '../agreement.ts';
import type { StartedSession } from '../session.ts';
import { paidByCard } from './card.ts';
import { errorSummary, type FormState, textField, tickBox } from './fields.ts';
import { loanTerms } from './loan-terms.ts';
import { form } from './form.ts';
import type { View } from './view.ts';

/**
 * The agreement with its disclosure, and the signature. What is paid beside the loan stands apart from its terms.
 *
 * @param approvalEnd - Until when the buyer has time to sign.
 */
export function agreementPage(
  session: StartedSession,
  disclosure: TilaBox,
  filled: FormState,
  view: View,
  approvalEnd: Html | typeof nothing,
): Html {
  const { t, way } = view;
  const lender = disclosure.creditor.name;
  const card = session.application.card_label;
  const lead = disclosure.creditType === 'creditSale' ? t.agreement.leadCredit : t.agreement.leadLoan;
  return html`<p class="lead">${fill(lead, { lender })}</p>
    ${errorSummary(t, filled)} ${approvalEnd} ${loanTerms(disclosure, t)} ${paidByCard(session, view)}
    ${form(
      way,
      'agreement',
      html`<input type="hidden" name="disclosureHash" value="${disclosureHash(disclosure)}" />
        ${card ? html`<input type="hidden" name="cardLabel" value="${card}" />` : nothing}
        <div class="signing">
          ${tickBox(t, filled, 'electronic', t.agreement.electronic)}
          ${tickBox(t, filled, 'agree', fill(t.agreement.agree, { lender }))}
          <fieldset>
            <legend>${t.agreement.signature}</legend>
            ${textField(t, filled, { name: 'signedName', label: t.agreement.signedName, autocomplete: 'name' })}
          </fieldset>
        </div>
        <div class="actions">
          <button type="submit">${t.agreement.submit}</button>
          <a href="${way.to('plans')}">${t.agreement.back}</a>
        </div>`,
    )}`;
}
