import { createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { propertyOf } from '../../../shared/objects.ts';
import type { MailReports } from '../../base/config/mail-reports.ts';
import { isId } from '../../base/ids.ts';
import { DAY_MS, epochMs, type Instant } from '../../base/time.ts';

/** An e-mail that the mail provider had accepted, and that the recipient's mail server did not. */
export interface Bounce {
  /** The id of the e-mail in the outbox. */
  id: string;
  failure: string;
}

/** A request of a mail provider. */
export interface MailReport {
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** The content of a report with a valid signature, and when it was signed, in Unix seconds. */
interface SignedReport {
  signedAt: string;
  content: unknown;
}

interface Provider {
  /** Maximum bytes of a report. */
  maxBytes: number;
  /** Returns undefined if the signature does not match. */
  open(report: MailReport, key: KeyObject): SignedReport | undefined;
  /** Returns the e-mails of a report that are not delivered any more. Other events, such as temporary failures, are ignored. */
  failures(content: unknown): { messageId: unknown; code: unknown }[];
}

const providers: Record<MailReports['provider'], Provider> = {
  /**
   * Signs the time and a token with HMAC-SHA256. The signature does not cover the event, which TLS protects.
   *
   * @see https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks
   */
  mailgun: {
    maxBytes: 65_536,
    open: ({ body }, key) => {
      const content = contentOf(body);
      const given = propertyOf(content, 'signature');
      const [signedAt, token, signature] = ['timestamp', 'token', 'signature'].map((name) => String(propertyOf(given, name)));
      const expected = createHmac('sha256', key).update(`${signedAt}${token}`).digest();
      const received = Buffer.from(signature!, 'hex');
      const isValid = received.length === expected.length && timingSafeEqual(received, expected);
      return isValid ? { signedAt: signedAt!, content } : undefined;
    },
    failures: (content) => {
      const event = propertyOf(content, 'event-data');
      const type = propertyOf(event, 'event');
      const hasFailed = type === 'rejected' || (type === 'failed' && propertyOf(event, 'severity') === 'permanent');
      const messageId = propertyOf(propertyOf(propertyOf(event, 'message'), 'headers'), 'message-id');
      return hasFailed ? [{ messageId, code: propertyOf(propertyOf(event, 'delivery-status'), 'code') }] : [];
    },
  },
  /**
   * Signs the time and the body with ECDSA.
   *
   * @see https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
   */
  sendgrid: {
    // SendGrid sends up to 768 kB at once. They are parsed only with a valid signature.
    maxBytes: 1_048_576,
    open: ({ headers, body }, key) => {
      const signedAt = String(headers['x-twilio-email-event-webhook-timestamp']);
      const signature = Buffer.from(String(headers['x-twilio-email-event-webhook-signature']), 'base64');
      const isValid = verify('sha256', Buffer.concat([Buffer.from(signedAt), body]), key, signature);
      return isValid ? { signedAt, content: contentOf(body) } : undefined;
    },
    failures: (content) =>
      (Array.isArray(content) ? content : [])
        .filter((event: unknown) => ['bounce', 'dropped'].includes(String(propertyOf(event, 'event'))))
        .map((event: unknown) => ({ messageId: propertyOf(event, 'smtp-id'), code: propertyOf(event, 'status') })),
  },
};

/** Parses JSON; undefined for other text. Not strictly, because reports quote text of strangers, which must not reject the others. */
function contentOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

export function maxReportBytes({ provider }: MailReports): number {
  return providers[provider].maxBytes;
}

/** Providers repeat a report for less than a day, and may not sign it again. */
const MAX_AGE_MS = DAY_MS;

/**
 * Returns the e-mails of a report that have bounced, without those whose Message-ID is not of the outbox. Undefined if the report was not signed
 * with the key of the provider within the last day.
 */
export function bouncesIn({ provider, key }: MailReports, report: MailReport, now: Instant): Bounce[] | undefined {
  const { open, failures } = providers[provider];
  const signed = open(report, key);
  if (!signed || !/^\d{1,12}$/.test(signed.signedAt)) return undefined;
  if (Math.abs(epochMs(now) - Number(signed.signedAt) * 1_000) > MAX_AGE_MS) return undefined;
  return failures(signed.content).flatMap(({ messageId, code }) => {
    const id = /^<?([\da-f-]{36})@/.exec(String(messageId))?.[1] ?? '';
    return isId(id) ? [{ id, failure: `The e-mail bounced${isReplyCode(code) ? ` with ${code}` : ''}` }] : [];
  });
}

/** Returns true for an SMTP reply code, such as 550 or 5.1.1. Other text of strangers is not stored. */
function isReplyCode(code: unknown): code is string | number {
  return /^\d(\d\d|\.\d{1,3}\.\d{1,3})$/.test(String(code));
}
