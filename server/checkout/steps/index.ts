import { ServiceError } from '../../errors.ts';
import type { Instant } from '../../time.ts';
import { readApplication } from './application/form.ts';
import { applyForCredit } from '../decision/request.ts';
import { changeDetails } from './details/submit.ts';
import { type BuyerContact, buyerOf } from '../../applications/contact.ts';
import type { Completed } from '../signing/complete.ts';
import { prefilledDetails, readDetails } from './details/form.ts';
import { disclosureOf } from '../signing/disclosure.ts';
import type { Html } from '../../http/html.ts';
import { agreementPage } from './agreement/template.ts';
import { applicationPage } from './application/template.ts';
import { detailsPage } from './details/template.ts';
import type { FormState } from '../web/fields.ts';
import { plansPage } from './plan/template.ts';
import type { View } from '../web/view.ts';
import type { CheckoutTexts } from '../texts/english.ts';
import { askForCard, type Taken } from './card/submit.ts';
import { approvalEnd } from './approval.ts';
import { cardPage } from './card/template.ts';
import { nextSecretIn } from '../web/form-guard.ts';
import type { CheckoutMeans } from '../deps.ts';
import { choosePlan } from './plan/submit.ts';
import { signAgreement } from '../signing/sign.ts';
import { sessionHash } from '../session/secret.ts';
import { readSignature } from './agreement/form.ts';
import type { Session, StartedSession } from '../session/session.ts';
import type { FormStepName } from '../session/progress.ts';
import type { Place, Way } from '../web/way.ts';

/**
 * What came of a posted form: on to a place, or to an address; the same form with what must be mended or is the matter; nothing,
 * because no lender could be asked, or because the form is not any more what was sent.
 */
export type Submitted = { next: Place } | { leaveFor: string } | { mend: FormState } | 'no-lender' | 'changed';

/** A step past the details is shown and submitted where it is open only: with the buyer's application. */
export interface FormStep {
  title(t: CheckoutTexts): string;
  show(session: Session, form: FormState, view: View, now: Instant, means: CheckoutMeans): Html;
  /** The form as it is first shown. */
  blank(session: Session): FormState;
  submit(means: CheckoutMeans, session: StartedSession, body: unknown, now: Instant, way: Way): Promise<Submitted>;
}

const empty = (): FormState => ({ typed: {}, errors: {} });

/**
 * Where a buyer goes who has signed: on to the shop. Who is sent no copy passes by the page that leads to it, and in a frame or a
 * window of the shop's page it is that page that tells it.
 */
export function afterSigning({ redirectUrl }: Completed, { outlet }: CheckoutMeans['mail'], way: Way): string {
  return outlet === 'refused' || way.display !== 'page' ? way.to() : redirectUrl;
}

/** The card step as it is shown again when no card came of it. */
export function withoutCard(taken: Exclude<Taken, 'noted'>): FormState {
  return { ...empty(), notice: ({ card }) => (taken === 'none' ? card.none : card.unavailable) };
}

/** Every step with a form: its page, and the verb its form leads to. */
export const formSteps: Record<FormStepName, FormStep> = {
  details: {
    title: (t) => t.details.title,
    show: detailsPage,
    blank: ({ purchase, application }) =>
      prefilledDetails(
        purchase.options,
        application && {
          billing: buyerOf(application),
          shipping: JSON.parse(application.shipping_contact_json) as BuyerContact,
          shippingTypeId: application.shipping_type_id,
        },
      ),
    submit: async (means, { purchase, application }, body, now, way) => {
      const read = readDetails(purchase.options, body);
      if (!read.ok) return { mend: read };
      await changeDetails(means, application, { ...read.details, language: way.lang }, nextHash(body), now);
      return { next: '' };
    },
  },

  apply: {
    title: (t) => t.application.title,
    show: applicationPage,
    blank: empty,
    submit: async (means, { program, application }, body, now, { lang }) => {
      const read = readApplication(body, program, buyerOf(application).state, now);
      if (!read.ok) return { mend: read };
      try {
        await applyForCredit(means, application, read.applicant, now, { language: lang, session_hash: nextHash(body) });
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
    submit: async ({ database }, { plans, application }, body, now) => {
      const offerId = (body as { offerId?: unknown } | undefined)?.offerId;
      const plan = plans.find((offered) => offered.offerId === offerId);
      if (!plan) return { mend: { typed: {}, errors: { offerId: ({ messages }) => messages.offer } } };
      await choosePlan(database, application, plan.offerId, now);
      return { next: '' };
    },
  },

  card: {
    title: (t) => t.card.title,
    show: (session: StartedSession, form, view, _now, { cards }) => cardPage(session, form, view, cards?.testCards),
    blank: empty,
    submit: async (means, session, body, now, way) => {
      const picked = (body as { card?: unknown } | undefined)?.card;
      const taken = await askForCard(means, session, picked, way, now);
      if (typeof taken === 'object') return taken;
      if (taken === 'noted') return { next: '' };
      if (taken === 'none') return { mend: { typed: {}, errors: { card: ({ messages }) => messages.card } } };
      return { mend: withoutCard(taken) };
    },
  },

  agreement: {
    title: (t) => t.agreement.title,
    show: (session: StartedSession, form, view, now, means) =>
      agreementPage(session, disclosureOf(session, view.way.lang, now), form, view, approvalEnd(session, view, now, means)),
    blank: empty,
    submit: async (means, { application }, body, now, way) => {
      const read = readSignature(body, way.lang);
      if (!read.ok) return { mend: read };
      const signed = await signAgreement(means, application, read.signature, now).catch(unlessChanged);
      if (signed === 'changed') return signed;
      if (!signed) return { next: '' };
      return { leaveFor: afterSigning(signed, means.mail, way) };
    },
  },
};

/** Hash of the secret that the checkout continues under. */
function nextHash(body: unknown): string {
  const secret = nextSecretIn(body);
  if (secret === undefined) throw new ServiceError('invalid-request', 'nextSecret: expected 22 letters, but received none');
  return sessionHash(secret);
}

function unlessChanged(thrown: unknown): 'changed' {
  if (thrown instanceof ServiceError && thrown.refusal === 'changed-meanwhile') return 'changed';
  throw thrown;
}
