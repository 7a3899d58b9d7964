import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { TilaBox } from '../../../shared/disclosure/tila-box.ts';
import type { Html } from '../../http/html.ts';
import { disclosureHash } from '../agreement.ts';
import type { Session } from '../session.ts';
import type { Texts } from '../texts/texts.ts';
import { approvalEnd, type Moment } from './approval.ts';
import { errorSummary, type FormState, textField, tickBox } from './fields.ts';
import { loanTerms } from './loan-terms.ts';
import { form } from './form.ts';
import type { View } from './view.ts';

/** The agreement with its disclosure, and the signature. */
export function agreementPage(session: Session, disclosure: TilaBox, filled: FormState, view: View, moment: Moment): Html {
  const { t, way } = view;
  const lender = disclosure.creditor.name;
  const lead = disclosure.creditType === 'creditSale' ? t.agreement.leadCredit : t.agreement.leadLoan;
  return html`<p class="lead">${fill(lead, { lender })}</p>
    ${errorSummary(t, filled)} ${part(session, t)} ${approvalEnd(session, view, moment)}
    ${loanTerms(disclosure, t, session.program)}
    ${form(
      way,
      'agreement',
      html`<input type="hidden" name="disclosureHash" value="${disclosureHash(disclosure)}" />
        ${tickBox(t, filled, 'electronic', t.agreement.electronic)} ${tickBox(t, filled, 'agree', fill(t.agreement.agree, { lender }))}
        <fieldset>
          <legend>${t.agreement.signature}</legend>
          ${textField(t, filled, { name: 'signedName', label: t.agreement.signedName, autocomplete: 'name' })}
        </fieldset>
        <div class="actions">
          <button type="submit">${t.agreement.submit}</button>
          <a href="${way.to('plans')}">${t.agreement.back}</a>
        </div>`,
    )}`;
}

/** That the loan is not for the whole order, where it is not. */
function part({ financedCents, cardCents, program, application }: Session, t: Texts): Html | typeof nothing {
  if (cardCents === 0) return nothing;
  const money = (cents: number) => t.money(cents, program.currency);
  const values = { financed: money(financedCents), rest: money(cardCents), card: application?.card_label ?? '' };
  return html`<p class="part">${fill(t.agreement.part, values)}</p>`;
}
