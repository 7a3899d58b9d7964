import { createHmac } from 'node:crypto';

/**
 * The headers that prove where a callback comes from and when it was sent, by the Standard Webhooks: one signature for each
 * secret, so that a receiver may know the old one or the new one.
 *
 * @param id        - The same for every attempt: receivers recognise by it what they have seen.
 * @param atSeconds - When this attempt is made, since 1970.
 * @param secrets   - Each `whsec_` and a key in base64.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function signedHeaders(id: string, atSeconds: number, body: string, secrets: readonly string[]): Record<string, string> {
  const signatures = secrets.map((secret) => `v1,${signature(`${id}.${atSeconds}.${body}`, secret)}`);
  return { 'webhook-id': id, 'webhook-timestamp': String(atSeconds), 'webhook-signature': signatures.join(' ') };
}

function signature(content: string, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
