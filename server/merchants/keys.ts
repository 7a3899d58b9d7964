import { hash, timingSafeEqual } from 'node:crypto';
import { newToken } from '../ids.ts';
import type { Mode } from '../mode.ts';

/** A merchant's credentials: the API key is public, the secret is shown once and stored only as its hash. */
export interface KeyPair {
  apiKey: string;
  secret: string;
}

/** A new key pair. The prefix tells which environment it belongs to, and lets secret scanners recognise a leak. */
export function newKeyPair(mode: Mode): KeyPair {
  return { apiKey: `ft_${mode}_key_${newToken(16)}`, secret: `ft_${mode}_secret_${newToken(32)}` };
}

/**
 * SHA-256 of a secret, hexadecimal. A fast hash is right here: the secret is 256 bits of randomness, so guessing fails
 * at any speed, and every request pays for it.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret, 'hex');
}

/** Whether `secret` is the one that was hashed. Takes the same time wherever they differ. */
export function isSecret(secret: string, secretHash: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(secretHash));
}

/** Compared against when the API key is unknown, so that an unknown key takes as long as a wrong secret. */
export const NO_SECRET_HASH = hashSecret('');
