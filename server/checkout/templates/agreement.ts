import { html } from '@lit-labs/ssr';
import type { TilaBox } from '../../../shared/disclosure/tila-box.ts';
import type { Html } from '../../http/html.ts';
import { disclosureHash } from '../agreement.ts';
import { errorSummary, type FormState, textField, tickBox } from './fields.ts';
import { loanTerms } from './loan-terms.ts';

/** The agreement with its disclosure, and the signature. */
export function agreementPage(disclosure: TilaBox, form: FormState): Html {
  const { creditor } = disclosure;
  return html`<p class="lead">Read the terms of your ${disclosure.creditType === 'creditSale' ? 'credit' : 'loan'} from ${creditor.name}, then sign below.</p>
    ${errorSummary(form)} ${loanTerms(disclosure)}
    <form method="post" novalidate>
      <input type="hidden" name="disclosureHash" value="${disclosureHash(disclosure)}" />
      ${tickBox(form, 'electronic', 'I agree to receive this agreement and its disclosures electronically, and can open and keep them.')}
      ${tickBox(form, 'agree', `I have read the agreement and accept its terms, and promise to repay ${creditor.name}.`)}
      <fieldset>
        <legend>Signature</legend>
        ${textField(form, { name: 'signedName', label: 'Your full name', autocomplete: 'name' })}
      </fieldset>
      <div class="actions">
        <button type="submit">Sign and finish</button>
        <a href="plans">Choose another plan</a>
      </div>
    </form>`;
}
