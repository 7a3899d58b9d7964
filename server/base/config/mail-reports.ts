import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { Env } from './env.ts';

const PROVIDERS = ['mailgun', 'sendgrid'] as const;

/** The mail provider that reports e-mails which bounced, and the key that verifies its reports. */
export interface MailReports {
  provider: (typeof PROVIDERS)[number];
  key: KeyObject;
}

/**
 * Reads the mail provider that may send reports; undefined if none is configured.
 *
 * @throws Error - a variable is missing or invalid; the message contains no key.
 */
export function mailReportsIn({ MAIL_REPORTS, MAIL_REPORTS_KEY }: Env): MailReports | undefined {
  if (!MAIL_REPORTS && !MAIL_REPORTS_KEY) return undefined;
  const provider = PROVIDERS.find((each) => each === MAIL_REPORTS);
  if (!provider)
    throw new Error(`MAIL_REPORTS: expected ${PROVIDERS.join(' or ')}, with the key of its reports in MAIL_REPORTS_KEY`);
  const key = provider === 'sendgrid' ? publicKeyIn(MAIL_REPORTS_KEY) : secretIn(MAIL_REPORTS_KEY);
  if (key) return { provider, key };
  const expected = {
    mailgun: 'the signing key of its webhooks',
    sendgrid: 'the verification key of its event webhook, in Base64',
  };
  throw new Error(`MAIL_REPORTS_KEY: expected ${expected[provider]}, because MAIL_REPORTS is ${provider}`);
}

/** The shortest key is longer: Mailgun's have 32 digits. */
const MIN_SECRET_LENGTH = 16;

function secretIn(key = ''): KeyObject | undefined {
  return key.length < MIN_SECRET_LENGTH ? undefined : createSecretKey(key, 'utf8');
}

/** Returns a public key of the curve P-256. */
function publicKeyIn(key = ''): KeyObject | undefined {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return publicKey.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? publicKey : undefined;
  } catch {
    return undefined;
  }
}
