import { ServiceError } from '../errors.ts';
import { dateOf, type Instant } from '../time.ts';
import { applyForCredit, startApplication } from './apply.ts';
import { type BuyerContact, buyerOf } from '../applications/contact.ts';
import { prefilledDetails, readDetails } from './details-form.ts';
import { disclosureOf } from './disclosure.ts';
import { applicationFields, readForm, signatureFields } from './forms.ts';
import type { Html } from '../http/html.ts';
import { agreementPage } from './templates/agreement.ts';
import { applicationPage } from './templates/application.ts';
import { detailsPage } from './templates/details.ts';
import type { FormState } from './templates/fields.ts';
import { plansPage } from './templates/plans.ts';
import type { View } from './templates/view.ts';
import type { CheckoutTexts } from './texts/english.ts';
import { cardPage } from './templates/card.ts';
import type { CheckoutMeans } from './means.ts';
import { choosePlan, noteCard } from './plans.ts';
import { signAgreement } from './sign.ts';
import { plansOf, type Session } from './session.ts';
import type { FormStepName } from './steps.ts';
import type { Place, Way } from './way.ts';

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
  submit(means: CheckoutMeans, session: Session, body: unknown, now: Instant, way: Way): Promise<Submitted>;
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
    submit: async (means, { options, cart }, body, now, way) => {
      const read = readDetails(options, body);
      if (!read.ok) return { mend: read };
      await startApplication(means, cart.code, { ...read.details, language: way.lang }, now);
      return { next: '' };
    },
  },

  apply: {
    title: (t) => t.application.title,
    show: applicationPage,
    blank: empty,
    submit: async (means, { cart, program, application }, body, now) => {
      const { minAge } = program.states.overrides[buyerOf(application!).state] ?? { minAge: AGE_OF_MAJORITY };
      const read = readForm(applicationFields(dateOf(now), minAge), body);
      // The digits of the tax number are typed again rather than sent back.
      if (!read.ok) return { mend: { ...read, typed: { ...read.typed, taxIdLast4: '' } } };
      const { dateOfBirth, taxIdLast4, annualIncome } = read.values;
      const applicant = { dateOfBirth, taxIdLast4, annualIncomeCents: annualIncome };
      try {
        await applyForCredit(means, cart.code, applicant, now);
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
      return { next: '' };
    },
  },

  card: {
    title: (t) => t.card.title,
    show: cardPage,
    blank: empty,
    submit: async ({ database, cards }, { cart, application, cardCents, program }, body, now, way) => {
      const part = {
        applicationId: application!.id,
        amountCents: cardCents,
        currency: program.currency,
        language: way.lang,
      };
      const card = await cards?.finish(part, String((body as { card?: unknown } | undefined)?.card));
      if (!card) return { mend: { typed: {}, errors: { card: ({ messages }) => messages.card } } };
      await noteCard(database, cart.code, card, now);
      return { next: '' };
    },
  },

  agreement: {
    title: (t) => t.agreement.title,
    show: (session, form, view, now) => agreementPage(disclosureOf(session, now), form, view),
    blank: empty,
    submit: async (means, { cart }, body, now) => {
      const read = readForm(signatureFields, body);
      if (!read.ok) return { mend: read };
      const disclosureHash = String((body as { disclosureHash?: unknown }).disclosureHash);
      const signed = await signAgreement(means, cart.code, { name: read.values.signedName, disclosureHash }, now);
      return signed ? { completedAt: signed.redirectUrl } : { next: '' };
    },
  },
};
