import { boxOf } from '../../shared/disclosure/box.ts';
import type { Language } from '../../shared/disclosure/texts.ts';
import type { TilaBox } from '../../shared/disclosure/tila-box.ts';
import { dateOf, type Instant } from '../time.ts';
import { buyerOf } from '../applications/contact.ts';
import { chosenPlan, type Session } from './session.ts';

/**
 * What the buyer must see before signing: the disclosure of the plan they chose, the loan made today, with what their state wants
 * said in the language they read.
 *
 * @throws RangeError - the plan cannot be disclosed, see `boxOf`.
 */
export function disclosureOf(session: Session, language: Language, now: Instant): TilaBox {
  const { program, merchant, application, sheet, cardCents } = session;
  const plan = chosenPlan(session);
  if (!application || !plan) throw new Error('The agreement was reached without a plan that is sold.');
  const { state } = buyerOf(application);
  return boxOf(program, plan, { date: dateOf(now), state, merchantName: merchant.name, language, cardCents, sheet });
}
