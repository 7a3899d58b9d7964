import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../../shared/languages/texts.ts';
import { noticesOf } from '../../../../shared/programs/states.ts';
import { applicationConsents, consentsHash } from '../../../agreements/consents.ts';
import { lastDayOf } from '../../../lending/applications/expiry.ts';
import type { Html } from '../../../http/pages/html.ts';
import { testBuyers } from '../../../lending/lenders/sandbox-lender.ts';
import type { MessageHandling } from '../../../messages/outbox.ts';
import { printedPhone, withPhones } from '../../../http/pages/phones.ts';
import { errorSummary, type FormState, residentNotices, table, textField, checkboxField } from '../../../http/pages/elements.ts';
import type { Texts } from '../../../base/texts.ts';
import type { Session } from '../../session/session.ts';
import { isUnanswered } from '../../session/state.ts';
import { postForm } from '../../web/forms.ts';
import { payAnotherWay } from '../../web/notify-opener.ts';
import { recipientParagraphs } from '../../web/recipients.ts';
import type { View } from '../../web/urls.ts';

/** The application form, with test data in a sandbox. */
export function applicationPage(session: Session, form: FormState, view: View, handling: MessageHandling): Html {
  const { t, urls, isSandbox } = view;
  const texts = t.application;
  const lender = session.program.lender.name;
  return html`${isUnanswered(session) ? nothing : html`<p class="lead">${fill(texts.lead, { lender })}</p>`}
    ${form.formError ? html`<p class="error-summary" role="alert" tabindex="-1" autofocus>${form.formError(t)}</p>` : nothing}
    ${errorSummary(t, form)} ${isUnanswered(session) ? otherWays(session, view, handling) : nothing} ${isSandbox ? testHints(t) : nothing} ${stateNotices(session, t)}
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
            format: 'date',
          })}
          ${taxIdField(session, form, t)}
          ${textField(t, form, {
            name: 'annualIncome',
            label: texts.annualIncome,
            hint: texts.annualIncomeHint,
            autocomplete: 'off',
            inputmode: 'numeric',
            prefix: '$',
            format: 'dollars',
          })}
        </fieldset>
        ${consentFields(session, form, view)}
        <div class="actions">
          <button type="submit">${texts.submit}</button>
          <a href="${urls.to('details')}">${texts.back}</a>
        </div>`,
      { renewsSecret: true },
    )}`;
}

/** The alternatives to another try, if the lender could not be reached: continue later with a link, or pay another way. */
function otherWays(session: Session, view: View, handling: MessageHandling): Html {
  const { t, urls } = view;
  const { heading, offer, send, sent, sendAgain } = t.continueLink;
  const { application, program } = session;
  if (!application || handling === 'unavailable') return payAnotherWay(session, view);
  const isSent = application.codes.continue !== undefined;
  const values = {
    email: application.billingContact.email,
    lender: program.lender.name,
    date: t.date(lastDayOf(application, program)),
  };
  return html`<section class="note" aria-labelledby="later-heading">
    <h2 id="later-heading">${heading}</h2>
    <p role="${isSent ? 'status' : nothing}">${fill(isSent ? sent : offer, values)}</p>
    ${postForm(urls, 'continue-link', html`<button type="submit" class="quiet">${isSent ? sendAgain : send}</button>`)}
    ${payAnotherWay(session, view)}
  </section>`;
}

/** A padlock. */
const LOCK = html`<svg class="lock" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path fill="currentColor" d="M4 7V5a4 4 0 0 1 8 0v2h1v8H3V7zm2 0h4V5a2 2 0 0 0-4 0z" /></svg>`;

/** The notices that the buyer's state requires before they apply. */
function stateNotices({ program, application }: Session, t: Texts): Html | typeof nothing {
  if (!application) return nothing;
  const { state } = application.billingContact;
  return residentNotices(noticesOf(program, state, 'application', t.language), state, t);
}

function taxIdField({ program }: Session, form: FormState, t: Texts): Html {
  const { taxId, taxIdLast4, taxIdUse } = t.application;
  const isFull = program.application.taxId === 'full';
  return textField(t, form, {
    name: isFull ? 'taxId' : 'taxIdLast4',
    label: isFull ? taxId : taxIdLast4,
    hint: html`${LOCK}${fill(taxIdUse[program.inquiry?.application ?? 'unknown'], { lender: program.lender.name })}`,
    autocomplete: 'off',
    inputmode: 'numeric',
  });
}

/** The consents. The information about electronic documents precedes its checkbox: 15 USC 7001(c)(1)(B) and (C). */
function consentFields(session: Session, form: FormState, view: View): Html {
  const { t } = view;
  const texts = t.application;
  const { lender } = session.program;
  const consents = applicationConsents(session, t);
  const { creditReport, electronic, privacyNotice } = consents;
  return html`<fieldset class="consents">
      <legend>${texts.yourConsent}</legend>
      <input type="hidden" name="shownConsents" value="${consentsHash(consents)}" />
      ${checkboxField(t, form, 'consent', creditReport.sentence)}
      ${statement('about-electronic', texts.aboutElectronic, electronic.information, t)}
      ${checkboxField(t, form, 'electronic', electronic.sentence)}
      ${statement('who-gets-what', texts.whoGetsWhat, recipientParagraphs(session, view), t)}
    </fieldset>
    ${
      privacyNotice
        ? html`<p>
            <a href="${lender.privacyNotice!.url}" target="_blank" rel="noopener noreferrer">${fill(texts.privacyNotice, { lender: lender.name })}</a>.
            ${privacyNotice.sentence}
          </p>`
        : nothing
    }`;
}

/** Sentences in a box that scrolls. The link below it shows the whole box, because the box is then the target of the URL. */
function statement(id: string, heading: string, sentences: readonly string[], t: Texts): Html {
  return html`<div class="statement">
    <h2 id="${id}-heading">${heading}</h2>
    <div class="statement-text" id="${id}" tabindex="0" role="region" aria-labelledby="${id}-heading">
      ${sentences.map((sentence) => html`<p>${withPhones(sentence, printedPhone)}</p>`)}
    </div>
    <a href="#${id}" aria-describedby="${id}-heading">${t.application.readAll}</a>
  </div>`;
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
