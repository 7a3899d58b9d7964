import type { MessageLimits } from '../../base/config/config.ts';
import type { Database } from '../../db/database.ts';
import { newId } from '../../base/ids.ts';
import { changeRefundApproval } from '../../merchants/merchants.ts';
import type { Merchant } from '../../merchants/store.ts';
import { recipientKey } from '../../messages/addresses.ts';
import { type MailOptions, merchantInEmail } from '../../messages/buyer-email.ts';
import { requireWithinDay } from '../../messages/limits.ts';
import { localesOf } from '../../lending/programs/programs.ts';
import { texts } from '../../base/texts.ts';
import type { Instant } from '../../base/time.ts';
import { enqueueUserEmail } from '../users/link-email.ts';
import { isPermitted } from '../users/roles.ts';
import { listUsers, type User } from '../users/store.ts';
import { isSamePerson } from '../users/users.ts';

/** Dependencies of a change of the sum. */
export interface ApprovalSumDeps {
  database: Database;
  mail: MailOptions;
  messageLimits: MessageLimits;
}

/**
 * Saves the sum that one person may refund of one order, in all refunds together, before a second person must approve. A higher sum,
 * or its removal, is e-mailed to all other administrators, so that they notice that one person may refund more.
 *
 * @throws ServiceError `rate-limited` - the e-mails cannot be sent today, so that the sum is not raised; the errors of `changeRefundApproval`.
 */
export async function changeApprovalSum(
  { database, mail, messageLimits }: ApprovalSumDeps,
  merchantId: string,
  refundApprovalCents: number | null,
  by: User,
  now: Instant,
): Promise<void> {
  await database.write(async (tx) => {
    const { before, after } = await changeRefundApproval(tx, merchantId, refundApprovalCents, now, `user:${by.id}`);
    if (!needsFewerApprovals(before.refundApprovalCents, after.refundApprovalCents)) return;
    const users = await listUsers(tx, { tenantId: after.tenantId, merchantId });
    const others = users.filter((user) => isPermitted(user.role, 'administer') && !isSamePerson(user, by));
    // One e-mail for each person, in the same order for all, so that concurrent changes of merchants do not wait for each other.
    const byRecipient = new Map(others.map((user) => [recipientKey(user.email), user]));
    const { currency } = await localesOf(tx, after);
    const content = contentOf(before, after, by, mail.publicUrl, currency);
    for (const [, user] of [...byRecipient].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
      await requireWithinDay(tx, { channel: 'email', to: user.email, merchantId }, messageLimits.email, now);
      await enqueueUserEmail(tx, { ...content, id: newId(), user, merchant: after, now }, mail);
    }
  });
}

/** Returns true if fewer refunds need an approval than before. */
function needsFewerApprovals(before: number | null, after: number | null): boolean {
  return before !== null && (after === null || after > before);
}

function contentOf(
  { refundApprovalCents: before, name }: Merchant,
  { id, refundApprovalCents: after }: Merchant,
  by: User,
  publicUrl: string,
  currency: string,
) {
  const merchant = merchantInEmail(name, texts.en);
  const person = by.name || by.email;
  const sum = (cents: number) => texts.en.money(cents, currency);
  return {
    subject: `Fewer refunds of ${merchant} need a second approval`,
    blocks: [
      {
        paragraphs: [
          after === null
            ? `${person} has switched off the second approval of refunds of ${merchant}. Before, another person had to approve them once one person's refunds of an order exceeded ${sum(before ?? 0)}.`
            : `${person} has changed the sum that one person may refund of an order of ${merchant} before another person must approve: from ${sum(before ?? 0)} to ${sum(after)}.`,
        ],
        button: { label: 'Show the settings', url: `${publicUrl}/console/${id}/settings` },
      },
      { paragraphs: ['If you did not expect this, look at the latest refunds, and change it back.'] },
    ],
  };
}
