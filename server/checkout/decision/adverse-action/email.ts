import { fill } from '../../../../shared/disclosure/texts.ts';
import { type BuyerContact, fullName } from '../../../applications/contact.ts';
import type { Letter, Outlet } from '../../../notifications/outbox.ts';
import { buyerLetter } from '../../emails/email.ts';
import { type Texts } from '../../texts/texts.ts';
import { type AdverseAction, withoutReasons } from './notice.ts';
import { noticeBlocks } from './words.ts';

/**
 * The notice as a letter to the buyer.
 *
 * A sandbox shows its letters to the merchant, who never learns the reasons: what it records is the same for all of them.
 */
export function adverseActionLetter(
  notice: AdverseAction,
  buyer: BuyerContact,
  t: Texts,
  outlet: Exclude<Outlet, 'refused'>,
): Letter {
  const { subject, greeting } = t.adverseAction;
  const name = fullName(buyer);
  const blocks = outlet === 'sent' ? noticeBlocks(notice, t) : noticeBlocks(withoutReasons(notice), t, true);
  return buyerLetter({
    language: t.language,
    name,
    subject: fill(subject, { lender: notice.creditor.name }),
    greeting: fill(greeting, { name }),
    blocks,
  });
}
