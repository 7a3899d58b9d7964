import { ServiceError } from '../errors.ts';
import { dateOf, type Instant } from '../time.ts';
import { applyForCredit, startApplication } from './apply.ts';
import { completeCheckout } from './complete.ts';
import { type BuyerContact, buyerOf } from '../applications/contact.ts';
import { prefilledDetails, readDetails } from './details-form.ts';
import { disclosureOf } from './disclosure.ts';
import { applicationFields, readForm, signatureFields } from './forms.ts';
import type { Lender } from '../lenders/lender.ts';
import type { Database } from '../db/database.ts';
import type { Html } from '../http/html.ts';
import { agreementPage } from './templates/agreement.ts';
import { applicationPage } from './templates/application.ts';
import { detailsPage } from './templates/details.ts';
import type { FormState } from './templates/fields.ts';
import { plansPage } from './templates/plans.ts';
import type { View } from './templates/view.ts';
import type { CheckoutTexts } from './texts/english.ts';
import { choosePlan } from './plans.ts';
import { plansOf, type Session } from './session.ts';
import type { FormStepName } from './steps.ts';
import type { Place } from './way.ts';

/**
 * What came of a posted form: on to an address, a checkout that is complete, the same form with what must be mended, or nothing,
 * because no lender could be asked.
 */
export type Submitted = { next: Place } | { completedAt: string } | { mend: FormState } | 'no-lender';

export interface FormStep {
  title(t: CheckoutTexts): string;
  show(session: Session, form: FormState, view: View, now: Instant): Html;
  /** The form as it is first shown. */
  blank(session: Session): FormState;
  submit(parts: { database: Database; lender: Lender }, session: Session, body: unknown, now: Instant): Promise<Submitted>;
}

/** In every state that the program says nothing else of. */
const AGE_OF_MAJORITY = 18;

const empty = (): FormState => ({ typed: {}, errors: {} });

/** Every step with a form: its page, and the verb its form leads to. */
export const formSteps: Record<FormStepName, FormStep> = {
  details: {
    title: (t) => t.details.title,
    show: detailsPage,
    blank: ({ options, application }) =>
      prefilledDetails(
        options,
        application && {
          billing: buyerOf(application),
          shipping: JSON.parse(application.shipping_contact_json) as BuyerContact,
          shippingTypeId: application.shipping_type_id,
        },
      ),
    submit: async ({ database }, { options, cart }, body, now) => {
      const read = readDetails(options, body);
      if (!read.ok) return { mend: read };
      await startApplication(database, cart.code, read.details, now);
      return { next: 'apply' };
    },
  },

  apply: {
    title: (t) => t.application.title,
    show: applicationPage,
    blank: empty,
    submit: async ({ database, lender }, { cart, program, application }, body, now) => {
      const { minAge } = program.states.overrides[buyerOf(application!).state] ?? { minAge: AGE_OF_MAJORITY };
      const read = readForm(applicationFields(dateOf(now), minAge), body);
      // The digits of the tax number are typed again rather than sent back.
      if (!read.ok) return { mend: { ...read, typed: { ...read.typed, taxIdLast4: '' } } };
      const { dateOfBirth, taxIdLast4, annualIncome } = read.values;
      const applicant = { dateOfBirth, taxIdLast4, annualIncomeCents: annualIncome };
      try {
        await applyForCredit(database, lender, cart.code, applicant, now);
      } catch (thrown) {
        if (thrown instanceof ServiceError && thrown.refusal === 'lender-unavailable') return 'no-lender';
        throw thrown;
      }
      return { next: '' };
    },
  },

  plans: {
    title: (t) => t.plans.title,
    show: plansPage,
    blank: empty,
    submit: async ({ database }, session, body, now) => {
      const offerId = (body as { offerId?: unknown } | undefined)?.offerId;
      const plan = plansOf(session).find((offered) => offered.offerId === offerId);
      if (!plan) return { mend: { typed: {}, errors: { offerId: ({ messages }) => messages.offer } } };
      await choosePlan(database, session.cart.code, plan.offerId, now);
      return { next: 'agreement' };
    },
  },

  agreement: {
    title: (t) => t.agreement.title,
    show: (session, form, view, now) => agreementPage(disclosureOf(session, now), form, view),
    blank: empty,
    submit: async ({ database }, { cart }, body, now) => {
      const read = readForm(signatureFields, body);
      if (!read.ok) return { mend: read };
      const disclosureHash = String((body as { disclosureHash?: unknown }).disclosureHash);
      const { redirectUrl } = await completeCheckout(database, cart.code, { name: read.values.signedName, disclosureHash }, now);
      return { completedAt: redirectUrl };
    },
  },
};
