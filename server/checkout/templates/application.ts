import { html } from '@lit-labs/ssr';
import { fill } from '../../../shared/disclosure/texts.ts';
import type { Html } from '../../http/html.ts';
import { testBuyers } from '../../lenders/sandbox-lender.ts';
import type { Session } from '../session.ts';
import type { Texts } from '../texts/texts.ts';
import { errorSummary, type FormState, textField, tickBox } from './fields.ts';
import { table } from './table.ts';
import { form } from './form.ts';
import type { View } from './view.ts';

/** What the lender must know to decide. */
export function applicationPage({ program }: Session, filled: FormState, view: View): Html {
  const { t, way } = view;
  const texts = t.application;
  const lender = program.lender.name;
  return html`<p class="lead">${fill(texts.lead, { lender })}</p>
    ${errorSummary(t, filled)} ${testHints(t)}
    ${form(
      way,
      'apply',
      html`<fieldset>
          <legend>${texts.aboutYou}</legend>
          ${textField(t, filled, {
            name: 'dateOfBirth',
            label: texts.dateOfBirth,
            hint: texts.dateOfBirthHint,
            autocomplete: 'bday',
            inputmode: 'numeric',
            half: true,
          })}
          ${textField(t, filled, {
            name: 'taxIdLast4',
            label: texts.taxIdLast4,
            hint: texts.taxIdLast4Hint,
            autocomplete: 'off',
            inputmode: 'numeric',
            half: true,
          })}
          ${textField(t, filled, {
            name: 'annualIncome',
            label: texts.annualIncome,
            hint: texts.annualIncomeHint,
            autocomplete: 'off',
            inputmode: 'numeric',
          })}
        </fieldset>
        ${tickBox(t, filled, 'consent', fill(texts.consent, { lender }))}
        <div class="actions">
          <button type="submit">${texts.submit}</button>
          <a href="${way.to('details')}">${texts.back}</a>
        </div>`,
    )}`;
}

function testHints({ application }: Texts): Html {
  const { testBuyers: heading, testBuyersHint, testDigits, testMeaning } = application;
  const meanings: Readonly<Record<string, string>> = application.testMeanings;
  return html`<details class="hint-box">
    <summary>${heading}</summary>
    <p>${testBuyersHint}</p>
    ${table(
      [testDigits, testMeaning],
      testBuyers.map(({ taxIdLast4 }) => [html`<code>${taxIdLast4}</code>`, meanings[taxIdLast4]]),
    )}
  </details>`;
}
