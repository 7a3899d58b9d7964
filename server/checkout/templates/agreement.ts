import { html } from '@lit-labs/ssr';
import type { Html } from '../../http/html.ts';
import { type Disclosure, disclosureHash } from '../agreement.ts';
import type { Session } from '../session.ts';
import { errorSummary, type FormState, textField, tickBox } from './fields.ts';
import { loanTerms } from './loan-terms.ts';

/** The agreement with its disclosure, and the signature. */
export function agreementPage({ merchant }: Session, disclosure: Disclosure, form: FormState): Html {
  return html`<p class="lead">Read the terms of your loan from ${disclosure.creditor}, then sign below.</p>
    ${errorSummary(form)} ${loanTerms(disclosure, merchant.name)}
    <form method="post" novalidate>
      <input type="hidden" name="disclosureHash" value="${disclosureHash(disclosure)}" />
      ${tickBox(form, 'electronic', 'I agree to receive this agreement and its disclosures electronically, and can open and keep them.')}
      ${tickBox(form, 'agree', `I have read the agreement and accept its terms, and promise to repay ${disclosure.creditor}.`)}
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
