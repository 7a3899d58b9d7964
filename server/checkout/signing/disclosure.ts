import { boxOf } from '../../../shared/disclosure/box.ts';
import type { Language } from '../../../shared/disclosure/texts.ts';
import type { TilaBox } from '../../../shared/disclosure/tila-box.ts';
import type { Plan } from '../../../shared/plan.ts';
import { dateOf, type Instant } from '../../time.ts';
import { buyerOf } from '../../applications/contact.ts';
import type { StartedSession } from '../session/session.ts';

/**
 * What the buyer must see before signing: the disclosure of the plan they chose, the loan made today, with what their state wants
 * said in the language they read.
 *
 * @throws RangeError - the plan cannot be disclosed, see `boxOf`.
 */
export function disclosureOf(session: StartedSession, language: Language, now: Instant): TilaBox {
  const { program, merchant, application, prices, parts } = session;
  return boxOf(program, chosenPlan(session), {
    date: dateOf(now),
    state: buyerOf(application).state,
    merchantName: merchant.name,
    language,
    cardCents: parts.cardCents,
    sheet: prices.sheet,
  });
}

/** The plan the buyer chose last. @throws Error - they have chosen none, or it is sold no more. */
export function chosenPlan({ plans, application }: Pick<StartedSession, 'plans' | 'application'>): Plan {
  const plan = plans.find(({ offerId }) => offerId === application.offer_id);
  if (!plan) throw new Error('The agreement was reached without a plan that is sold.');
  return plan;
}
