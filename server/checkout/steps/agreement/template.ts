import { html } from '@lit-labs/ssr';
import type { nothing } from 'lit';
import { fill } from '../../../../shared/disclosure/texts.ts';
import type { TilaBox } from '../../../../shared/disclosure/tila-box.ts';
import type { Html } from '../../../http/html.ts';
import { partiesOf, shownHash } from '../../signing/agreement.ts';
import type { StartedSession } from '../../session/session.ts';
import { paidByCard } from '../card/template.ts';
import { errorSummary, type FormState, textField, tickBox } from '../../web/fields.ts';
import { loanTerms } from '../../signing/loan-terms.ts';
import { form } from '../../web/form.ts';
import { partyRows } from './parties.ts';
import type { View } from '../../web/view.ts';

/**
 * Whom the agreement names and where the order goes, the disclosure, and the signature. What is paid beside the loan stands apart
 * from its terms.
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
  const lead = disclosure.creditType === 'creditSale' ? t.agreement.leadCredit : t.agreement.leadLoan;
  return html`<p class="lead">${fill(lead, { lender })}</p>
    ${errorSummary(t, filled)} ${approvalEnd} ${parties(session, view)} ${loanTerms(disclosure, t)} ${paidByCard(session, view)}
    ${form(
      way,
      'agreement',
      html`<input type="hidden" name="shownHash" value="${shownHash(disclosure, session.application)}" />
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

function parties(session: StartedSession, { t, way }: View): Html {
  return html`<section class="parties" aria-labelledby="parties-heading">
    <h2 id="parties-heading">${t.details.title}</h2>
    <dl>
      ${partyRows(partiesOf(session), t).map(
        ([label, value]) =>
          html`<div>
            <dt>${label}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    <p>${t.agreement.wrong} <a href="${way.toLink('restart')}">${t.agreement.startAgain}</a></p>
  </section>`;
}
