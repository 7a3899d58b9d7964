import type { Config } from '../config/config.ts';
import type { Mode } from '../mode.ts';
import type { Outlet, Outlets } from './outbox.ts';
import type { Send } from './outcome.ts';
import { createTextSender } from './text.ts';

/** One attempt to hand over an e-mail or a text. */
const MESSAGE_TIMEOUT_MS = 15_000;

/** What reaches people. Nothing, where nothing is to be sent. */
export interface MessageSenders {
  email?: Send;
  text?: Send;
  close(): Promise<void>;
}

/** The senders that the environment names, in live mode only: a sandbox has none, whatever its environment says. */
export async function messageSenders({ mode, email, text }: Pick<Config, 'mode' | 'email' | 'text'>): Promise<MessageSenders> {
  if (mode !== 'live') return { close: async () => undefined };
  const timeoutMs = MESSAGE_TIMEOUT_MS;
  // Its library is large, and a sandbox never needs it.
  const emails = email && (await import('./email.ts')).createEmailSender({ ...email, timeoutMs });
  const texts = text && createTextSender({ ...text, timeoutMs });
  return {
    ...(emails && { email: emails.send }),
    ...(texts && { text: texts.send }),
    close: async () => void (await Promise.all([emails?.close(), texts?.close()])),
  };
}

/** What becomes of messages: without a sender the sandbox records them, and a live service refuses them. */
export function outletsOf(senders: Pick<MessageSenders, 'email' | 'text'>, mode: Mode): Outlets {
  const without: Outlet = mode === 'live' ? 'refused' : 'recorded';
  return { email: senders.email ? 'sent' : without, text: senders.text ? 'sent' : without };
}
