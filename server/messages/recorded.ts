import type { SandboxMessage } from '../../shared/wire/sandbox.ts';
import type { Query } from '../db/database.ts';
import { recipientOf } from './addresses.ts';
import { messageIn } from './outbox.ts';
import { type OutboxEntry, recordedMessages } from './store.ts';

/** Returns the e-mails and text messages to buyers that a sandbox recorded instead of sending, the latest first. */
export async function readRecordedMessages(query: Query, merchantId: string, limit: number): Promise<SandboxMessage[]> {
  return (await recordedMessages(query, merchantId, limit)).map(messageOf);
}

function messageOf({ id, channel, url, body, createdAt }: OutboxEntry): SandboxMessage {
  const { subject = '', text } = messageIn(body);
  const isEmail = channel === 'email';
  // Phone numbers have ten digits in the API, and +1 in the outbox.
  return {
    id,
    channel: isEmail ? 'email' : 'text',
    to: isEmail ? recipientOf(url) : recipientOf(url).slice(2),
    subject,
    text,
    createdAt,
  };
}
