import type { Query, Tx } from '../../../db/database.ts';
import { lookupHash } from '../../../db/sealed.ts';
import type { Instant } from '../../../base/time.ts';
import { recipientKey } from '../../../messages/addresses.ts';

/** A person to whom a merchant sends links by e-mail. */
export interface LinkRecipient {
  merchantId: string;
  /** `lookupHash` of the e-mail address. All spellings of a mailbox have the same. */
  recipientHash: string;
}

/** Returns a merchant's recipient with that e-mail address. */
export async function linkRecipient(query: Query, merchantId: string, email: string): Promise<LinkRecipient> {
  return { merchantId, recipientHash: await recipientHashOf(query, email) };
}

function recipientHashOf(query: Query, email: string): Promise<string> {
  return lookupHash(query, 'opt-out', recipientKey(email));
}

export async function hasOptedOut(query: Query, { merchantId, recipientHash }: LinkRecipient): Promise<boolean> {
  const optOuts = query.selectFrom('email_opt_outs').select('createdAt').where('recipientHash', '=', recipientHash);
  return (await optOuts.where('merchantId', '=', merchantId).executeTakeFirst()) !== undefined;
}

/** Records an opt-out, unless the recipient has opted out already. */
export async function addOptOut(tx: Tx, recipient: LinkRecipient, createdAt: Instant): Promise<void> {
  const { merchantId, recipientHash } = recipient;
  await tx
    .insertInto('email_opt_outs')
    .values({ merchantId, recipientHash, createdAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Returns the merchants whose links an e-mail address has opted out of, the earliest first. */
export async function optOutsOf(query: Query, email: string): Promise<{ merchantId: string; optedOutAt: Instant }[]> {
  return query
    .selectFrom('email_opt_outs')
    .select(['merchantId', 'createdAt as optedOutAt'])
    .where('recipientHash', '=', await recipientHashOf(query, email))
    .orderBy('createdAt')
    .orderBy('merchantId')
    .execute();
}
