import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * A checkout continues, once a buyer has sent personal data, at an address with a secret that only the answer to that form names:
 * 128 random bits. The database has its hash alone.
 *
 * @see decisions/0008-checkout-links.md
 */
export function isSessionSecret(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{22}$/.test(text);
}

/** SHA-256 in hexadecimal. */
export function sessionHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * Whether a secret is that of a session, compared in constant time.
 *
 * @param hash - As stored; empty when no browser has the session.
 */
export function isSecretOf(secret: string, hash: string): boolean {
  const [given, stored] = [Buffer.from(sessionHash(secret)), Buffer.from(hash)];
  return given.length === stored.length && timingSafeEqual(given, stored);
}
