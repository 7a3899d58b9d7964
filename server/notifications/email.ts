import { createTransport } from 'nodemailer';
import { personOf } from './addresses.ts';
import type { Letter } from './outbox.ts';
import { type Outcome, outcomeOfFault, type Send } from './outcome.ts';

export interface EmailOptions {
  /** `smtp://user:password@host:port`, or `smtps:`. */
  url: string;
  /** Whom letters come from: `mail@pay.example`, or `Pay <mail@pay.example>`. */
  from: string;
  /** For one attempt, from looking up the name of the server to its last word. */
  timeoutMs: number;
}

/** Sends e-mails by SMTP, one connection each. */
export function createEmailSender({ url, from, timeoutMs }: EmailOptions): { send: Send; close(): Promise<void> } {
  const { username } = new URL(url);
  const transport = createTransport({
    url,
    // A password is only sent over TLS. Without a password, TLS is used if the server supports it.
    requireTLS: username !== '',
    // An attempt is ended by its signal alone; these only must not be longer.
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketCloseTimeout: 0,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = /@([^>\s]+)/.exec(from)?.[1] ?? 'localhost';

  const send: Send = async (row) => {
    const { name, subject, text, html } = JSON.parse(row.body) as Letter;
    const address = personOf(row.url);
    try {
      await transport.sendMail({
        from,
        to: { name, address },
        envelope: { from: addressIn(from), to: address },
        subject,
        text,
        html,
        // A letter that comes twice is known by it for the same.
        messageId: `<${row.id}@${domain}>`,
        date: new Date(row.created_at),
        signal: AbortSignal.timeout(timeoutMs),
      });
      return { statusCode: 250, failure: '' };
    } catch (thrown) {
      return outcomeOfRefusal(thrown, timeoutMs);
    }
  };
  return { send, close: async () => transport.close() };
}

function addressIn(from: string): string {
  return /<([^<>]+)>/.exec(from)?.[1] ?? from;
}

/** What the server says is a refusal for good is one; whatever else may be better another time. */
function outcomeOfRefusal(thrown: unknown, timeoutMs: number): Outcome {
  const { responseCode, code } = thrown as { responseCode?: number; code?: string };
  if (responseCode !== undefined) {
    return { statusCode: responseCode, failure: `The mail server answered ${responseCode}`, isFinal: responseCode >= 500 };
  }
  if (code === 'EABORT' || code === 'ETIMEDOUT') return outcomeOfFault({ name: 'TimeoutError' }, timeoutMs);
  // Not asked of the server: the address cannot be written in an envelope.
  if (code === 'EENVELOPE') return { statusCode: null, failure: 'The address cannot receive mail', isFinal: true };
  return outcomeOfFault(thrown, timeoutMs);
}
