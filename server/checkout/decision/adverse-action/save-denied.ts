import type { DenialReason } from '../../../lenders/lender.ts';
import { buyerOf } from '../../../applications/contact.ts';
import { type ApplicationRow, saveApplication } from '../../../applications/store.ts';
import type { Tx } from '../../../db/database.ts';
import { enqueueMessage } from '../../../notifications/outbox.ts';
import { dateOf } from '../../../time.ts';
import type { BuyerMail } from '../../deps.ts';
import type { Session } from '../../session/session.ts';
import { texts } from '../../texts/texts.ts';
import { adverseActionLetter } from './email.ts';
import { type AdverseAction, adverseActionOf } from './notice.ts';

/** The notice of a denied application. A denial is the last that happens to one: it dates the row. */
export function noticeOf({ program, merchant }: Pick<Session, 'program' | 'merchant'>, denied: ApplicationRow): AdverseAction {
  const reasons = JSON.parse(denied.denial_reasons_json) as DenialReason[];
  return adverseActionOf(program.lender, merchant.name, reasons, dateOf(denied.updated_at));
}

/**
 * Saves a denied application and promises its buyer the notice by e-mail, in the database transaction of the denial. Where nothing
 * can send it, nothing is promised: the page alone tells them then.
 */
export async function saveDenied(
  tx: Tx,
  session: Session,
  after: ApplicationRow,
  { outlet }: Pick<BuyerMail, 'outlet'>,
  letterId: string,
): Promise<void> {
  const denied = await saveApplication(tx, after);
  if (outlet === 'refused') return;
  const buyer = buyerOf(denied);
  await enqueueMessage(tx, {
    id: letterId,
    merchantId: session.merchant.id,
    outlet,
    createdAt: denied.updated_at,
    channel: 'email',
    to: buyer.email,
    content: adverseActionLetter(noticeOf(session, denied), buyer, texts[denied.language], outlet),
  });
}
