import type { MessagesResponse, SandboxMessage } from '../../shared/wire/sandbox.ts';
import type { Query } from '../db/database.ts';
import { recipientOf } from '../notifications/addresses.ts';
import { type OutboxRow, recordedMessages } from '../notifications/store.ts';

const MOST_SHOWN = 100;

/** The e-mails and texts the sandbox kept for a merchant instead of sending them, the latest first. */
export async function readMessages(query: Query, merchantId: string): Promise<MessagesResponse> {
  const rows = await recordedMessages(query, merchantId, MOST_SHOWN);
  return { messages: rows.map(messageOf) };
}

function messageOf({ id, channel, url, body, created_at: createdAt }: OutboxRow): SandboxMessage {
  const { subject = '', text } = JSON.parse(body) as { subject?: string; text: string };
  const isEmail = channel === 'email';
  // A phone comes back as it was given: ten digits.
  return {
    id,
    channel: isEmail ? 'email' : 'text',
    to: isEmail ? recipientOf(url) : recipientOf(url).slice(2),
    subject,
    text,
    createdAt,
  };
}
