import { propertyOf } from '../../shared/objects.ts';
import { codeOf } from '../base/errors.ts';
import { createTransport } from 'nodemailer';
import { recipientOf } from './addresses.ts';
import { parseEmail } from './outbox.ts';
import { type Outcome, outcomeOfError, type Send } from './attempt.ts';

export interface EmailOptions {
  /** `smtp://user:password@host:port`, or `smtps:`. */
  url: string;
  /** Sender: `mail@pay.example` or `Pay <mail@pay.example>`. */
  from: string;
  /** Timeout of one attempt, including DNS. */
  timeoutMs: number;
}

/**
 * Asks mail programs not to answer automatically, such as with an out-of-office message (RFC 3834, 5). Microsoft Exchange reads the second
 * header instead. Reports about mail that cannot be delivered are still sent.
 */
const WITHOUT_AUTOMATIC_ANSWERS = {
  'Auto-Submitted': 'auto-generated',
  'X-Auto-Response-Suppress': 'RN, NRN, OOF, AutoReply',
};

/** Mail programs opt out with a POST request to the address in `List-Unsubscribe`. RFC 8058, 3.1. */
const ONE_CLICK = { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' };

/** Sends e-mails by SMTP, each over its own connection. `verify` only connects and signs in. */
export function createEmailSender({ url, from, timeoutMs }: EmailOptions): {
  send: Send;
  verify(): Promise<unknown>;
  close(): Promise<void>;
} {
  const { username } = new URL(url);
  const transport = createTransport({
    url,
    // A password is only sent over TLS. Without a password, TLS is used if the server supports it.
    requireTLS: username !== '',
    // The signal below ends an attempt; these must not be longer.
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
    const { name, subject, text, html, optOutUrl } = parseEmail(row.body);
    const address = recipientOf(row.url);
    try {
      await transport.sendMail({
        from,
        to: { name, address },
        envelope: { from: addressIn(from), to: address },
        subject,
        text,
        html,
        // The same in every attempt, so that mail servers can recognize duplicates.
        messageId: `<${row.id}@${domain}>`,
        date: new Date(row.createdAt),
        headers: { ...WITHOUT_AUTOMATIC_ANSWERS, ...(optOutUrl && ONE_CLICK) },
        ...(optOutUrl && { list: { unsubscribe: optOutUrl } }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      // The SMTP reply of a server that has accepted the message.
      return { statusCode: 250, failure: '' };
    } catch (thrown) {
      return outcomeOfSmtpError(thrown, timeoutMs);
    }
  };
  return { send, verify: () => transport.verify(), close: async () => transport.close() };
}

function addressIn(from: string): string {
  return /<([^<>]+)>/.exec(from)?.[1] ?? from;
}

/** SMTP replies from 500 are permanent. All other failures may be transient. */
function outcomeOfSmtpError(thrown: unknown, timeoutMs: number): Outcome {
  const responseCode = propertyOf(thrown, 'responseCode');
  const code = codeOf(thrown);
  if (typeof responseCode === 'number') {
    return {
      statusCode: responseCode,
      failure: `The mail server responded with ${responseCode}`,
      isPermanent: responseCode >= 500,
    };
  }
  if (code === 'EABORT' || code === 'ETIMEDOUT') return outcomeOfError({ name: 'TimeoutError' }, timeoutMs);
  // The address is invalid in an SMTP envelope; nothing was sent.
  if (code === 'EENVELOPE') return { statusCode: null, failure: 'The address cannot receive mail', isPermanent: true };
  return outcomeOfError(thrown, timeoutMs);
}
