import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The headers that prove where a message comes from and when it was sent, by the Standard Webhooks: one signature for each
 * secret, so that a receiver may know the old one or the new one.
 *
 * @param id        - The same for every attempt: receivers recognise by it what they have seen.
 * @param atSeconds - When this attempt is made, since 1970.
 * @param secrets   - Each `whsec_` and a key in base64.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedHeaders(id: string, atSeconds: number, body: string, secrets: readonly string[]): Record<string, string> {
  const signatures = secrets.map(
    (secret) => `v1,${signature(id, String(atSeconds), Buffer.from(body), secret).toString('base64')}`,
  );
  return { 'webhook-id': id, 'webhook-timestamp': String(atSeconds), 'webhook-signature': signatures.join(' ') };
}

/** How far the clocks of the two sides may differ, as Standard Webhooks has it. */
const TOLERANCE_SECONDS = 300;

/** More than a sender that changes its secret needs, and few enough to be tried. */
const MAX_SIGNATURES = 16;

/** What came, and what it is held against. */
export interface SignedMessage {
  headers: Record<string, string | string[] | undefined>;
  body: Uint8Array;
  /** The one it must be about. */
  id: string;
  /** The time, since 1970. */
  atSeconds: number;
  secrets: readonly string[];
}

/** Whether a message is about `id`, was sent within five minutes of now and bears a signature by one of the secrets. */
export function isSigned({ headers, body, id, atSeconds, secrets }: SignedMessage): boolean {
  const { 'webhook-id': about, 'webhook-timestamp': sentAt, 'webhook-signature': signatures } = headers;
  if (about !== id || typeof sentAt !== 'string' || typeof signatures !== 'string') return false;
  if (!/^\d{1,12}$/.test(sentAt) || Math.abs(Number(sentAt) - atSeconds) > TOLERANCE_SECONDS) return false;
  const given = signatures
    .split(' ')
    .filter((word) => word.startsWith('v1,'))
    .slice(0, MAX_SIGNATURES)
    .map((word) => Buffer.from(word.slice('v1,'.length), 'base64'));
  return secrets.some((secret) => {
    const expected = signature(id, sentAt, body, secret);
    return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
  });
}

function signature(id: string, atSeconds: string, body: Uint8Array, secret: string): Buffer {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(`${id}.${atSeconds}.`).update(body).digest();
}
