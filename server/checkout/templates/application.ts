import { html } from '@lit-labs/ssr';
import type { Html } from '../../http/html.ts';
import { testBuyers } from '../../lenders/sandbox-lender.ts';
import type { Session } from '../session.ts';
import { errorSummary, type FormState, textField, tickBox } from './fields.ts';
import { table } from './table.ts';

/** What the lender must know to decide. */
export function applicationPage({ program }: Session, form: FormState): Html {
  return html`<p class="lead">${program.lender.name} needs this to decide. It goes to the lender, and we do not keep it.</p>
    ${errorSummary(form)}
    <details class="hint-box">
      <summary>Sandbox: test buyers</summary>
      <p>The last four digits decide. Any others are approved like the first.</p>
      ${table(
        ['Last 4 digits', 'What happens'],
        testBuyers.map(({ taxIdLast4, meaning }) => [html`<code>${taxIdLast4}</code>`, meaning]),
      )}
    </details>
    <form method="post" novalidate>
      <fieldset>
        <legend>About you</legend>
        ${textField(form, {
          name: 'dateOfBirth',
          label: 'Date of birth',
          hint: 'MM/DD/YYYY',
          autocomplete: 'bday',
          inputmode: 'numeric',
          half: true,
        })}
        ${textField(form, {
          name: 'taxIdLast4',
          label: 'Last 4 digits of SSN or ITIN',
          hint: 'To find your credit file',
          autocomplete: 'off',
          inputmode: 'numeric',
          half: true,
        })}
        ${textField(form, {
          name: 'annualIncome',
          label: 'Yearly income before taxes',
          hint: 'In US dollars. Alimony, child support or separate maintenance need not be included.',
          autocomplete: 'off',
          inputmode: 'numeric',
        })}
      </fieldset>
      ${tickBox(
        form,
        'consent',
        `I allow ${program.lender.name} to check my credit to see which plans I qualify for. This does not affect my credit score.`,
      )}
      <div class="actions">
        <button type="submit">See my plans</button>
        <a href="details">Back to your details</a>
      </div>
    </form>`;
}
