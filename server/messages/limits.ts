import type { MessageLimits } from '../base/config/config.ts';
import type { Tx } from '../db/database.ts';
import { ServiceError } from '../base/errors.ts';
import { epochMs, type Instant, plusDays, startOfUtcDay, dateIn } from '../base/time.ts';
import { countedRecipient, countMessage } from './store.ts';

export interface LimitedMessage {
  /** The kind that is counted. Invitations are counted for themselves, because they are sent to strangers, with other limits. */
  channel: 'email' | 'text' | 'invitation';
  /** An e-mail address, or a US phone number of ten digits. */
  to: string;
  merchantId: string;
}

/**
 * Counts a message against the limits of its recipient and of its merchant, in the database transaction that enqueues it, so that the
 * limits are exact across processes (decisions/0013).
 *
 * Only for messages that merchants ask for. E-mails that the law requires are neither counted nor limited.
 *
 * @throws ServiceError `rate-limited`
 */
export async function requireWithinDay(
  tx: Tx,
  { channel, to, merchantId }: LimitedMessage,
  { perRecipient, perMerchant }: MessageLimits['email'],
  now: Instant,
): Promise<void> {
  const path = channel === 'text' ? 'phone' : 'email';
  const kind = { email: 'e-mails', text: 'texts', invitation: 'invitations' }[channel];
  const day = dateIn(now, 'UTC');
  // Always in this order, so that concurrent writes cannot deadlock.
  const recipient = await countedRecipient(tx, 'recipient', to);
  if (perRecipient > 0 && (await countMessage(tx, { day, channel, counted: recipient })) > perRecipient) {
    throw exceeded(`At path: ${path} -- Expected at most ${perRecipient} ${kind} to one recipient a day`, now);
  }
  if (perMerchant > 0 && (await countMessage(tx, { day, channel, counted: merchantId })) > perMerchant) {
    throw exceeded(`Expected at most ${perMerchant} ${kind} of one merchant a day`, now);
  }
}

function exceeded(expected: string, now: Instant): ServiceError {
  const tomorrow = startOfUtcDay(dateIn(plusDays(now, 1), 'UTC'));
  const seconds = Math.ceil((epochMs(tomorrow) - epochMs(now)) / 1_000);
  const details = { retryAfterSeconds: String(seconds) };
  return new ServiceError('rate-limited', `${expected}, but received more. Retry after midnight UTC.`, { details });
}
