import { EncryptJWT, jwtDecrypt } from 'jose';
import { hkdfSync, type KeyObject } from 'node:crypto';
import { record, string, type } from 'superstruct';
import type { OwnForms } from '../../http/pages/form.ts';
import { redisplayedForm } from '../../http/pages/read-form.ts';
import { type ConsoleContext, readCookie, setCookie } from './visit.ts';

const DRAFT_COOKIE = 'fairterm-typed';
/** As long as a link to sign in works. */
const DRAFT_SECONDS = 900;
/** Browsers reject cookies of more than 4,096 characters. */
const MAX_DRAFT_LENGTH = 3_500;

const Draft = type({ address: string(), values: record(string(), string()) });

/** Returns the key of the cookie, which is different from that of form tokens. */
function keyOf(serviceKey: KeyObject): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', serviceKey, '', 'typed values', 32));
}

/**
 * Stores what was typed in a form, in a cookie of this browser: the person signs in again first. It is encrypted for them, because another
 * person may sign in next. A longer form has to be typed again.
 *
 * @param address - Of the page with the form.
 */
export async function saveDraft(
  ctx: ConsoleContext,
  { key, ownOrigin }: OwnForms,
  userId: string,
  address: string,
): Promise<void> {
  const { formToken: _, credential: _secret, ...values } = redisplayedForm(ctx.request.body);
  const token = new EncryptJWT({ address, values }).setSubject(userId).setProtectedHeader({ alg: 'dir', enc: 'A256GCM' });
  const value = await token.encrypt(keyOf(key));
  if (value.length > MAX_DRAFT_LENGTH) return;
  setCookie(ctx, ownOrigin, DRAFT_COOKIE, value, DRAFT_SECONDS);
}

/** Returns and deletes what a user has typed on this page; an empty object if nothing is stored. That of another user is deleted. */
export async function takeDraft(
  ctx: ConsoleContext,
  { key, ownOrigin }: OwnForms,
  userId: string,
): Promise<Record<string, string>> {
  const stored = readCookie(ctx, ownOrigin, DRAFT_COOKIE);
  if (!stored) return {};
  const decrypted = await jwtDecrypt(stored, keyOf(key), { subject: userId }).catch(() => undefined);
  const [, draft] = Draft.validate(decrypted?.payload);
  if (draft && draft.address !== ctx.path) return {};
  deleteDraft(ctx, ownOrigin);
  return draft?.values ?? {};
}

/** Deletes what was typed. */
export function deleteDraft(ctx: ConsoleContext, ownOrigin: string): void {
  setCookie(ctx, ownOrigin, DRAFT_COOKIE, '', 0);
}
