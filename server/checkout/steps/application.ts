import { coerce, define, pattern, string, validate } from 'superstruct';
import { html } from '@lit-labs/ssr';
import { nothing } from 'lit';
import { fill } from '../../../shared/languages/texts.ts';
import { type CivilDate, ageOn } from '../../../shared/dates.ts';
import type { CheckoutTexts } from '../../../shared/languages/en/checkout.ts';
import type { Program } from '../../../shared/programs/program.ts';
import { plainPunctuation } from '../../../shared/plain-punctuation.ts';
import { minAgeIn, noticesOf } from '../../../shared/programs/states.ts';
import { CalendarDate } from '../../../shared/wire/fields.ts';
import { ServiceError } from '../../base/errors.ts';
import {
  emptyForm,
  errorSummary,
  type FormState,
  residentNotices,
  table,
  textField,
  checkboxField,
} from '../../http/pages/elements.ts';
import { Checked, WITHOUT_TAX_ID, field, hiddenField, readForm, type FormFailure } from '../../http/pages/read-form.ts';
import type { Applicant } from '../../lending/lenders/lender.ts';
import { HOUR_MS, type Instant, plusMs, dateIn } from '../../base/time.ts';
import { applicationConsents, consentsHash } from '../../agreements/consents.ts';
import { lastDayOf } from '../../lending/applications/expiry.ts';
import type { Html } from '../../http/pages/html.ts';
import { testBuyers } from '../../lending/lenders/sandbox-lender.ts';
import type { MessageHandling } from '../../messages/outbox.ts';
import { printedPhone, withPhones } from '../../http/pages/phones.ts';
import type { Texts } from '../../base/texts.ts';
import { requestDecision } from '../waiting/request-decision.ts';
import type { StartedSession, Session } from '../session/session.ts';
import { canApply, isUnanswered } from '../session/state.ts';
import { nextSessionHash, postForm } from '../web/forms.ts';
import { payAnotherWay } from '../web/notify-opener.ts';
import { recipientParagraphs } from '../web/recipients.ts';
import type { View } from '../web/urls.ts';
import { invalid, type Step } from './step.ts';

/** The step in which the buyer applies for credit. */
export const applicationStep: Step = {
  name: 'apply',
  title: (t, session) =>
    isUnanswered(session) ? fill(t.application.unreachable, { lender: session.program.lender.name }) : t.application.title,
  appliesTo: () => true,
  isOpen: canApply,
  // The step closes with the decision: it is never done while it is open.
  isDone: () => false,
  // Of the request that the lender did not answer, only the consents are known: the other values are not stored.
  form: (session) =>
    isUnanswered(session)
      ? {
          values: { consent: 'yes', electronic: 'yes' },
          errors: {},
          formError: (t) => t.application.noAnswer,
        }
      : emptyForm(),
  template: (session, form, view, _now, { mail }) => applicationPage(session, form, view, mail.handling),
  submit: async (deps, { program, application }: StartedSession, body, now, { lang }, client) => {
    const read = readApplication(body, program, application.billingContact.state, now);
    if (!read.ok) return invalid(read);
    try {
      await requestDecision(deps, application, read.applicant, now, {
        changes: { language: lang, sessionHash: nextSessionHash(body) },
        shownConsents: hiddenField(body, 'shownConsents'),
        client,
      });
    } catch (thrown) {
      // The next page states that the lender could not be reached. Without a card gateway, nothing can pay the down payment.
      if (thrown instanceof ServiceError && thrown.code === 'lender-unavailable') return 'next';
      if (thrown instanceof ServiceError && thrown.code === 'not-configured') return 'no-cards';
      if (thrown instanceof ServiceError && thrown.code === 'changed-meanwhile') return 'changed';
      throw thrown;
    }
    return 'next';
  },
  renewsSecret: true,
  awaitsLender: true,
  leavesAfterFailure: true,
};

/** In Hawaii, the last US state in which a day begins: a buyer who is of age there is of age everywhere. */
const BEHIND_UTC_MS = 10 * HOUR_MS;

/**
 * Reads a posted application.
 *
 * @param state - The buyer's state, which decides the age of majority.
 */
export function readApplication(
  body: unknown,
  program: Pick<Program, 'states' | 'application'>,
  state: string,
  now: Instant,
): { ok: true; applicant: Applicant } | FormFailure {
  const { application } = program;
  const today = dateIn(plusMs(now, -BEHIND_UTC_MS), 'UTC');
  const read = readForm(applicationFields(today, minAgeIn(program, state), application.taxId), body);
  // The digits of the tax number are never sent back.
  if (!read.ok) return { ...read, values: { ...read.values, ...WITHOUT_TAX_ID } };
  const { dateOfBirth, taxIdLast4, taxId, annualIncome } = read.values;
  const identity = application.taxId === 'full' ? { taxIdLast4: taxId.slice(-4), taxId } : { taxIdLast4 };
  return { ok: true, applicant: { dateOfBirth, ...identity, annualIncomeCents: annualIncome } };
}

/**
 * Returns the fields of the application.
 *
 * @param today  - Civil date on which the buyer must be of age.
 * @param minAge - Age of majority in the buyer's state.
 * @param taxId  - The field for the tax number that the form has. The other one is not validated.
 */
export function applicationFields(today: CivilDate, minAge: number, taxId: 'last4' | 'full' = 'last4') {
  const Adult = define<string>(
    'adult',
    (value) => CalendarDate.is(value) && ageOn(value, today) >= minAge && ageOn(value, today) < 120,
  );
  return {
    dateOfBirth: {
      struct: coerce(Adult, string(), (value) => {
        const [error, date] = validate(value, DateOfBirth, { coerce: true });
        return error ? '' : date;
      }),
      message: (t: CheckoutTexts) => fill(t.messages.dateOfBirth, { age: minAge }),
      emptyMessage: (t: CheckoutTexts) => t.emptyMessages.dateOfBirth,
    },
    taxIdLast4: field(taxId === 'last4' ? pattern(string(), /^\d{4}$/) : string(), 'taxIdLast4'),
    taxId: field(taxId === 'full' ? TaxId : string(), 'taxId'),
    annualIncome: field(DollarsInCents, 'annualIncome'),
    consent: field(Checked, 'consent'),
    electronic: field(Checked, 'notices'),
  };
}

/** Parses `04/23/1990`, and `04231990`, since numeric keypads have no slash. */
const DateOfBirth = coerce(CalendarDate, string(), (typed) => {
  const value = plainPunctuation(typed);
  const parts = /^(\d{1,2})[/. -]+(\d{1,2})[/. -]+(\d{4})$/.exec(value) ?? /^(\d\d)(\d\d)(\d{4})$/.exec(value);
  if (!parts) return value;
  const [, month = '', day = '', year = ''] = parts;
  return [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
});

/** Parses an SSN or ITIN with or without separators. No such number has a part of zeros, or begins with 666. */
const TaxId = coerce(pattern(string(), /^(?!000|666)\d{3}(?!00)\d{2}(?!0000)\d{4}$/), string(), (value) =>
  plainPunctuation(value).replace(/[ .-]/g, ''),
);

/** Parses whole dollars, `84000.00`, `$84,000` or `84 000`, into cents. */
const DollarsInCents = coerce(
  define<number>('dollars', (value) => Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= 1e11),
  string(),
  (value) => {
    const [, dollars] = /^ ?\$? ?(\d{1,9}|\d{1,3}(?:[ ,]\d{3}){1,2})(?:\.00?)? ?\$? ?$/.exec(plainPunctuation(value)) ?? [];
    return dollars === undefined ? Number.NaN : Number(dollars.replace(/[ ,]/g, '')) * 100;
  },
);

/** The application form, with test data in a sandbox. */
function applicationPage(session: Session, form: FormState, view: View, handling: MessageHandling): Html {
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
  return html`<details class="test-hints">
    <summary>${heading}</summary>
    <p>${testBuyersHint}</p>
    ${table(
      [testDigits, testMeaning],
      testBuyers.map(({ taxIdLast4 }) => [html`<code>${taxIdLast4}</code>`, meanings[taxIdLast4]]),
    )}
  </details>`;
}
