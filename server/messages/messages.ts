import { Agent, request } from 'undici';
import type { SandboxMessage } from '../../shared/wire/sandbox.ts';
import type { Config } from '../base/config/config.ts';
import { isId } from '../base/ids.ts';
import type { Mode } from '../base/mode.ts';
import type { Query } from '../db/database.ts';
import { recipientOf, splitUserinfo } from './addresses.ts';
import { type HandlingByChannel, type MessageHandling, messageIn, parseEmail } from './outbox.ts';
import { outcomeOf, outcomeOfError, type Send } from './attempt.ts';
import { type OutboxEntry, recordedMessages } from './store.ts';

/** Timeout of one attempt to send an e-mail or a text. */
const MESSAGE_TIMEOUT_MS = 15_000;

/** Senders of messages to people. A missing sender means that such messages are not sent. */
export interface MessageSenders {
  email?: Send;
  text?: Send;
  close(): Promise<void>;
}

/** Creates the configured senders. A sandbox never has any, whatever its configuration. */
export async function createMessageSenders({
  mode,
  email,
  text,
}: Pick<Config, 'mode' | 'email' | 'text'>): Promise<MessageSenders> {
  if (mode !== 'live') return { close: async () => undefined };
  const timeoutMs = MESSAGE_TIMEOUT_MS;
  // Loaded only where needed, because its library is large.
  const emails = email && (await import('./email.ts')).createEmailSender({ ...email, timeoutMs });
  const texts = text && createTextSender({ ...text, timeoutMs });
  return {
    ...(emails && { email: emails.send }),
    ...(texts && { text: texts.send }),
    close: async () => void (await Promise.all([emails?.close(), texts?.close()])),
  };
}

/** Returns how messages of each channel are handled. Without a sender, a sandbox records them and a live service rejects them. */
export function handlingByChannel(senders: { email?: unknown; text?: unknown }, mode: Mode): HandlingByChannel {
  const fallback: MessageHandling = mode === 'live' ? 'unavailable' : 'recorded';
  return { email: senders.email ? 'sent' : fallback, text: senders.text ? 'sent' : fallback };
}

export interface TextOptions {
  /** URL of the text service, with the account and its secret as user and password. */
  url: string;
  /** Sender, as registered with the text service. */
  from: string;
  timeoutMs: number;
}

/** Statuses after which a retry may succeed. All others from 400 to 499 are permanent. */
const TEMPORARY = new Set([408, 429]);

/** Sends texts through Twilio or a service with the same API. */
export function createTextSender({ url, from, timeoutMs }: TextOptions): { send: Send; close(): Promise<void> } {
  const { address, headers } = splitUserinfo(url);
  const agent = new Agent({ maxResponseSize: 65_536 });

  const send: Send = async (row) => {
    const { text } = messageIn(row.body);
    try {
      const answer = await request(address, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'user-agent': 'Fairterm' },
        body: new URLSearchParams({ To: recipientOf(row.url), From: from, Body: text }).toString(),
        dispatcher: agent,
        signal: AbortSignal.timeout(timeoutMs),
      });
      await answer.body.dump();
      const isPermanent = (status: number) => status >= 400 && status < 500 && !TEMPORARY.has(status);
      return outcomeOf(answer, 'The text service', isPermanent, Date.now());
    } catch (thrown) {
      return outcomeOfError(thrown, timeoutMs);
    }
  };
  return { send, close: () => agent.destroy() };
}

/** Returns the e-mails and text messages to buyers that a sandbox recorded instead of sending, the latest first. */
export async function readRecordedMessages(query: Query, merchantId: string, limit: number): Promise<SandboxMessage[]> {
  return (await recordedMessages(query, merchantId, { limit })).map(messageOf);
}

/** Returns a message that a sandbox recorded, with its HTML if it is an e-mail. */
export async function readRecordedMessage(
  query: Query,
  merchantId: string,
  id: string,
): Promise<{ message: SandboxMessage; html: string | undefined } | undefined> {
  const [entry] = isId(id) ? await recordedMessages(query, merchantId, { limit: 1, id }) : [];
  return entry && { message: messageOf(entry), html: entry.channel === 'email' ? parseEmail(entry.body).html : undefined };
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
