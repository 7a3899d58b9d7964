import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import type { Mode } from '../mode.ts';
import type { Env } from './env.ts';
import { groupIn } from './read-settings.ts';

/** The mail provider that reports e-mails which bounced, and the key that verifies its reports. */
export interface MailReports {
  provider: 'mailgun' | 'sendgrid';
  key: KeyObject;
}

/**
 * Reads the mail provider that may send reports; undefined if none is configured.
 *
 * @throws Error - a variable is missing or invalid; the message contains no key.
 */
export function mailReportsIn(env: Env, mode: Mode): MailReports | undefined {
  const values = groupIn(env, mode, ['MAIL_REPORTS', 'MAIL_REPORTS_KEY']);
  if (!values) return undefined;
  const provider = values.MAIL_REPORTS === 'sendgrid' ? 'sendgrid' : 'mailgun';
  const key = provider === 'sendgrid' ? publicKeyIn(values.MAIL_REPORTS_KEY) : secretIn(values.MAIL_REPORTS_KEY);
  if (key) return { provider, key };
  const expected = {
    mailgun: 'the signing key of its webhooks',
    sendgrid: 'the verification key of its event webhook, in Base64',
  };
  throw new Error(`MAIL_REPORTS_KEY: expected ${expected[provider]}, because MAIL_REPORTS is ${provider}`);
}

/** The shortest key is longer: Mailgun's have 32 digits. */
const MIN_SECRET_LENGTH = 16;

function secretIn(key: string): KeyObject | undefined {
  return key.length < MIN_SECRET_LENGTH ? undefined : createSecretKey(key, 'utf8');
}

/** Returns a public key of the curve P-256. */
function publicKeyIn(key: string): KeyObject | undefined {
  try {
    const publicKey = createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' });
    return publicKey.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? publicKey : undefined;
  } catch {
    return undefined;
  }
}
