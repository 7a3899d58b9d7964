import { fill } from '../../../shared/languages/texts.ts';
import { statusCodes } from '../../applications/lifecycle.ts';
import type { ApplicationRow } from '../../applications/store.ts';
import { NEEDED_ACTIONS } from '../../lenders/lender.ts';
import type { Block } from '../../notifications/buyer-email.ts';
import type { Session } from '../session/session.ts';
import type { Texts } from '../../texts.ts';

/**
 * Returns the notice of an incomplete application: what is needed, until when, and what follows if the buyer does not act. 12 CFR
 * 1002.9(c)(2), model form C-6. The deadline is the last day of the checkout link, after which the buyer cannot apply again.
 */
export function incompleteBlocks(
  { program, cart }: Pick<Session, 'program' | 'cart'>,
  { status_code }: Pick<ApplicationRow, 'status_code'>,
  t: Texts,
): Block[] {
  const action = NEEDED_ACTIONS.find((each) => statusCodes.NEEDS_ACTION[each] === status_code)!;
  const { lead, deadline, notDenied, actions } = t.needsAction;
  const { what, how } = actions[action];
  const values = { lender: program.lender.name, date: t.date(cart.expires_on) };
  return [
    { paragraphs: [fill(lead, values)] },
    { paragraphs: [`${fill(what, values)} ${how}`] },
    { paragraphs: [fill(deadline, values), notDenied] },
  ];
}
