import { timingSafeEqual } from 'node:crypto';
import { hashOfCode, isCode } from '../../base/ids.ts';

/**
 * Returns true for a session secret. After a form with personal data, the checkout continues at an address with a secret of 128 random
 * bits, which only the response to that form contains. The database stores its hash.
 *
 * @see server/decisions/0008-checkout-links.md
 */
export function isSessionSecret(text: unknown): text is string {
  return typeof text === 'string' && isCode(text);
}

/**
 * Returns true if a secret is that of a session. Compares in constant time.
 *
 * @param hash - The stored hash; empty when no browser has the session.
 */
export function isSecretOf(secret: string, hash: string): boolean {
  const given = Buffer.from(hashOfCode(secret));
  const stored = Buffer.from(hash);
  return given.length === stored.length && timingSafeEqual(given, stored);
}
