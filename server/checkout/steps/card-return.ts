import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject, randomBytes } from 'node:crypto';
import { saveApplication } from '../../lending/applications/store.ts';
import { hashOfCode } from '../../base/ids.ts';
import type { Instant } from '../../base/time.ts';
import type { CheckoutDeps } from '../session/deps.ts';
import { findCurrentSession, lockSession, lockShownSession, type SessionRule, type ShownApplication } from '../session/load.ts';

type TokenDeps = Pick<CheckoutDeps, 'database' | 'codeKey'>;

// Sizes of AES-GCM.
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Derives the key of the tokens from the key of one-time codes. RFC 5869. */
function tokenKey(codeKey: KeyObject): Buffer {
  return Buffer.from(hkdfSync('sha256', codeKey, '', 'card returns', 32));
}

/**
 * Issues the token of a session, which replaces an earlier one: the encrypted session secret, which can be used once, for the address to
 * which a card gateway's page returns. The gateway and its logs contain that address, so it must not contain the secret itself, and without
 * cookies the service does not recognize the browser otherwise (decisions/0019). It works only for this application (AAD).
 *
 * @param rule - Whether a card can be entered now.
 * @throws ServiceError `cart-closed`
 */
export async function issueReturnToken(
  { database, codeKey }: TokenDeps,
  shown: ShownApplication,
  secret: string,
  rule: SessionRule,
  now: Instant,
): Promise<string> {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv('aes-256-gcm', tokenKey(codeKey), iv).setAAD(Buffer.from(shown.id));
  const encrypted = Buffer.concat([cipher.update(secret), cipher.final()]);
  const token = Buffer.concat([iv, encrypted, cipher.getAuthTag()]).toString('base64url');
  await database.write(async (tx) => {
    const { application } = await lockShownSession(tx, shown, now, rule);
    await saveApplication(tx, application, { cardReturnHash: hashOfCode(token) });
  });
  return token;
}

/**
 * Uses the token of a cart's current application.
 *
 * @param code  - Code of the cart's link.
 * @param token - Unknown input.
 * @returns The secret of its session; undefined if the token was never issued, was used or was replaced.
 */
export async function useReturnToken(
  { database, codeKey }: TokenDeps,
  code: string,
  token: string,
  now: Instant,
): Promise<string | undefined> {
  const found = (await findCurrentSession(database.query, code, now))?.application;
  if (found?.cardReturnHash !== hashOfCode(token)) return undefined;
  const isUsed = await database.write(async (tx) => {
    const { application } = await lockSession(tx, found, now);
    if (application.cardReturnHash !== found.cardReturnHash) return false;
    await saveApplication(tx, application, { cardReturnHash: '' });
    return true;
  });
  return isUsed ? decrypted(codeKey, found.id, token) : undefined;
}

function decrypted(codeKey: KeyObject, applicationId: string, token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  const iv = bytes.subarray(0, IV_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', tokenKey(codeKey), iv).setAAD(Buffer.from(applicationId));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  return decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
