import type { DenialReason } from '../../lenders/lender.ts';
import { buyerOf } from '../../applications/contact.ts';
import type { ApplicationRow } from '../../applications/store.ts';
import type { Tx } from '../../db/database.ts';
import { enqueueMessage } from '../../notifications/outbox.ts';
import { dateOf, type Instant } from '../../time.ts';
import type { BuyerMail } from '../documents/keep.ts';
import type { Session } from '../session.ts';
import { texts } from '../texts/texts.ts';
import { adverseActionLetter } from './letter.ts';
import { type AdverseAction, adverseActionOf } from './notice.ts';

/** The notice of a denied application. A denial is the last that happens to one: it dates the row. */
export function noticeOf({ program, merchant }: Pick<Session, 'program' | 'merchant'>, denied: ApplicationRow): AdverseAction {
  const reasons = JSON.parse(denied.denial_reasons_json) as DenialReason[];
  return adverseActionOf(program.lender, merchant.name, reasons, dateOf(denied.updated_at));
}

/**
 * Promises the buyer the notice of a denial by e-mail. Belongs into the database transaction of the denial. Where nothing can
 * send it, nothing is promised: the page alone tells them then.
 */
export async function tellDenied(
  tx: Tx,
  session: Session,
  denied: ApplicationRow,
  { outlet }: Pick<BuyerMail, 'outlet'>,
  id: string,
  now: Instant,
): Promise<void> {
  if (outlet === 'refused') return;
  const buyer = buyerOf(denied);
  await enqueueMessage(tx, {
    id,
    merchantId: session.merchant.id,
    outlet,
    createdAt: now,
    channel: 'email',
    to: buyer.email,
    content: adverseActionLetter(noticeOf(session, denied), buyer, texts[denied.language], outlet),
  });
}
