import { fill } from '../../../../shared/languages/texts.ts';
import { propertyOf } from '../../../../shared/objects.ts';
import { applicationStatusAfter } from '../../../lending/applications/lifecycle.ts';
import { type Application, saveApplication } from '../../../lending/applications/store.ts';
import type { Database } from '../../../db/database.ts';
import { ServiceError } from '../../../base/errors.ts';
import { emptyForm } from '../../../http/pages/elements.ts';
import { type Instant, DATABASE_NOW } from '../../../base/time.ts';
import { lockShownSession, type ShownApplication } from '../../session/load.ts';
import type { StartedSession } from '../../session/session.ts';
import { isApproved } from '../../session/state.ts';
import { invalid, type Step } from '../step.ts';
import { plansPage } from './template.ts';

/** The plans that the buyer is approved for. */
export const planStep: Step = {
  name: 'plans',
  title: (t, { portions, program }) => fill(t.plans.title, { total: t.money(portions.financedCents, program.currency) }),
  appliesTo: () => true,
  isOpen: isApproved,
  isDone: ({ application }) => application?.status !== 'APPROVED',
  form: emptyForm,
  template: plansPage,
  submit: async ({ database }, { plans, application }: StartedSession, body, now) => {
    const offerId = propertyOf(body, 'offerId');
    const chosen = plans.find((offered) => offered.offerId === offerId);
    if (!chosen) return invalid({ values: {}, errors: { offerId: ({ messages }) => messages.offer } });
    await choosePlan(database, application, chosen.offerId, now);
    return 'next';
  },
};

/**
 * Saves the chosen plan. Until the agreement is signed another plan may be chosen.
 *
 * @returns The application.
 * @throws ServiceError `cart-closed`, or `invalid-request` - the buyer was not approved for such an offer.
 */
export function choosePlan(database: Database, shown: ShownApplication, offerId: string, now: Instant): Promise<Application> {
  return database.write(async (tx) => {
    const { plans, application, portions } = await lockShownSession(tx, shown, now, isApproved);
    if (!plans.some((plan) => plan.offerId === offerId)) {
      throw new ServiceError('invalid-request', 'Expected one of the plans the buyer was approved for.');
    }
    const isReady = portions.cardCents === 0 || application.cardReference !== '';
    return saveApplication(tx, application, {
      ...statusAfterChoice(application, isReady),
      offerId,
      updatedAt: DATABASE_NOW,
    });
  });
}

function statusAfterChoice({ status }: Application, isReady: boolean) {
  if (status === 'CHECKOUT_EXTENDED') return applicationStatusAfter('prepareAgain', status);
  return isReady ? applicationStatusAfter('prepare', status) : applicationStatusAfter('attemptPrepare', status);
}
