import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../../shared/disclosure/texts.ts';
import type { Html } from '../../../http/html.ts';
import { testBuyers } from '../../../lenders/sandbox-lender.ts';
import type { Session } from '../../session/session.ts';
import type { Texts } from '../../texts/index.ts';
import { errorSummary, postForm, type FormState, table, textField, checkboxField } from '../../web/elements.ts';
import type { View } from '../../web/urls.ts';

/** The application form, with test data in a sandbox. */
export function applicationPage(session: Session, form: FormState, view: View): Html {
  const { t, urls, isSandbox } = view;
  const texts = t.application;
  const lender = session.program.lender.name;
  return html`<p class="lead">${fill(texts.lead, { lender })}</p>
    ${errorSummary(t, form)} ${isSandbox ? testHints(t) : nothing}
    ${postForm(
      urls,
      'apply',
      html`<fieldset>
          <legend>${texts.aboutYou}</legend>
          ${textField(t, form, {
            name: 'dateOfBirth',
            label: texts.dateOfBirth,
            hint: texts.dateOfBirthHint,
            autocomplete: 'bday',
            inputmode: 'numeric',
            isHalfWidth: true,
            isDate: true,
          })}
          ${textField(t, form, {
            name: 'taxIdLast4',
            label: texts.taxIdLast4,
            hint: texts.taxIdLast4Hint,
            autocomplete: 'off',
            inputmode: 'numeric',
            isHalfWidth: true,
          })}
          ${textField(t, form, {
            name: 'annualIncome',
            label: texts.annualIncome,
            hint: texts.annualIncomeHint,
            autocomplete: 'off',
            inputmode: 'numeric',
          })}
        </fieldset>
        ${consents(session, form, t)}
        <div class="actions">
          <button type="submit">${texts.submit}</button>
          <a href="${urls.to('details')}">${texts.back}</a>
        </div>`,
      { renewsSecret: true },
    )}`;
}

/** The consents, with the information that they require: 15 USC 7001(c) for electronic documents. */
function consents({ program, merchant }: Pick<Session, 'program' | 'merchant'>, form: FormState, t: Texts): Html {
  const texts = t.application;
  const names = { lender: program.lender.name, merchant: merchant.name };
  const more = (summary: string, sentences: readonly string[]) =>
    html`<details class="hint-box">
      <summary>${summary}</summary>
      ${sentences.map((sentence) => html`<p>${fill(sentence, names)}</p>`)}
    </details>`;
  return html`<fieldset class="consents">
    <legend>${texts.yourConsent}</legend>
    ${checkboxField(t, form, 'consent', fill(texts.consent, names))} ${checkboxField(t, form, 'electronic', texts.electronic)}
    ${more(texts.aboutElectronic, [texts.electronicCovers, texts.electronicRights, texts.electronicNeeds])}
    ${more(texts.whoGetsWhat, [texts.lenderGets, texts.merchantGets, texts.weKeep])}
  </fieldset>`;
}

function testHints({ application }: Texts): Html {
  const { testBuyers: heading, testBuyersHint, testDigits, testMeaning } = application;
  const meanings: Readonly<Record<string, string>> = application.testMeanings;
  return html`<details class="hint-box test-hints">
    <summary>${heading}</summary>
    <p>${testBuyersHint}</p>
    ${table(
      [testDigits, testMeaning],
      testBuyers.map(({ taxIdLast4 }) => [html`<code>${taxIdLast4}</code>`, meanings[taxIdLast4]]),
    )}
  </details>`;
}
