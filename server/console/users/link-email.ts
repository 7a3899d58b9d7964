import type { Query, Tx } from '../../db/database.ts';
import { invalidRequest } from '../../base/errors.ts';
import { firstMerchantOf, type Merchant, requireMerchant } from '../../merchants/store.ts';
import { type Block, buyerEmail, type MailOptions, merchantInEmail } from '../../messages/buyer-email.ts';
import { enqueueMessage } from '../../messages/outbox.ts';
import { texts } from '../../base/texts.ts';
import type { Instant } from '../../base/time.ts';
import type { User, UserScope } from './store.ts';

interface LinkEmail {
  /** Id of the delivery. */
  id: string;
  user: User;
  merchant: Merchant;
  purpose: 'invitation' | 'sign-in';
  path: string;
  now: Instant;
}

/** Enqueues the e-mail with a link, in the database transaction that adds it. Does nothing if the service cannot send e-mails. */
export async function enqueueLink(tx: Tx, { purpose, path, ...email }: LinkEmail, mail: MailOptions): Promise<void> {
  const { subject, intro, button, until, unexpected } = textsOf[purpose](merchantInEmail(email.merchant.name, texts.en));
  const blocks = [
    { paragraphs: [intro], button: { label: button, url: mail.publicUrl + path } },
    { paragraphs: [until, unexpected] },
  ];
  await enqueueUserEmail(tx, { ...email, subject, blocks }, mail);
}

const textsOf = {
  invitation: (merchant: string) => ({
    subject: `Your invitation to the console of ${merchant}`,
    intro: `${merchant} has invited you to the console for its orders and settings.`,
    button: 'Accept the invitation',
    until: 'The link works once, within 7 days.',
    unexpected: 'If you did not expect this e-mail, you can ignore it.',
  }),
  'sign-in': (merchant: string) => ({
    subject: `Sign in to the console of ${merchant}`,
    intro: `Open this link in the browser in which you asked for it, to sign in to the console of ${merchant}.`,
    button: 'Sign in',
    until: 'The link works once, within 15 minutes.',
    unexpected: 'If you did not ask for it, you can ignore this e-mail: it does not sign anyone in by itself.',
  }),
};

interface UserEmail extends Pick<LinkEmail, 'id' | 'user' | 'merchant' | 'now'> {
  subject: string;
  blocks: readonly Block[];
}

/** Enqueues an e-mail to a user, in English like the console. Does nothing if the service cannot send e-mails. */
export async function enqueueUserEmail(
  tx: Tx,
  { id, user, merchant, now, subject, blocks }: UserEmail,
  { publicUrl, operator, handling }: MailOptions,
): Promise<void> {
  if (handling === 'unavailable') return;
  const content = buyerEmail({
    language: 'en',
    name: user.name,
    subject,
    blocks,
    // The contacts of a store are for its buyers.
    contacts: { operator, publicUrl, merchant: { ...merchant, supportEmail: null, supportPhone: null, supportUrl: null } },
  });
  const message = { id, merchantId: merchant.id, channel: 'email' as const, to: user.email, content, handling };
  await enqueueMessage(tx, { ...message, createdAt: now });
}

/** Returns the merchant, or the first of the tenant. @throws ServiceError `invalid-request` */
export async function merchantOfScope(query: Query, { tenantId, merchantId }: UserScope): Promise<Merchant> {
  const merchant = merchantId === null ? await firstMerchantOf(query, tenantId) : await requireMerchant(query, merchantId);
  if (merchant?.tenantId === tenantId) return merchant;
  throw invalidRequest('tenant', 'the id of a tenant with merchants', `"${tenantId}"`);
}
