import { fill } from '../../../../shared/languages/texts.ts';
import { ServiceError } from '../../../base/errors.ts';
import { emptyForm } from '../../../http/pages/elements.ts';
import { Checked, WITHOUT_TAX_ID, field, hiddenField, readForm, type FormFailure } from '../../../http/pages/read-form.ts';
import { requestDecision } from '../../waiting/request-decision.ts';
import type { StartedSession } from '../../session/session.ts';
import { canApply, isUnanswered } from '../../session/state.ts';
import { nextSessionHash } from '../../web/forms.ts';
import { invalid, type Step } from '../step.ts';
import { applicationPage } from './template.ts';
import { coerce, define, pattern, string, validate } from 'superstruct';
import type { CivilDate } from '../../../../shared/dates.ts';
import { ageOn } from '../../../../shared/dates.ts';
import type { CheckoutTexts } from '../../../../shared/languages/en/checkout.ts';
import type { Program } from '../../../../shared/programs/program.ts';
import { plainPunctuation } from '../../../../shared/plain-punctuation.ts';
import { minAgeIn } from '../../../../shared/programs/states.ts';
import { CalendarDate } from '../../../../shared/wire/fields.ts';
import type { Applicant } from '../../../lending/lenders/lender.ts';
import { type Instant, plusMs, dateIn } from '../../../base/time.ts';

/** The step in which the buyer applies for credit. */
export const applicationStep: Step = {
  name: 'apply',
  title: (t, session) =>
    isUnanswered(session) ? fill(t.application.unreachable, { lender: session.program.lender.name }) : t.application.title,
  appliesTo: () => true,
  isOpen: canApply,
  // The step closes with the decision: it is never done while it is open.
  isDone: () => false,
  // The values of the request that the lender did not answer are not stored.
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

/** Offset of Hawaii, the last US state of the day: a buyer who is of age there is of age everywhere. */
const LATEST_MS = 36_000_000;

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
  const today = dateIn(plusMs(now, -LATEST_MS), 'UTC');
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
