import { isApproved } from '../../session/state.ts';
import { emptyForm, invalid, type Step } from '../step.ts';
import { choosePlan } from './submit.ts';
import { plansPage } from './template.ts';

/** The plans that the buyer is approved for. */
export const plan: Step = {
  name: 'plans',
  title: (t) => t.plans.title,
  appliesTo: () => true,
  isOpen: isApproved,
  isDone: ({ application }) => application?.status !== 'APPROVED',
  form: emptyForm,
  template: plansPage,
  submit: async ({ database }, { plans, application }, body, now) => {
    const offerId = (body as { offerId?: unknown } | undefined)?.offerId;
    const chosen = plans.find((offered) => offered.offerId === offerId);
    if (!chosen) return invalid({ typed: {}, errors: { offerId: ({ messages }) => messages.offer } });
    await choosePlan(database, application, chosen.offerId, now);
    return 'next';
  },
};
